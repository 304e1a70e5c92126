import type { OnOutcome, Outcome } from './outcome.ts';
import { Slots } from './slots.ts';

/** The account of every push taken: opened once, settled once. */
export class Ledger<Target, Message> {
  readonly slots: Slots<Target, Message>;
  readonly #max: number;
  readonly #drainListeners = new Set<() => void>();
  readonly #emptyListeners: (() => void)[] = [];
  #wasFull = false;
  #closed = false;

  constructor(max: number, packedBytes: number) {
    this.#max = max;
    this.slots = new Slots(packedBytes);
  }

  /** A slot for the push, or -1 when there is no room. */
  open(message: Message, context: number, onOutcome: OnOutcome, isUrgent: boolean): number {
    if (this.#closed) return -1;
    if (this.slots.taken >= this.#max) {
      this.#wasFull = true;
      return -1;
    }
    return this.slots.take(message, context, onOutcome, isUrgent);
  }

  settle(slot: number, outcome: Outcome): void {
    const onOutcome = this.slots.onOutcome(slot);
    const context = this.slots.context(slot);
    this.slots.free(slot);
    try {
      onOutcome(context, outcome);
    } catch (error) {
      // The caller's mistake must surface, but not in the middle of reading a frame.
      queueMicrotask(() => {
        throw error;
      });
    }
    if (this.#wasFull && this.slots.taken <= this.#max / 2) this.tellDrain();
    if (this.slots.taken === 0) for (const listener of this.#emptyListeners.splice(0)) listener();
  }

  room(): number {
    return this.#closed ? 0 : Math.max(0, this.#max - this.slots.taken);
  }

  onDrain(listener: () => void): () => void {
    this.#drainListeners.add(listener);
    return () => this.#drainListeners.delete(listener);
  }

  /** Tells, in a moment, that there is room again. */
  tellDrain(): void {
    this.#wasFull = false;
    setImmediate(() => {
      for (const listener of [...this.#drainListeners]) listener();
    });
  }

  /** Takes nothing more; resolves when all that was taken is settled. */
  async finish(): Promise<void> {
    this.#closed = true;
    if (this.slots.taken === 0) return;
    await new Promise<void>((resolve) => this.#emptyListeners.push(resolve));
  }
}
