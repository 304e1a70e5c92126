import type { Events } from '../events.ts';
import type { Store, Tx } from '../store/store.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Uploads of lists that nothing refers to after this long were cut off. */
const uploadMs = hourMs;
const roundMs = 60_000;
const rowsPerStep = 500;
/** How many messages are counted before everybody else gets the thread. */
const countedPerStep = 2000;
/** Between two steps everybody else gets the store. */
const pauseMs = 20;

export interface RetentionOptions {
  /** Entries of the review queues; 0 keeps them for ever. */
  reviewDays: number;
  approvedHours: number;
  backtestDays: number;
  /** Approved messages an app. */
  approvedMax: number;
}

type Place = { sent_at: number; id: string };

/** Removes what is old, a few hundred rows at a time, in the background. */
export class Retention {
  private readonly store: Store;
  private readonly events: Events;
  private readonly options: RetentionOptions;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(store: Store, events: Events, options: RetentionOptions) {
    this.store = store;
    this.events = events;
    this.options = options;
  }

  start(): void {
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.round());
    }, roundMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Everything that is due now. */
  async round(now = Date.now()): Promise<void> {
    const { reviewDays, approvedHours, backtestDays, approvedMax } = this.options;
    const approvedMs = Math.max(approvedHours * hourMs, backtestDays * dayMs);
    try {
      await this.inSteps('approved', now - approvedMs);
      await this.trim(approvedMax);
      if (reviewDays > 0) {
        await this.inSteps('disapproved', now - reviewDays * dayMs);
        await this.inSteps('entries', now - reviewDays * dayMs);
        await this.inSteps('flags', now - reviewDays * dayMs);
      }
      await this.inSteps('uploads', now - uploadMs);
    } catch (error) {
      this.events.broken('old records not removed', error);
    }
  }

  private async inSteps(what: keyof typeof deletions, before: number): Promise<void> {
    await this.repeat(() => this.store.change(removeOld, { what, before }));
  }

  private async repeat(step: () => Promise<number>): Promise<void> {
    while (!this.stopped && (await step()) === rowsPerStep) await new Promise((go) => setTimeout(go, pauseMs));
  }

  /** An app keeps so many approved messages at most: the oldest go. */
  private async trim(approvedMax: number): Promise<void> {
    const apps = await this.store.all<{ id: string }>('SELECT id FROM apps');
    for (const { id: appId } of apps) {
      const first = await this.findSurplus(appId, approvedMax);
      if (first === undefined) continue;
      await this.repeat(() => this.store.change(removeSurplus, { appId, sentAt: first.sent_at, id: first.id }));
    }
  }

  /** The newest approved message that is one too many. */
  private async findSurplus(appId: string, approvedMax: number): Promise<Place | undefined> {
    // Most apps have fewer messages of any kind, which the index alone tells.
    const some = await this.store.get(
      'SELECT id FROM messages WHERE app_id = $1 ORDER BY sent_at DESC, id DESC LIMIT 1 OFFSET $2',
      [appId, approvedMax],
    );
    let place: Place | undefined = some && { sent_at: Number.MAX_SAFE_INTEGER, id: '\uffff' };
    let left = approvedMax;
    for (; place !== undefined && left > countedPerStep && !this.stopped; left -= countedPerStep) {
      place = await this.findApproved(appId, place, countedPerStep - 1);
      await new Promise((go) => setImmediate(go));
    }
    return place && this.findApproved(appId, place, left);
  }

  private findApproved(appId: string, before: Place, skipped: number): Promise<Place | undefined> {
    return this.store.get<Place>(
      `SELECT sent_at, id FROM messages WHERE app_id = $1 AND status = 'approved' AND (sent_at, id) < ($2, $3)
       ORDER BY sent_at DESC, id DESC LIMIT 1 OFFSET $4`,
      [appId, before.sent_at, before.id, skipped],
    );
  }
}

const deletions = {
  // From when it was approved: that may be long after it was blocked.
  approved: `DELETE FROM messages WHERE (app_id, id) IN (
    SELECT app_id, id FROM messages WHERE status = 'approved' AND created_at < $1 AND updated_at < $1 ORDER BY created_at LIMIT ${rowsPerStep})`,
  disapproved: `DELETE FROM messages WHERE (app_id, id) IN (
    SELECT app_id, id FROM messages WHERE status = 'disapproved' AND created_at < $1 ORDER BY created_at LIMIT ${rowsPerStep})`,
  // An entry that a new reporter opened again is as young as that.
  entries: `DELETE FROM review_entries WHERE (app_id, kind, id) IN (
    SELECT app_id, kind, id FROM review_entries WHERE created_at < $1 AND (kind <> 'flagged' OR updated_at < $1) ORDER BY created_at LIMIT ${rowsPerStep})`,
  flags: `DELETE FROM message_flags WHERE (app_id, message_id, uid) IN (
    SELECT app_id, message_id, uid FROM message_flags f WHERE flagged_at < $1 AND NOT EXISTS (
      SELECT 1 FROM review_entries e WHERE e.app_id = f.app_id AND e.kind = 'flagged' AND e.id = f.message_id) LIMIT ${rowsPerStep})`,
  uploads: `DELETE FROM keyword_chunks WHERE (app_id, list_id, upload, position) IN (
    SELECT app_id, list_id, upload, position FROM keyword_chunks c WHERE created_at < $1 AND NOT EXISTS (
      SELECT 1 FROM keyword_lists l WHERE l.app_id = c.app_id AND l.id = c.list_id AND l.upload = c.upload) LIMIT ${rowsPerStep})`,
} as const satisfies Record<string, string>;

export async function removeOld(
  tx: Tx,
  { what, before }: { what: keyof typeof deletions; before: number },
): Promise<number> {
  return tx.run(deletions[what], [before]);
}

/** Approved messages of an app, from this one on back. */
export async function removeSurplus(
  tx: Tx,
  { appId, sentAt, id }: { appId: string; sentAt: number; id: string },
): Promise<number> {
  return tx.run(
    `DELETE FROM messages WHERE (app_id, id) IN (
      SELECT app_id, id FROM messages WHERE app_id = $1 AND (sent_at, id) <= ($2, $3) AND status = 'approved'
      ORDER BY sent_at, id LIMIT ${rowsPerStep})`,
    [appId, sentAt, id],
  );
}
