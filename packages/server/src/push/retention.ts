import type { Events } from '../events.ts';
import { pruneIdempotencyKeys } from '../store/idempotency.ts';
import type { Store, Tx } from '../store/store.ts';

const everyMs = 60 * 60_000;
/** Few at a time: nobody waits behind a clean-up. */
const rowsPerChange = 200;

/** What is older than it has to be goes, little by little. */
export class PushRetention {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopping = false;
  private readonly store: Store;
  private readonly events: Events;
  private readonly keepMs: number;

  constructor(store: Store, events: Events, keepMs: number) {
    this.store = store;
    this.events = events;
    this.keepMs = keepMs;
  }

  /** At once too: a service that is started anew every hour would never come to it otherwise. */
  start(): void {
    this.running = this.run();
    this.timer = setInterval(() => {
      this.running = this.run();
    }, everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  async run(): Promise<void> {
    try {
      const before = Date.now() - this.keepMs;
      while (!this.stopping && (await this.store.change(prunePush, { before })) > 0);
      await this.store.change(pruneMutes, undefined);
      await this.store.change(pruneIdempotencyKeys, undefined);
    } catch (error) {
      this.events.broken('old push logs cannot be removed', error);
    }
  }
}

export async function prunePush(tx: Tx, { before }: { before: number }): Promise<number> {
  const logs = await tx.run(
    `DELETE FROM push_logs WHERE (app_id, id) IN (SELECT app_id, id FROM push_logs WHERE ended_at < $1 ORDER BY ended_at LIMIT ${rowsPerChange})`,
    [before],
  );
  const notifications = await tx.run(
    `DELETE FROM notifications WHERE (app_id, id) IN (
       SELECT app_id, id FROM notifications WHERE created_at < $1 AND finished_at > 0 AND finished_at < $1 ORDER BY created_at LIMIT ${rowsPerChange})`,
    [before],
  );
  return logs + notifications;
}

export async function pruneMutes(tx: Tx): Promise<void> {
  await tx.run('DELETE FROM push_mutes WHERE until < $1', [tx.now]);
}
