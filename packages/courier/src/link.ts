import type { Transport } from './h2/transport.ts';

/** One connection of a pool. */
export class Link {
  /** By the monotonic clock. */
  readonly openedAt: number;
  transport: Transport | undefined;
  /** The peer's settings are known. */
  ready = false;
  proven = false;
  retired = false;
  /** Counted as a failure to connect. */
  unfit = false;
  /** When the first credentials it sent were made (ms since 1970); 0 before that. */
  credentialsMs = 0;
  #stuckSince = -1;

  constructor(openedAt: number) {
    this.openedAt = openedAt;
  }

  takes(): void {
    this.#stuckSince = -1;
  }

  /** It takes nothing now: how long it has been so with nothing in flight, whose end would make room. */
  stuckMs(now: number): number {
    const isStuck = this.transport?.inFlight() === 0;
    if (!isStuck) this.#stuckSince = -1;
    else if (this.#stuckSince === -1) this.#stuckSince = now;
    return isStuck ? now - this.#stuckSince : -1;
  }
}
