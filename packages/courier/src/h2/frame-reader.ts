import { FRAME_HEADER_BYTES, H2_ERROR, H2Error, MAX_FRAME_BYTES } from './protocol.ts';

export interface FrameHandler {
  /** The payload is `bytes[start, end)`, valid only during the call. Throws an H2Error to give the connection up. */
  onFrame(type: number, flags: number, streamId: number, bytes: Uint8Array, start: number, end: number): void;
}

/** Cuts a byte stream into frames, however the bytes are chunked. Whole frames are read in place; only a cut one is copied. */
export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #partial = Buffer.allocUnsafeSlow(FRAME_HEADER_BYTES + MAX_FRAME_BYTES);
  #held = 0;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  push(chunk: Uint8Array): void {
    let at = this.#held > 0 ? this.#complete(chunk) : 0;
    if (at === -1) return;
    const end = chunk.length;
    while (end - at >= FRAME_HEADER_BYTES) {
      const length = payloadLength(chunk, at);
      if (end - at < FRAME_HEADER_BYTES + length) break;
      this.#emit(chunk, at, length);
      at += FRAME_HEADER_BYTES + length;
    }
    if (at < end) this.#hold(chunk, at, end);
  }

  /** Adds to the frame that was cut; returns where the next begins, or -1 if even this one is not whole yet. */
  #complete(chunk: Uint8Array): number {
    let at = 0;
    if (this.#held < FRAME_HEADER_BYTES) {
      at = Math.min(FRAME_HEADER_BYTES - this.#held, chunk.length);
      this.#hold(chunk, 0, at);
      if (this.#held < FRAME_HEADER_BYTES) return -1;
    }
    const length = payloadLength(this.#partial, 0);
    const missing = FRAME_HEADER_BYTES + length - this.#held;
    const taken = Math.min(missing, chunk.length - at);
    this.#hold(chunk, at, at + taken);
    if (taken < missing) return -1;
    this.#held = 0;
    this.#emit(this.#partial, 0, length);
    return at + taken;
  }

  #hold(chunk: Uint8Array, start: number, end: number): void {
    this.#partial.set(chunk.subarray(start, end), this.#held);
    this.#held += end - start;
  }

  #emit(bytes: Uint8Array, at: number, length: number): void {
    const streamId =
      (((bytes[at + 5] ?? 0) & 0x7f) << 24) |
      ((bytes[at + 6] ?? 0) << 16) |
      ((bytes[at + 7] ?? 0) << 8) |
      (bytes[at + 8] ?? 0);
    const start = at + FRAME_HEADER_BYTES;
    this.#handler.onFrame(bytes[at + 3] ?? 0, bytes[at + 4] ?? 0, streamId, bytes, start, start + length);
  }
}

function payloadLength(bytes: Uint8Array, at: number): number {
  const length = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  if (length > MAX_FRAME_BYTES) throw new H2Error(H2_ERROR.frameSize, `frame of ${length} bytes`);
  return length;
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0
  );
}
