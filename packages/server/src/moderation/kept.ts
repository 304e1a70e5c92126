import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import { keepApproved } from './outcomes.ts';

const rowsPerWrite = 500;
const waitMs = 25;
/** When the store falls behind by more than this, approved messages are no longer kept rather than held in memory. */
const rowsWaitingMax = 20_000;

/** As JSON, by app and id: of two versions of a message the newer is written. */
type Batch = Map<string, Map<string, { body: string; at: number }>>;

/** Writes approved messages behind the answers, many at a time. */
export class Kept {
  private readonly store: Store;
  private readonly events: Events;
  private waiting: Batch = new Map();
  private readonly underWay = new Set<Batch>();
  private count = 0;
  private writing = 0;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private lost = 0;

  constructor(store: Store, events: Events) {
    this.store = store;
    this.events = events;
  }

  add(appId: string, id: string, body: string): void {
    if (this.count + this.writing >= rowsWaitingMax) {
      this.lost++;
      return;
    }
    let ofApp = this.waiting.get(appId);
    if (ofApp === undefined) {
      ofApp = new Map();
      this.waiting.set(appId, ofApp);
    }
    ofApp.set(id, { body, at: Date.now() });
    this.count++;
    if (this.count >= rowsPerWrite) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), waitMs);
  }

  /** Whether this very message is not in the store yet. */
  has(appId: string, id: string): boolean {
    for (const batch of [this.waiting, ...this.underWay]) if (batch.get(appId)?.has(id)) return true;
    return false;
  }

  /** Settles when everything added before is in the store: whoever reads messages waits for it. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.count === 0) return this.last;
    const { count } = this;
    const batch = this.waiting;
    const approved = [...batch].map(([appId, ofApp]) => {
      const messages = [...ofApp.values()];
      return { appId, bodies: messages.map(({ body }) => body), times: messages.map(({ at }) => at) };
    });
    this.waiting = new Map();
    this.underWay.add(batch);
    this.count = 0;
    this.writing += count;
    const write = this.store
      .change(keepApproved, { approved })
      .catch((error) => this.events.broken('approved messages not kept', error, { count: String(count) }))
      .finally(() => {
        this.underWay.delete(batch);
        this.writing -= count;
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
