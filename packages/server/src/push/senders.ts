import { ApnsHubs, type CourierEvent } from '@gatehouse/courier';
import type { Keyring } from '../store/seal.ts';
import type { Store } from '../store/store.ts';
import type { Outside } from '../webhooks/outside.ts';
import { BrokenOutlet } from './broken-outlet.ts';
import { type Outlet, openOutlet } from './outlets.ts';
import { findProvider, laneOf, type ProviderKind, type ProviderRow, placeOf } from './provider.ts';

export interface SendersOptions {
  outside: Outside;
  privateHosts: readonly string[];
  apnsHost: string | undefined;
  fcmHost: string | undefined;
  ca: string | undefined;
  region: string;
  /** Told when a vendor fails, and when it answers again. */
  onEvent: (event: CourierEvent) => void;
}

const closeMs = 500;

interface Opened {
  outlet: Outlet;
  /** What it was opened with: anything else needs another. */
  made: string;
  isStale: boolean;
}

/** The open outlets of every provider. A changed key acts on the next push: the outlet is made anew, the old one finishes what it has. */
export class Senders {
  private readonly opened = new Map<string, Opened>();
  private readonly hubs = new ApnsHubs();
  private readonly store: Store;
  private readonly keyring: Keyring;
  private readonly options: SendersOptions;

  constructor(store: Store, keyring: Keyring, options: SendersOptions) {
    this.store = store;
    this.keyring = keyring;
    this.options = options;
    store.onTouch((topic) => {
      for (const [lane, opened] of this.opened)
        if (topic === undefined || topic === `providers:${lane.slice(0, lane.indexOf(':'))}`) opened.isStale = true;
    });
  }

  /** Undefined when there is no such provider (any more). */
  async get(appId: string, kind: ProviderKind, providerId: string): Promise<Outlet | undefined> {
    const lane = laneOf(appId, kind, providerId);
    const known = this.opened.get(lane);
    if (known !== undefined && !known.isStale) return known.outlet;
    const row = await findProvider(this.store, appId, kind, providerId);
    // Somebody else may have opened it while we were reading.
    const current = this.opened.get(lane);
    const made = row && `${row.updated_at} ${row.settings} ${row.sealed}`;
    if (current !== undefined && current.made === made) {
      current.isStale = false;
      return current.outlet;
    }
    this.opened.delete(lane);
    void current?.outlet.close();
    if (row === undefined || made === undefined) return undefined;
    const outlet = this.open(appId, row);
    this.opened.set(lane, { outlet, made, isStale: false });
    return outlet;
  }

  /**
   * The next push asks the store whether the provider is still as it was. One that stopped may be resumed from another process,
   * and its lane then runs a moment before we hear why.
   */
  doubt(appId: string, kind: ProviderKind, providerId: string): void {
    const known = this.opened.get(laneOf(appId, kind, providerId));
    if (known !== undefined) known.isStale = true;
  }

  /** At the end of the process. Whoever sent has waited already, and hears of no answer any more. */
  async close(): Promise<void> {
    await Promise.all([...this.opened.values()].map(({ outlet }) => outlet.close(closeMs)));
    this.opened.clear();
  }

  private open(appId: string, row: ProviderRow): Outlet {
    try {
      const secret = this.keyring.open(row.sealed, placeOf(appId, row.kind, row.provider_id));
      return openOutlet(row, secret, { ...this.options, appId, hubs: this.hubs });
    } catch (error) {
      // A file that cannot be read now is read later; what is wrong in the store stays wrong until somebody mends it.
      if (error instanceof Error && 'syscall' in error) throw error;
      const why = error instanceof Error ? error.message : String(error);
      return new BrokenOutlet(`The provider cannot be opened: ${why.replace(/\.$/, '')}. Replace it with its secret.`);
    }
  }
}
