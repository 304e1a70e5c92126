import { literalPrefix, type SteadyEncoder } from './hpack-encode.ts';
import { FLAG, FRAME, FRAME_HEADER_BYTES } from './protocol.ts';
import type { HeadSink, SteadyHeaders } from './transport.ts';

const SLAB_BYTES = 65_536;
const SPARE_SLABS = 4;
const HEX = Buffer.from('0123456789abcdef', 'latin1');

/** Literal field beginnings by name, shared by all connections. */
const prefixes = new Map<string, Uint8Array>();
function prefixOf(name: string): Uint8Array {
  let prefix = prefixes.get(name);
  if (prefix === undefined) {
    prefix = Uint8Array.from(literalPrefix(name, 0x0f, 0));
    prefixes.set(name, prefix);
  }
  return prefix;
}

/** Where the bytes go: a socket, or a test. `done` comes when they have left and the buffer may be used again. */
export type Write = (bytes: Uint8Array, done: () => void) => void;

/** Frames of one tick, side by side in one buffer, handed to the socket in one write. */
export class FrameWriter implements HeadSink {
  readonly #encoder: SteadyEncoder;
  readonly #write: Write;
  readonly #spare: Buffer[] = [];
  #slab: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #length = 0;
  #leaving = 0;
  #headStart = 0;

  constructor(encoder: SteadyEncoder, write: Write) {
    this.#encoder = encoder;
    this.#write = write;
  }

  /** Bytes handed to the socket that have not left it yet. */
  get leaving(): number {
    return this.#leaving;
  }

  flush(): void {
    if (this.#length === 0) return;
    const slab = this.#slab;
    const length = this.#length;
    this.#leaving += length;
    this.#length = 0;
    this.#slab = this.#spare.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
    this.#write(slab.subarray(0, length), () => {
      this.#leaving -= length;
      if (this.#spare.length < SPARE_SLABS && slab.length === SLAB_BYTES) this.#spare.push(slab);
    });
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#slab.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  frameHeader(length: number, type: number, flags: number, streamId: number): void {
    this.#room(FRAME_HEADER_BYTES);
    this.#putHeader(this.#length, length, type, flags, streamId);
    this.#length += FRAME_HEADER_BYTES;
  }

  uint32(value: number): void {
    this.#room(4);
    this.#length = this.#slab.writeUInt32BE(value >>> 0, this.#length);
  }

  settings(entries: readonly (readonly [id: number, value: number])[]): void {
    this.frameHeader(entries.length * 6, FRAME.settings, 0, 0);
    for (const [id, value] of entries) {
      this.raw(Uint8Array.of(id >>> 8, id));
      this.uint32(value);
    }
  }

  settingsAck(): void {
    this.frameHeader(0, FRAME.settings, FLAG.ack, 0);
  }

  ping(payload: Uint8Array, isAck: boolean): void {
    this.frameHeader(8, FRAME.ping, isAck ? FLAG.ack : 0, 0);
    this.raw(payload);
  }

  windowUpdate(streamId: number, by: number): void {
    this.frameHeader(4, FRAME.windowUpdate, 0, streamId);
    this.uint32(by);
  }

  reset(streamId: number, code: number): void {
    this.frameHeader(4, FRAME.rstStream, 0, streamId);
    this.uint32(code);
  }

  goaway(lastStreamId: number, code: number, debug: Uint8Array): void {
    this.frameHeader(8 + debug.length, FRAME.goaway, 0, 0);
    this.uint32(lastStreamId);
    this.uint32(code);
    this.raw(debug);
  }

