import { protocolError } from './control-frames.ts';
import { FLAG, H2_ERROR, H2Error } from './protocol.ts';

export const HEADER_BLOCK_MAX = 65_536;

export interface HeaderBlockHandler {
  onBlock(streamId: number, endStream: boolean, bytes: Uint8Array, start: number, end: number): void;
}

/** Puts header blocks together from HEADERS and CONTINUATION frames, without their padding and priority. */
export class HeaderBlocks {
  readonly #handler: HeaderBlockHandler;
  #open: { readonly streamId: number; readonly endStream: boolean; bytes: Buffer } | undefined;

  constructor(handler: HeaderBlockHandler) {
    this.#handler = handler;
  }

  /** While true, only a CONTINUATION may come. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  begin(flags: number, streamId: number, bytes: Uint8Array, start: number, end: number): void {
    let from = start;
    let to = end;
    if (flags & FLAG.padded) {
      if (end === start) throw new H2Error(H2_ERROR.frameSize, 'no room for the padding length');
      to -= bytes[from] ?? 0;
      from += 1;
    }
    if (flags & FLAG.priority) from += 5;
    if (from > to) throw protocolError('padding longer than its frame');
    const endStream = (flags & FLAG.endStream) !== 0;
    if (flags & FLAG.endHeaders) {
      this.#handler.onBlock(streamId, endStream, bytes, from, to);
      return;
    }
    this.#open = { streamId, endStream, bytes: Buffer.from(bytes.subarray(from, to)) };
  }

  continue(flags: number, streamId: number, bytes: Uint8Array, start: number, end: number): void {
    const open = this.#open;
    if (open === undefined || open.streamId !== streamId) throw protocolError('continuation of nothing');
    if (open.bytes.length + end - start > HEADER_BLOCK_MAX) {
      throw new H2Error(H2_ERROR.enhanceYourCalm, 'header block too large');
    }
    open.bytes = Buffer.concat([open.bytes, bytes.subarray(start, end)]);
    if ((flags & FLAG.endHeaders) === 0) return;
    this.#open = undefined;
    this.#handler.onBlock(streamId, open.endStream, open.bytes, 0, open.bytes.length);
  }
}
