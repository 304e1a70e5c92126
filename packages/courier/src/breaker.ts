import { backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';

/** Failures in a row that open it; a connection that cannot be made counts as several. */
const FAILURES_TO_OPEN = 20;
const FIRST_OPEN_MS = 1_000;
const OPEN_MS_MAX = 60_000;

/** Stops sending to a provider that fails, and tries it again with one push after a while, longer each time. */
export class Breaker {
  readonly #clock: Clock;
  readonly #random: () => number;
  #failures = 0;
  #timesOpened = 0;
  #openUntil = 0;
  #state: 'closed' | 'open' | 'halfOpen' = 'closed';

  constructor(clock: Clock, random: () => number = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  get state(): 'closed' | 'open' | 'halfOpen' {
    if (this.#state === 'open' && this.#clock.now() >= this.#openUntil) this.#state = 'halfOpen';
    return this.#state;
  }

  /** How long it stays open yet. */
  get remainingMs(): number {
    return this.state === 'open' ? Math.max(1, Math.ceil(this.#openUntil - this.#clock.now())) : 0;
  }

  success(): void {
    this.#failures = 0;
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#timesOpened = 0;
  }

  /** Answers true when this failure opened it. */
  failure(weight = 1): boolean {
    this.#failures += weight;
    const state = this.state;
    if (state === 'open' || (state === 'closed' && this.#failures < FAILURES_TO_OPEN)) return false;
    this.#openUntil = this.#clock.now() + backoffMs(this.#timesOpened, FIRST_OPEN_MS, OPEN_MS_MAX, this.#random);
    this.#timesOpened++;
    this.#failures = 0;
    this.#state = 'open';
    return true;
  }
}
