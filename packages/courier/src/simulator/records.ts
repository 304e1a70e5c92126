import { AcceptedIds } from './accepted-ids.ts';

/** One push as the provider saw it. */
export interface PushRecord {
  readonly id: string;
  readonly target: string;
  readonly status: number;
  readonly reason: string;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RecordCounts {
  readonly received: number;
  readonly accepted: number;
  /** Accepted more than once under the same id. */
  readonly duplicated: number;
  readonly byReason: Readonly<Record<string, number>>;
}

/** How a sender's account of what was sent compares with what the provider accepted. */
export interface Comparison {
  /** Told as sent, and never accepted. */
  readonly lost: number;
  /** Accepted more than once. */
  readonly duplicated: number;
  /** Accepted, and not among those told as sent. */
  readonly unclaimed: number;
}

/** What a simulated provider got: counts of everything, how often each id was accepted, and the latest pushes in full. */
export class Records {
  readonly #latest: PushRecord[] = [];
  readonly #latestMax: number;
  readonly #accepted = new AcceptedIds();
  readonly #byReason = new Map<string, number>();
  #received = 0;
  #acceptedCount = 0;
  #duplicated = 0;

  constructor(latestMax: number) {
    this.#latestMax = latestMax;
  }

  get keepsLatest(): boolean {
    return this.#latestMax > 0;
  }

  count(id: string, isAccepted: boolean, reason: string): void {
    this.#received++;
    if (reason !== '') this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + 1);
    if (!isAccepted) return;
    this.#acceptedCount++;
    if (this.#accepted.add(id) > 0) this.#duplicated++;
  }

  keep(record: PushRecord): void {
    this.#latest.push(record);
    if (this.#latest.length > this.#latestMax * 2) this.#latest.splice(0, this.#latestMax);
  }

  /** How often this id was accepted. */
  acceptedTimes(id: string): number {
    return this.#accepted.times(id);
  }

  acceptedIds(): IterableIterator<string> {
    return this.#accepted.ids();
  }

  /** Compares with the ids a sender says were sent. */
  compare(sentIds: Iterable<string>): Comparison {
    const claimed = new AcceptedIds();
    let lost = 0;
    for (const id of sentIds) if (claimed.add(id) === 0 && this.#accepted.times(id) === 0) lost++;
    let duplicated = 0;
    let unclaimed = 0;
    for (const id of this.#accepted.ids()) {
      if (this.#accepted.times(id) > 1) duplicated++;
      if (claimed.times(id) === 0) unclaimed++;
    }
    return { lost, duplicated, unclaimed };
  }

  /** The latest pushes, newest last. */
  latest(): PushRecord[] {
    return this.#latest.slice(-this.#latestMax);
  }

  counts(): RecordCounts {
    return {
      received: this.#received,
      accepted: this.#acceptedCount,
      duplicated: this.#duplicated,
      byReason: Object.fromEntries(this.#byReason),
    };
  }

  clear(): void {
    this.#latest.length = 0;
    this.#accepted.clear();
    this.#byReason.clear();
    this.#received = 0;
    this.#acceptedCount = 0;
    this.#duplicated = 0;
  }
}
