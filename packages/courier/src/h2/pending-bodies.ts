import { H2_ERROR, H2Error, MAX_WINDOW } from './protocol.ts';

interface Pending {
  readonly streamId: number;
  readonly bytes: Uint8Array;
  at: number;
  window: number;
}

/** Bodies that did not fit the peer's windows or frame size, and the window of the connection. */
export class PendingBodies {
  #connection = 65_535;
  readonly #bodies = new Map<number, Pending>();

  get connectionWindow(): number {
    return this.#connection;
  }

  get size(): number {
    return this.#bodies.size;
  }

  spend(bytes: number): void {
    this.#connection -= bytes;
  }

  hold(streamId: number, bytes: Uint8Array, window: number): void {
    this.#bodies.set(streamId, { streamId, bytes, at: 0, window });
  }

  /** Whether the stream's request has not gone out in full. */
  isPending(streamId: number): boolean {
    return this.#bodies.has(streamId);
  }

  drop(streamId: number): void {
    if (this.#bodies.size > 0) this.#bodies.delete(streamId);
  }

  growConnection(by: number): void {
    if (this.#connection + by > MAX_WINDOW) throw new H2Error(H2_ERROR.flowControl, 'connection window too large');
    this.#connection += by;
  }

  /** False when the peer grew the stream's window beyond what may be. */
  growStream(streamId: number, by: number): boolean {
    const body = this.#bodies.get(streamId);
    if (body === undefined) return true;
    body.window += by;
    return body.window <= MAX_WINDOW;
  }

  /** The peer changed its initial window: every open stream moves by the difference, and may go below 0. */
  shiftStreams(by: number): void {
    for (const body of this.#bodies.values()) {
      body.window += by;
      if (body.window > MAX_WINDOW) throw new H2Error(H2_ERROR.flowControl, 'stream window too large');
    }
  }

  /** Sends what the windows allow, oldest stream first. */
  pump(frameBytesMax: number, send: (streamId: number, part: Uint8Array, last: boolean) => void): void {
    for (const body of this.#bodies.values()) {
      while (body.window > 0 && this.#connection > 0) {
        const length = Math.min(body.window, this.#connection, frameBytesMax, body.bytes.length - body.at);
        const part = body.bytes.subarray(body.at, body.at + length);
        body.at += length;
        body.window -= length;
        this.#connection -= length;
        const last = body.at === body.bytes.length;
        if (last) this.#bodies.delete(body.streamId);
        send(body.streamId, part, last);
        if (last) break;
      }
      if (this.#connection <= 0) return;
    }
  }
}
