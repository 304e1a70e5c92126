import type { Clock } from './clock.ts';

/** One timer for many who ask to be woken: it goes off at the earliest of their times. */
export class Alarm {
  readonly #clock: Clock;
  readonly #act: () => void;
  #cancel: (() => void) | undefined;
  #dueAt = 0;

  constructor(clock: Clock, act: () => void) {
    this.#clock = clock;
    this.#act = act;
  }

  in(ms: number): void {
    const wait = Math.max(1, ms);
    const dueAt = this.#clock.now() + wait;
    // Within a millisecond it is the same time, and not worth another timer.
    if (this.#cancel !== undefined && this.#dueAt < dueAt + 1) return;
    this.#cancel?.();
    this.#dueAt = dueAt;
    this.#cancel = this.#clock.after(wait, () => {
      this.#cancel = undefined;
      this.#act();
    });
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
