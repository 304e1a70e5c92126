import { H2_ERROR, H2Error } from './protocol.ts';

/** Frames that answer nothing: a peer may send this many, some more for each request, and as many again every second. */
const START = 10_000;
const MAX = START * 2;
const PER_REQUEST = 4;

/** Tells an honest peer's pings, settings and window updates from a flood of them. */
export class FrameBudget {
  #left = START;

  earn(): void {
    if (this.#left < MAX) this.#left += PER_REQUEST;
  }

  refill(passedMs: number): void {
    this.#left = Math.min(MAX, this.#left + (START * passedMs) / 1000);
  }

  spend(): void {
    this.#left--;
    if (this.#left < 0) throw new H2Error(H2_ERROR.enhanceYourCalm, 'too many frames that answer nothing');
  }
}
