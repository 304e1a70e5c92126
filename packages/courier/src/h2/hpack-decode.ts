import { decodeHuffman, isHuffman } from './huffman.ts';
import { H2_ERROR, H2Error } from './protocol.ts';
import { STATIC_ENTRIES, STATIC_TABLE } from './static-table.ts';

/**
 * Decodes header blocks of a peer that was told HEADER_TABLE_SIZE 0. There is then no dynamic table, a block means the same whatever
 * came before it, and a block nobody needs can be checked and skipped without decoding a string.
 */

function malformed(what: string): H2Error {
  return new H2Error(H2_ERROR.compression, what);
}

/** Where the last integer or string read ended; module state instead of an object a field. */
let cursor = 0;
let huffman = false;

function readInteger(bytes: Uint8Array, at: number, end: number, prefixMask: number): number {
  let value = (bytes[at] ?? 0) & prefixMask;
  cursor = at + 1;
  if (value < prefixMask) return value;
  for (let shift = 0; shift <= 21; shift += 7) {
    if (cursor >= end) throw malformed('integer cut short');
    const byte = bytes[cursor++] ?? 0;
    value += (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw malformed('integer too large');
}

/** Reads a string's length; the string then lies at [cursor, cursor + length). */
function readStringLength(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) throw malformed('string missing');
  huffman = ((bytes[at] ?? 0) & 0x80) !== 0;
  const length = readInteger(bytes, at, end, 0x7f);
  if (cursor + length > end) throw malformed('string cut short');
  return length;
}

function skipString(bytes: Uint8Array, at: number, end: number): void {
  const length = readStringLength(bytes, at, end);
  if (huffman && !isHuffman(bytes, cursor, cursor + length)) throw malformed('bad Huffman code');
  cursor += length;
}

function readString(bytes: Uint8Array, at: number, end: number): string {
  const length = readStringLength(bytes, at, end);
  const start = cursor;
  cursor += length;
  if (!huffman) return Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('latin1');
  const text = decodeHuffman(bytes, start, start + length);
  if (text === undefined) throw malformed('bad Huffman code');
  return text;
}

function staticEntry(index: number): readonly [string, string] {
  const entry = STATIC_TABLE[index - 1];
  if (entry === undefined) throw malformed(`no header ${index}: our table has size 0`);
  return entry;
}

/** Steps over size updates, which may only stand first and only say 0. */
function skipSizeUpdates(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && ((bytes[at] ?? 0) & 0xe0) === 0x20) {
    if (readInteger(bytes, at, end, 0x1f) !== 0) throw malformed('table size above our setting');
    at = cursor;
  }
  return at;
}

function literalMask(byte: number): number {
  if ((byte & 0xc0) === 0x40) return 0x3f;
  if ((byte & 0xe0) === 0x20) throw malformed('size update inside a block');
  return 0x0f;
}

function parseStatus(text: string): number {
  return /^[1-9][0-9]{2}$/.test(text) ? Number(text) : 0;
}

/**
 * Checks the whole block and returns `:status`; 0 when there is none (trailers), or it is not first, not three digits or there twice.
 * Throws an H2Error on a malformed block.
 */
export function readStatus(bytes: Uint8Array, start: number, end: number): number {
  let at = skipSizeUpdates(bytes, start, end);
  let status = 0;
  for (let field = 0; at < end; field++) {
    const byte = bytes[at] ?? 0;
    let name: string | undefined;
    if (byte >= 0x80) {
      const index = readInteger(bytes, at, end, 0x7f);
      if (index < 8 || index > STATIC_ENTRIES) staticEntry(index);
      if (index >= 8 && index <= 14) {
        status = field === 0 ? Number(staticEntry(index)[1]) : 0;
        if (field > 0) return skipRest(bytes, cursor, end);
      }
      at = cursor;
      continue;
    }
    const index = readInteger(bytes, at, end, literalMask(byte));
    if (index === 0) skipString(bytes, cursor, end);
    else name = staticEntry(index)[0];
    if (name === ':status') {
      const value = readString(bytes, cursor, end);
      if (field > 0) return skipRest(bytes, cursor, end);
      status = parseStatus(value);
    } else {
      skipString(bytes, cursor, end);
    }
    at = cursor;
  }
  return status;
}

/** A second or late `:status` makes the answer malformed, but the rest of the block must still be checked. */
function skipRest(bytes: Uint8Array, start: number, end: number): number {
  decodeFields(bytes, start, end);
  return 0;
}

/** Every field of the block, in order. Throws an H2Error on a malformed block. */
export function decodeFields(bytes: Uint8Array, start: number, end: number): [name: string, value: string][] {
  const fields: [string, string][] = [];
  let at = skipSizeUpdates(bytes, start, end);
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) {
      const [name, value] = staticEntry(readInteger(bytes, at, end, 0x7f));
      fields.push([name, value]);
    } else {
      const index = readInteger(bytes, at, end, literalMask(byte));
      const name = index === 0 ? readString(bytes, cursor, end) : staticEntry(index)[0];
      fields.push([name, readString(bytes, cursor, end)]);
    }
    at = cursor;
  }
  return fields;
}
