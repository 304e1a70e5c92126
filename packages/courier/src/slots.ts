import type { OnOutcome } from './outcome.ts';

const PAGE_BITS = 13;
const PAGE = 1 << PAGE_BITS;
const INDEX = PAGE - 1;

interface Page<Target> {
  readonly contexts: Float64Array;
  readonly next: Int32Array;
  readonly attempts: Uint8Array;
  readonly urgent: Uint8Array;
  readonly packed: Uint8Array;
  readonly batches: Int32Array;
  targets: (Target | undefined)[] | undefined;
}

/** What pushes that were handed in together share. */
interface Batch<Message> {
  readonly message: Message;
  readonly onOutcome: OnOutcome;
  pushes: number;
}

/**
 * The pushes a sender holds, each under a small number: typed arrays in pages, no object a push. `packedBytes` of each slot are the
 * sender's own (APNs keeps token and id there). `next` chains free slots, and queues of taken ones.
 */
export class Slots<Target, Message> {
  readonly #pages: Page<Target>[] = [];
  readonly #packedBytes: number;
  readonly #batches: (Batch<Message> | undefined)[] = [];
  readonly #freeBatches: number[] = [];
  #latestBatch = -1;
  #free = -1;
  #taken = 0;

  constructor(packedBytes: number) {
    this.#packedBytes = packedBytes;
  }

  get taken(): number {
    return this.#taken;
  }

  take(message: Message, context: number, onOutcome: OnOutcome, isUrgent: boolean): number {
    if (this.#free === -1) this.#addPage();
    const slot = this.#free;
    const page = this.#page(slot);
    const index = slot & INDEX;
    this.#free = page.next[index] ?? -1;
    page.next[index] = -1;
    page.attempts[index] = 0;
    page.urgent[index] = isUrgent ? 1 : 0;
    page.contexts[index] = context;
    page.batches[index] = this.#join(message, onOutcome);
    this.#taken++;
    return slot;
  }

  free(slot: number): void {
    const page = this.#page(slot);
    const index = slot & INDEX;
    this.#leave(page.batches[index] ?? -1);
    if (page.targets !== undefined) page.targets[index] = undefined;
    page.next[index] = this.#free;
    this.#free = slot;
    this.#taken--;
  }

  context(slot: number): number {
    return this.#page(slot).contexts[slot & INDEX] ?? 0;
  }

  onOutcome(slot: number): OnOutcome {
    return this.#batch(slot).onOutcome;
  }

  message(slot: number): Message {
    return this.#batch(slot).message;
  }

  setMessage(slot: number, message: Message): void {
    const page = this.#page(slot);
    const before = page.batches[slot & INDEX] ?? -1;
    page.batches[slot & INDEX] = this.#join(message, this.#batch(slot).onOutcome);
    this.#leave(before);
  }

  target(slot: number): Target | undefined {
    return this.#page(slot).targets?.[slot & INDEX];
  }

  setTarget(slot: number, target: Target): void {
    const page = this.#page(slot);
    page.targets ??= new Array<Target | undefined>(PAGE).fill(undefined);
    page.targets[slot & INDEX] = target;
  }

  /** The page's packed bytes; this slot's begin at `packedAt(slot)`. */
  packed(slot: number): Uint8Array {
    return this.#page(slot).packed;
  }

  packedAt(slot: number): number {
    return (slot & INDEX) * this.#packedBytes;
  }

  /** How often it was sent again without its caller knowing. */
  countAttempt(slot: number): number {
    const page = this.#page(slot);
    const index = slot & INDEX;
    page.attempts[index] = (page.attempts[index] ?? 0) + 1;
    return page.attempts[index] ?? 0;
  }

  isUrgent(slot: number): boolean {
    return this.#page(slot).urgent[slot & INDEX] === 1;
  }

  next(slot: number): number {
    return this.#page(slot).next[slot & INDEX] ?? -1;
  }

  setNext(slot: number, next: number): void {
    this.#page(slot).next[slot & INDEX] = next;
  }

  #page(slot: number): Page<Target> {
    const page = this.#pages[slot >> PAGE_BITS];
    if (page === undefined) throw new Error(`no slot ${slot}`);
    return page;
  }

  #batch(slot: number): Batch<Message> {
    const batch = this.#batches[this.#page(slot).batches[slot & INDEX] ?? -1];
    if (batch === undefined) throw new Error(`slot ${slot} is free`);
    return batch;
  }

  /** The batch of this message and callback: the latest one, or a new one. */
  #join(message: Message, onOutcome: OnOutcome): number {
    const latest = this.#batches[this.#latestBatch];
    if (latest !== undefined && latest.message === message && latest.onOutcome === onOutcome) {
      latest.pushes++;
      return this.#latestBatch;
    }
    const number = this.#freeBatches.pop() ?? this.#batches.length;
    this.#batches[number] = { message, onOutcome, pushes: 1 };
    this.#latestBatch = number;
    return number;
  }

  #leave(number: number): void {
    const batch = this.#batches[number];
    if (batch === undefined) return;
    batch.pushes--;
    if (batch.pushes > 0) return;
    this.#batches[number] = undefined;
    this.#freeBatches.push(number);
    if (this.#latestBatch === number) this.#latestBatch = -1;
  }

  #addPage(): void {
    const first = this.#pages.length * PAGE;
    const next = new Int32Array(PAGE);
    for (let i = 0; i < PAGE; i++) next[i] = i === PAGE - 1 ? -1 : first + i + 1;
    this.#pages.push({
      contexts: new Float64Array(PAGE),
      next,
      attempts: new Uint8Array(PAGE),
      urgent: new Uint8Array(PAGE),
      packed: new Uint8Array(PAGE * this.#packedBytes),
      batches: new Int32Array(PAGE).fill(-1),
      targets: undefined,
    });
    this.#free = first;
  }
}

export interface SlotLinks {
  next(slot: number): number;
  setNext(slot: number, next: number): void;
  isUrgent(slot: number): boolean;
}

/** A first-in, first-out queue of slots that lives in their `next` links. With an urgent queue beside it, what is urgent goes there. */
export class SlotQueue {
  readonly #slots: SlotLinks;
  readonly #urgent: SlotQueue | undefined;
  #head = -1;
  #tail = -1;
  #length = 0;

  constructor(slots: SlotLinks, urgent?: SlotQueue) {
    this.#slots = slots;
    this.#urgent = urgent;
  }

  get length(): number {
    return this.#length;
  }

  push(slot: number): void {
    if (this.#urgent !== undefined && this.#slots.isUrgent(slot)) {
      this.#urgent.push(slot);
      return;
    }
    this.#slots.setNext(slot, -1);
    if (this.#tail === -1) this.#head = slot;
    else this.#slots.setNext(this.#tail, slot);
    this.#tail = slot;
    this.#length++;
  }

  /** The oldest, or -1. */
  shift(): number {
    const slot = this.#head;
    if (slot === -1) return -1;
    this.#head = this.#slots.next(slot);
    if (this.#head === -1) this.#tail = -1;
    this.#length--;
    return slot;
  }
}
