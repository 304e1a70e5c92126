const WINDOW = 200;
const BAD_MIN = 25;
const BAD_SHARE = 0.5;

const OTHER = 0;
const BAD = 1;
const SENT = 2;

/**
 * Tells dead tokens from a mistake of ours. One bad token is a token's fault; when half of the latest answers say "bad token", our
 * environment, topic or project is wrong, and deleting them would throw a whole user base away.
 */
export class TokenWave {
  readonly #latest = new Uint8Array(WINDOW);
  #at = 0;
  #seen = 0;
  #bad = 0;
  #sent = 0;

  sent(): void {
    this.#note(SENT);
    this.#sent++;
  }

  bad(): void {
    this.#note(BAD);
    this.#bad++;
  }

  /** An answer that says nothing of tokens in general. */
  other(): void {
    this.#note(OTHER);
  }

  /** Whether bad tokens now mean a bad configuration. */
  get isWave(): boolean {
    return this.#bad >= BAD_MIN && this.#bad >= this.#seen * BAD_SHARE;
  }

  /**
   * Whether a bad token may be dropped: something of ours has got through of late. Until then a wrong environment cannot be told from
   * a dead token, and before there are enough answers for a wave it would cost a few tokens each time.
   */
  get mayDrop(): boolean {
    return this.#sent > 0;
  }

  clear(): void {
    this.#latest.fill(OTHER);
    this.#at = 0;
    this.#seen = 0;
    this.#bad = 0;
    this.#sent = 0;
  }

  #note(kind: number): void {
    const oldest = this.#latest[this.#at];
    if (oldest === SENT) this.#sent--;
    else if (oldest === BAD) this.#bad--;
    this.#latest[this.#at] = kind;
    this.#at = (this.#at + 1) % WINDOW;
    if (this.#seen < WINDOW) this.#seen++;
  }
}
