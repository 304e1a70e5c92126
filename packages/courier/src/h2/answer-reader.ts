import { protocolError } from './control-frames.ts';
import type { HeaderBlockHandler } from './header-blocks.ts';
import { readStatus } from './hpack-decode.ts';
import { PartialAnswers } from './partial-answers.ts';
import { DEFAULT_WINDOW, FLAG, H2_ERROR, H2Error } from './protocol.ts';
import type { StreamRing } from './stream-ring.ts';

const EMPTY = new Uint8Array(0);

/** What the reader asks of its connection. */
export interface AnswerHost {
  deliver(id: number, status: number, block: Uint8Array, start: number, end: number, body: Uint8Array): void;
  breakStream(id: number, what: string): void;
  reset(id: number, code: number): void;
  windowUpdate(id: number, by: number): void;
  spendIdleFrame(): void;
}

/**
 * Makes answers of header blocks and DATA frames. The usual ones, a head alone or a head with its body right behind it in the same
 * chunk, are handed over in place; only an answer that comes in pieces is copied.
 */
export class AnswerReader implements HeaderBlockHandler {
  readonly #ring: StreamRing;
  readonly #host: AnswerHost;
  readonly #bytesMax: number;
  readonly #partials = new PartialAnswers();
  #chunk: Uint8Array = EMPTY;
  /** The stream whose head was the latest frame, and where that head lies in the chunk. */
  #headId = 0;
  #headStatus = 0;
  #headStart = 0;
  #headEnd = 0;

  constructor(ring: StreamRing, host: AnswerHost, bytesMax: number) {
    this.#ring = ring;
    this.#host = host;
    this.#bytesMax = bytesMax;
  }

  beginChunk(chunk: Uint8Array): void {
    this.#chunk = chunk;
  }

  endChunk(): void {
    this.#chunk = EMPTY;
    this.#headId = 0;
  }

  /** Whether the latest frame was this stream's head. */
  awaitsBody(id: number): boolean {
    return this.#headId === id;
  }

  /** The latest head's body does not follow right behind: copy the head. */
  keepHead(): void {
    if (this.#headId === 0) return;
    this.#partials.begin(this.#headId, this.#headStatus, this.#chunk.subarray(this.#headStart, this.#headEnd));
    this.#headId = 0;
  }

  /** The stream ended some other way. */
  drop(id: number): void {
    this.#partials.drop(id);
    if (this.#headId === id) this.#headId = 0;
  }

  onBlock(id: number, endStream: boolean, bytes: Uint8Array, start: number, end: number): void {
    const host = this.#host;
    const status = readStatus(bytes, start, end);
    if (!this.#ring.has(id)) host.spendIdleFrame();
    else if (this.#partials.has(id)) {
      // Trailers: nothing in them matters, but they must end the answer.
      if (endStream) this.#finish(id);
      else host.breakStream(id, 'trailers that do not end');
    } else if (status === 0) host.breakStream(id, 'answer without status');
    else if (status < 200) {
      if (endStream) host.breakStream(id, 'interim answer that ends');
      else host.spendIdleFrame();
    } else if (endStream) host.deliver(id, status, bytes, start, end, EMPTY);
    else if (bytes !== this.#chunk) this.#partials.begin(id, status, bytes.subarray(start, end));
    else {
      this.#headId = id;
      this.#headStatus = status;
      this.#headStart = start;
      this.#headEnd = end;
    }
  }

  onData(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    let from = start;
    let to = end;
    if (flags & FLAG.padded) {
      if (length === 0) throw new H2Error(H2_ERROR.frameSize, 'no room for the padding length');
      to -= bytes[from] ?? 0;
      from += 1;
      if (from > to) throw protocolError('padding longer than its frame');
    }
    if (length === 0 || !this.#ring.has(id)) this.#host.spendIdleFrame();
    if (!this.#ring.has(id)) return;
    const left = this.#ring.receive(id, length);
    if (left < 0) throw new H2Error(H2_ERROR.flowControl, 'stream window overrun');
    const endStream = (flags & FLAG.endStream) !== 0;
    if (this.#headId === id && endStream && bytes === this.#chunk) {
      this.#headId = 0;
      this.#host.deliver(id, this.#headStatus, bytes, this.#headStart, this.#headEnd, bytes.subarray(from, to));
      return;
    }
    this.keepHead();
    this.#append(id, bytes.subarray(from, to), endStream, left);
  }

  #append(id: number, part: Uint8Array, endStream: boolean, left: number): void {
    if (!this.#partials.has(id)) {
      this.#host.breakStream(id, 'body before its head');
      return;
    }
    const held = this.#partials.append(id, part);
    if (endStream) this.#finish(id);
    else if (held > this.#bytesMax) {
      // The status says all that matters; refuse the rest of a body without end.
      this.#host.reset(id, H2_ERROR.cancel);
      this.#finish(id);
    } else if (left < DEFAULT_WINDOW / 2) {
      this.#ring.receive(id, left - DEFAULT_WINDOW);
      this.#host.windowUpdate(id, DEFAULT_WINDOW - left);
    }
  }

  #finish(id: number): void {
    const answer = this.#partials.take(id);
    if (answer === undefined) return;
    this.#host.deliver(id, answer.status, answer.block, 0, answer.block.length, answer.body);
  }
}
