import type { Clock } from './clock.ts';

/** Share of the full rate a ramp begins with: none at all would never send the first push. */
const RAMP_START = 0.02;
/** Tokens kept, at most: what this long earns. */
const BURST_MS = 250;
/** Without a ramp: from nothing to the full rate again after the provider said too much. */
const RECOVER_MS = 60_000;

export interface PacerOptions {
  readonly perMinute: number;
  /** From a standing start to the full rate over this long. 0: no ramp. */
  readonly rampMs: number;
}

/** Keeps a provider's rate: a bucket that fills at a rate which ramps up from a standing start and is cut when the provider says so. */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #clock: Clock;
  #tokens = 1;
  #filledAt: number;
  #share: number;
  #usedAt: number;

  constructor(options: PacerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#filledAt = clock.now();
    this.#usedAt = this.#filledAt;
    this.#share = options.rampMs === 0 ? 1 : RAMP_START;
  }

  /** How many pushes may go now, at most `wanted`; they count as sent. */
  take(wanted: number): number {
    this.#fill();
    const granted = Math.min(wanted, Math.floor(this.#tokens));
    this.#tokens -= granted;
    if (granted > 0) this.#usedAt = this.#filledAt;
    return granted;
  }

  /** Gives back what was taken and not used. */
  giveBack(count: number): void {
    this.#tokens += count;
  }

  /** When there will be another token. */
  waitMs(): number {
    this.#fill();
    return this.#tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - this.#tokens) / this.#rate()));
  }

  /** The provider said too much: half the rate, and up again slowly. */
  slowDown(): void {
    this.#share = Math.max(RAMP_START, this.#share / 2);
    this.#tokens = Math.min(this.#tokens, 0);
  }

  #rate(): number {
    return (this.#options.perMinute / 60_000) * this.#share;
  }

  #fill(): void {
    const now = this.#clock.now();
    const passed = now - this.#filledAt;
    if (passed <= 0) return;
    const { rampMs } = this.#options;
    // A rate nobody used is no longer warm.
    if (rampMs > 0 && now - this.#usedAt > rampMs) this.#share = RAMP_START;
    else if (this.#share < 1) this.#share = Math.min(1, this.#share + passed / (rampMs || RECOVER_MS));
    this.#tokens = Math.min(Math.max(1, this.#rate() * BURST_MS), this.#tokens + this.#rate() * passed);
    this.#filledAt = now;
  }
}
