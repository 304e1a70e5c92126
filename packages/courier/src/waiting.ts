import { type SlotLinks, SlotQueue } from './slots.ts';

/** The pushes that wait for a connection: what is urgent first, then what is sent again, then the others as they came. */
export class Waiting {
  readonly #urgent: SlotQueue;
  readonly #again: SlotQueue;
  readonly #others: SlotQueue;

  constructor(slots: SlotLinks) {
    this.#urgent = new SlotQueue(slots);
    this.#again = new SlotQueue(slots, this.#urgent);
    this.#others = new SlotQueue(slots, this.#urgent);
  }

  get length(): number {
    return this.#urgent.length + this.#again.length + this.#others.length;
  }

  add(slot: number): void {
    this.#others.push(slot);
  }

  addAgain(slot: number): void {
    this.#again.push(slot);
  }

  /** The next to go, or -1. */
  take(): number {
    if (this.#urgent.length > 0) return this.#urgent.shift();
    return this.#again.length > 0 ? this.#again.shift() : this.#others.shift();
  }
}
