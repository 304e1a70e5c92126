import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import { keepApproved, type MessageValues } from './outcomes.ts';

const rowsPerWrite = 500;
const waitMs = 25;
/** When the store falls behind by more than this, approved messages are no longer kept rather than held in memory. */
const rowsWaitingMax = 20_000;

/** Writes approved messages behind the answers, many at a time. */
export class Kept {
  private readonly store: Store;
  private readonly events: Events;
  /** By app and id: of two versions of a message the newer is written. */
  private rows = new Map<string, MessageValues>();
  private writing = 0;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private lost = 0;

  constructor(store: Store, events: Events) {
    this.store = store;
    this.events = events;
  }

  add(row: MessageValues): void {
    if (this.rows.size + this.writing >= rowsWaitingMax) {
      this.lost++;
      return;
    }
    this.rows.set(keyOf(row[0], row[1]), row);
    if (this.rows.size >= rowsPerWrite) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), waitMs);
  }

  /** Whether this very message still waits to be written. */
  has(appId: string, id: string): boolean {
    return this.rows.has(keyOf(appId, id)) || this.writing > 0;
  }

  /** Settles when everything added before is in the store: whoever reads messages waits for it. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.rows.size === 0) return this.last;
    const rows = [...this.rows.values()];
    this.rows = new Map();
    this.writing += rows.length;
    const write = this.store
      .change(keepApproved, { rows })
      .catch((error) => this.events.broken('approved messages not kept', error, { count: String(rows.length) }))
      .finally(() => {
        this.writing -= rows.length;
      });
    this.last = Promise.all([this.last, write]).then(() => this.tellLost());
    return this.last;
  }

  private tellLost(): void {
    if (this.lost === 0) return;
    this.events.alarm('approved messages not kept', { count: this.lost });
    this.lost = 0;
  }
}

function keyOf(appId: string, id: string): string {
  return `${appId} ${id}`;
}
