const WINDOW = 200;
const BAD_MIN = 25;
const BAD_SHARE = 0.5;

/**
 * Tells dead tokens from a mistake of ours. One bad token is a token's fault; when half of the latest answers say "bad token", our
 * environment, topic or project is wrong, and deleting them would throw a whole user base away.
 */
export class TokenWave {
  readonly #latest = new Uint8Array(WINDOW);
  #at = 0;
  #seen = 0;
  #bad = 0;

  note(bad: boolean): void {
    this.#bad += (bad ? 1 : 0) - (this.#latest[this.#at] ?? 0);
    this.#latest[this.#at] = bad ? 1 : 0;
    this.#at = (this.#at + 1) % WINDOW;
    if (this.#seen < WINDOW) this.#seen++;
  }

  /** Whether bad tokens now mean a bad configuration. */
  get isWave(): boolean {
    return this.#bad >= BAD_MIN && this.#bad >= this.#seen * BAD_SHARE;
  }

  clear(): void {
    this.#latest.fill(0);
    this.#at = 0;
    this.#seen = 0;
    this.#bad = 0;
  }
}