  /** Opens a HEADERS frame; then the sink's methods; then `endHead`. */
  beginHead(): void {
    this.#headStart = this.#length;
    this.#room(FRAME_HEADER_BYTES);
    this.#length += FRAME_HEADER_BYTES;
    if (this.#encoder.hasSizeUpdate) this.raw(Uint8Array.from(this.#encoder.takeSizeUpdate()));
  }

  /** Closes the HEADERS frame, splitting a block too large for one frame into CONTINUATIONs. */
  endHead(streamId: number, endStream: boolean, frameBytesMax: number): void {
    const blockStart = this.#headStart + FRAME_HEADER_BYTES;
    const blockLength = this.#length - blockStart;
    const flags = endStream ? FLAG.endStream : 0;
    if (blockLength <= frameBytesMax) {
      this.#putHeader(this.#headStart, blockLength, FRAME.headers, flags | FLAG.endHeaders, streamId);
      return;
    }
    const block = Buffer.from(this.#slab.subarray(blockStart, this.#length));
    this.#length = this.#headStart;
    for (let at = 0; at < blockLength; at += frameBytesMax) {
      const part = block.subarray(at, at + frameBytesMax);
      const last = at + frameBytesMax >= blockLength ? FLAG.endHeaders : 0;
      if (at === 0) this.frameHeader(part.length, FRAME.headers, flags, streamId);
      else this.frameHeader(part.length, FRAME.continuation, last, streamId);
      this.raw(part);
    }
  }

  /** Adds a DATA frame and returns where in `target` its `length` bytes must be put before anything else is written. */
  data(streamId: number, length: number, endStream: boolean): number {
    this.#room(FRAME_HEADER_BYTES + length);
    this.frameHeader(length, FRAME.data, endStream ? FLAG.endStream : 0, streamId);
    const at = this.#length;
    this.#length += length;
    return at;
  }

  get target(): Buffer {
    return this.#slab;
  }

  steady(headers: SteadyHeaders): void {
    this.raw(this.#encoder.encode(headers));
  }

  text(name: string, value: string): void {
    this.#beginLiteral(name, value.length, value.length);
    this.#slab.write(value, this.#length, 'latin1');
    this.#length += value.length;
  }

  hex(name: string, prefix: string, bytes: Uint8Array, offset: number, length: number): void {
    this.#beginLiteral(name, prefix.length + length * 2, prefix.length + length * 2);
    const slab = this.#slab;
    let at = this.#length;
    for (let i = 0; i < prefix.length; i++) slab[at++] = prefix.charCodeAt(i);
    this.#length = hexInto(slab, at, bytes, offset, length);
  }

  uuid(name: string, bytes: Uint8Array, offset: number): void {
    this.#beginLiteral(name, 36, 36);
    const slab = this.#slab;
    let at = hexInto(slab, this.#length, bytes, offset, 4);
    for (let part = 4; part < 10; part += 2) {
      slab[at++] = 0x2d;
      at = hexInto(slab, at, bytes, offset + part, 2);
    }
    slab[at++] = 0x2d;
    this.#length = hexInto(slab, at, bytes, offset + 10, 6);
  }

  #beginLiteral(name: string, valueLength: number, room: number): void {
    const prefix = prefixOf(name);
    this.#room(prefix.length + 5 + room);
    const slab = this.#slab;
    let at = this.#length;
    for (let i = 0; i < prefix.length; i++) slab[at++] = prefix[i] ?? 0;
    if (valueLength < 0x7f) {
      slab[at++] = valueLength;
    } else {
      slab[at++] = 0x7f;
      let rest = valueLength - 0x7f;
      while (rest >= 0x80) {
        slab[at++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      slab[at++] = rest;
    }
    this.#length = at;
  }

  #putHeader(at: number, length: number, type: number, flags: number, streamId: number): void {
    const slab = this.#slab;
    slab[at] = length >>> 16;
    slab[at + 1] = length >>> 8;
    slab[at + 2] = length;
    slab[at + 3] = type;
    slab[at + 4] = flags;
    slab[at + 5] = streamId >>> 24;
    slab[at + 6] = streamId >>> 16;
    slab[at + 7] = streamId >>> 8;
    slab[at + 8] = streamId;
  }

  /** A slab that is too small is replaced by a larger one for this tick only. */
  #room(bytes: number): void {
    if (this.#length + bytes <= this.#slab.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#slab.length * 2, this.#length + bytes));
    larger.set(this.#slab.subarray(0, this.#length));
    this.#slab = larger;
  }
}

function hexInto(target: Uint8Array, at: number, bytes: Uint8Array, offset: number, length: number): number {
  let to = at;
  for (let i = offset; i < offset + length; i++) {
    const byte = bytes[i] ?? 0;
    target[to++] = HEX[byte >>> 4] ?? 0;
    target[to++] = HEX[byte & 15] ?? 0;
  }
  return to;
}
