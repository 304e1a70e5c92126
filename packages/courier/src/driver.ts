import type { Answer } from './h2/answer.ts';
import type { RequestSource, Transport, TransportEvents } from './h2/transport.ts';
import type { Link } from './link.ts';
import type { Outcome } from './outcome.ts';
import type { CourierEvent, Pause } from './sender.ts';
import type { SlotLinks } from './slots.ts';

/** What a pool needs of the account. */
export interface PoolLedger {
  readonly slots: SlotLinks & { countAttempt(slot: number): number };
  settle(slot: number, outcome: Outcome): void;
  tellDrain(): void;
}

/** What one vendor's protocol adds to a pool of connections. */
export interface Driver {
  /** Whether a push could go now; if not, the driver calls `pool.wake()` when it can. */
  ready(): boolean;
  /** Requests for one connection, which has its own credentials. */
  source(link: Link): RequestSource;
  /** What an answer means. */
  judge(slot: number, answer: Answer, link: Link): Outcome;
  /** The id that a lost push is reported with. */
  idOf(slot: number): string;
  /** Makes a message smaller that the provider found too large; false when that cannot be done. */
  shrink(slot: number): boolean;
  /** True when a refusal concerns this push's app alone, and the driver has seen to it: the pool goes on for the others. */
  pausesAlone(slot: number, outcome: Outcome): boolean;
  /** The pause of this push's app alone. It is asked for each push that goes out. */
  heldBy(slot: number): Pause | undefined;
}

export interface PoolOptions {
  readonly provider: CourierEvent['provider'];
  readonly origin: string;
  readonly connectionsMax: number;
  /** One stream until the first answer that was not a refusal of our credentials. */
  readonly proveFirst: boolean;
  /** The vendor's least wait before a retry. */
  readonly retryFloorMs: number;
  readonly timeoutMs: number | undefined;
  readonly open: (source: RequestSource, events: TransportEvents) => Promise<Transport>;
  readonly onEvent: ((event: CourierEvent) => void) | undefined;
}
