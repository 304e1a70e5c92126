import type { Events } from '../events.ts';
import type { Store, Tx } from '../store/store.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Uploads of lists that nothing refers to after this long were cut off. */
const uploadMs = hourMs;
const roundMs = 60_000;
const rowsPerStep = 500;
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

  private async inSteps(what: keyof typeof deletions | 'surplus', before: number, appId = ''): Promise<void> {
    while (!this.stopped) {
      const removed = await this.store.change(removeOld, { what, before, appId });
      if (removed < rowsPerStep) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** An app keeps so many approved messages at most: the oldest go. */
  private async trim(approvedMax: number): Promise<void> {
    const apps = await this.store.all<{ id: string }>('SELECT id FROM apps');
    for (const { id: appId } of apps) {
      const oldest = await this.store.get<{ sent_at: number }>(
        'SELECT sent_at FROM messages WHERE app_id = $1 ORDER BY sent_at DESC, id DESC LIMIT 1 OFFSET $2',
        [appId, approvedMax],
      );
      if (oldest !== undefined) await this.inSteps('surplus', oldest.sent_at + 1, appId);
    }
  }
}

const deletions = {
  approved: `DELETE FROM messages WHERE (app_id, id) IN (
    SELECT app_id, id FROM messages WHERE status = 'approved' AND created_at < $1 ORDER BY created_at LIMIT ${rowsPerStep})`,
  disapproved: `DELETE FROM messages WHERE (app_id, id) IN (
    SELECT app_id, id FROM messages WHERE status = 'disapproved' AND created_at < $1 ORDER BY created_at LIMIT ${rowsPerStep})`,
  entries: `DELETE FROM review_entries WHERE (app_id, kind, id) IN (
    SELECT app_id, kind, id FROM review_entries WHERE created_at < $1 ORDER BY created_at LIMIT ${rowsPerStep})`,
  flags: `DELETE FROM message_flags WHERE (app_id, message_id, uid) IN (
    SELECT app_id, message_id, uid FROM message_flags f WHERE flagged_at < $1 AND NOT EXISTS (
      SELECT 1 FROM review_entries e WHERE e.app_id = f.app_id AND e.kind = 'flagged' AND e.id = f.message_id) LIMIT ${rowsPerStep})`,
  uploads: `DELETE FROM keyword_chunks WHERE (app_id, list_id, upload, position) IN (
    SELECT app_id, list_id, upload, position FROM keyword_chunks c WHERE created_at < $1 AND NOT EXISTS (
      SELECT 1 FROM keyword_lists l WHERE l.app_id = c.app_id AND l.id = c.list_id AND l.upload = c.upload) LIMIT ${rowsPerStep})`,
} as const satisfies Record<string, string>;

const surplus = `DELETE FROM messages WHERE (app_id, id) IN (
  SELECT app_id, id FROM messages WHERE app_id = $2 AND sent_at < $1 AND status = 'approved' ORDER BY sent_at LIMIT ${rowsPerStep})`;

export async function removeOld(
  tx: Tx,
  { what, before, appId }: { what: keyof typeof deletions | 'surplus'; before: number; appId: string },
): Promise<number> {
  return what === 'surplus' ? tx.run(surplus, [before, appId]) : tx.run(deletions[what], [before]);
}
