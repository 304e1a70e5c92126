import { type Clock, systemClock } from '../src/clock.ts';
import type { Outcome } from '../src/index.ts';

export const TOKEN = 'ab'.repeat(32);

/** A clock that moves only when told to. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<{ at: number; every: number; act: () => void }>();

  constructor(epochMs = 1_760_000_000_000) {
    this.#nowMs = epochMs;
  }

  now(): number {
    return this.#nowMs;
  }

  epochMs(): number {
    return this.#nowMs;
  }

  every(ms: number, act: () => void): () => void {
    return this.#add(ms, ms, act);
  }

  after(ms: number, act: () => void): () => void {
    return this.#add(ms, 0, act);
  }

  /** Lives through `ms`, calling what comes due on the way. */
  pass(ms: number): void {
    const end = this.#nowMs + ms;
    for (;;) {
      let first: { at: number; every: number; act: () => void } | undefined;
      for (const timer of this.#timers)
        if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
      if (first === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, first.at);
      if (first.every > 0) first.at += first.every;
      else this.#timers.delete(first);
      first.act();
    }
    this.#nowMs = end;
  }

  /** Lives through `ms` as a process that was stopped for that long: what came due on the way is called once, at the end. */
  stall(ms: number): void {
    this.#nowMs += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#nowMs) continue;
      if (timer.every > 0) timer.at = this.#nowMs + timer.every;
      else this.#timers.delete(timer);
      timer.act();
    }
  }

  #add(ms: number, every: number, act: () => void): () => void {
    const timer = { at: this.#nowMs + ms, every, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}

/** Real timers, but a wall clock that can be set: what APNs and FCM read in tokens. */
export class ShiftedClock implements Clock {
  shiftMs = 0;
  now(): number {
    return systemClock.now();
  }
  epochMs(): number {
    return systemClock.epochMs() + this.shiftMs;
  }
  every(ms: number, act: () => void): () => void {
    return systemClock.every(ms, act);
  }
  after(ms: number, act: () => void): () => void {
    return systemClock.after(ms, act);
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** The outcomes of `count` pushes sent at once. */
export function outcomesOf(
  count: number,
  send: (push: number, onOutcome: (push: number, outcome: Outcome) => void) => boolean,
): Promise<Outcome[]> {
  return new Promise((resolve) => {
    const outcomes: Outcome[] = [];
    for (let push = 0; push < count; push++) {
      const isTaken = send(push, (_push, outcome) => {
        outcomes.push(outcome);
        if (outcomes.length === count) resolve(outcomes);
      });
      if (!isTaken) throw new Error(`push ${push} was not taken`);
    }
  });
}
