import type { Transport } from './h2/transport.ts';

/** One connection of a pool. */
export class Link {
  readonly openedAtMs: number;
  transport: Transport | undefined;
  /** The peer's settings are known. */
  ready = false;
  proven = false;
  retired = false;
  constructor(openedAtMs: number) {
    this.openedAtMs = openedAtMs;
  }
}
