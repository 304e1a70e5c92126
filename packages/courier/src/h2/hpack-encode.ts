import { STATIC_ENTRIES, staticField, staticName } from './static-table.ts';
import type { SteadyHeaders } from './transport.ts';

const ENTRY_OVERHEAD = 32;
/** What a peer grants before its SETTINGS say otherwise, and all we use of a larger table. */
const TABLE_BYTES = 4096;

function integer(out: number[], value: number, prefixMask: number, flags: number): void {
  if (value < prefixMask) {
    out.push(flags | value);
    return;
  }
  out.push(flags | prefixMask);
  let rest = value - prefixMask;
  while (rest >= 0x80) {
    out.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  out.push(rest);
}

function pushString(out: number[], text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  integer(out, bytes.length, 0x7f, 0);
  for (const byte of bytes) out.push(byte);
}

/** The part of a literal field before its value. */
export function literalPrefix(name: string, prefixMask: number, flags: number): number[] {
  const out: number[] = [];
  const index = staticName(name);
  integer(out, index, prefixMask, flags);
  if (index === 0) pushString(out, name);
  return out;
}

interface Compiled {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/**
 * Encodes steady headers for one connection. The first time a field is sent it goes into the peer's table; from then on it costs one
 * or two bytes. The peer drops the oldest entries when the table is full, and so does this model of it.
 */
export class SteadyEncoder {
  #entries: string[] = [];
  #sizes: number[] = [];
  #tableBytes = 0;
  #tableMax = TABLE_BYTES;
  #sizeUpdate = -1;
  #version = 0;
  readonly #compiled = new WeakMap<SteadyHeaders, Compiled>();

  /** The peer changed HEADER_TABLE_SIZE. The next block announces what we use of it: never more than the least it asked for since. */
  resize(peerMax: number): void {
    let tableMax = Math.min(peerMax, TABLE_BYTES);
    if (this.#sizeUpdate !== -1) tableMax = Math.min(tableMax, this.#sizeUpdate);
    if (tableMax === this.#tableMax) return;
    this.#tableMax = tableMax;
    this.#sizeUpdate = tableMax;
    this.#evict(0);
    this.#version++;
  }

  get hasSizeUpdate(): boolean {
    return this.#sizeUpdate !== -1;
  }

  /** Bytes that must stand first in the next block, once. */
  takeSizeUpdate(): number[] {
    const out: number[] = [];
    integer(out, this.#sizeUpdate, 0x1f, 0x20);
    this.#sizeUpdate = -1;
    return out;
  }

  /** The encoded fields. What comes back must be sent, in this order: the peer's table follows it. */
  encode(headers: SteadyHeaders): Uint8Array {
    const known = this.#compiled.get(headers);
    if (known !== undefined && known.version === this.#version) return known.bytes;
    const first = this.#build(headers, true);
    const steady = this.#build(headers, false);
    this.#compiled.set(headers, { version: this.#version, bytes: steady });
    return first;
  }

  #evict(room: number): void {
    while (this.#tableBytes + room > this.#tableMax && this.#entries.length > 0) {
      this.#entries.shift();
      this.#tableBytes -= this.#sizes.shift() ?? 0;
    }
  }

  #build(headers: SteadyHeaders, mayInsert: boolean): Uint8Array {
    const out: number[] = [];
    for (const [name, value] of headers.fields) {
      const inStatic = staticField(name, value);
      const position = this.#entries.indexOf(`${name}\n${value}`);
      const size = name.length + value.length + ENTRY_OVERHEAD;
      if (inStatic > 0) integer(out, inStatic, 0x7f, 0x80);
      else if (position !== -1) integer(out, STATIC_ENTRIES + this.#entries.length - position, 0x7f, 0x80);
      else if (mayInsert && size <= this.#tableMax) {
        out.push(...literalPrefix(name, 0x3f, 0x40));
        pushString(out, value);
        this.#evict(size);
        this.#entries.push(`${name}\n${value}`);
        this.#sizes.push(size);
        this.#tableBytes += size;
        this.#version++;
      } else {
        out.push(...literalPrefix(name, 0x0f, 0));
        pushString(out, value);
      }
    }
    return Uint8Array.from(out);
  }
}
