import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';

/** What changed in the account of a notification. Pushes, except `jobs`, which are jobs of the outbox. */
export interface Entry {
  jobs: number;
  queued: number;
  sent?: number;
  failed?: number;
  dropped?: number;
  skipped?: number;
  cancelled?: number;
}

export interface ReasonCount {
  outcome: 'failed' | 'skipped';
  reason: string;
  n: number;
}

type AccountRow = {
  state: string;
  open_jobs: number;
  sent: number;
  failed: number;
  dropped: number;
  skipped: number;
  cancelled: number;
};

/** Books what happened to a notification; when its last job is done it is finished, and that is told once. */
export async function book(
  tx: Tx,
  appId: string,
  id: string,
  entry: Entry,
  reasons: readonly ReasonCount[] = [],
): Promise<void> {
  const { jobs, queued, sent = 0, failed = 0, dropped = 0, skipped = 0, cancelled = 0 } = entry;
  const row = await tx.get<AccountRow>(
    `UPDATE notifications SET open_jobs = open_jobs + $3, sent = sent + $5, failed = failed + $6, dropped = dropped + $7,
       skipped = skipped + $8, cancelled = cancelled + $9,
       queued = CASE WHEN open_jobs + $3 = 0 THEN 0 ELSE queued + $4 END,
       state = CASE WHEN state IN ('scheduled', 'sending') AND open_jobs + $3 = 0 THEN 'finished' WHEN state = 'scheduled' THEN 'sending' ELSE state END,
       finished_at = CASE WHEN state IN ('scheduled', 'sending') AND open_jobs + $3 = 0 THEN $10 ELSE finished_at END
     WHERE app_id = $1 AND id = $2 RETURNING state, open_jobs, sent, failed, dropped, skipped, cancelled`,
    [appId, id, jobs, queued, sent, failed, dropped, skipped, cancelled, tx.now],
  );
  // The app was deleted with everything in it.
  if (row === undefined) return;
  await bookReasons(tx, appId, id, reasons);
  if (row.open_jobs > 0 || row.state !== 'finished') return;
  const { sent: sentInAll, failed: failedInAll, dropped: droppedTokens, skipped: skippedInAll } = row;
  await announce(tx, {
    appId,
    trigger: 'notification_finished',
    data: {
      notificationId: id,
      counts: { sent: sentInAll, failed: failedInAll, droppedTokens, skipped: skippedInAll, cancelled: row.cancelled },
    },
  });
}

export async function bookReasons(tx: Tx, appId: string, id: string, reasons: readonly ReasonCount[]): Promise<void> {
  for (const { outcome, reason, n } of reasons)
    await tx.run(
      `INSERT INTO notification_reasons (app_id, notification_id, outcome, reason, n) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (app_id, notification_id, outcome, reason) DO UPDATE SET n = notification_reasons.n + excluded.n`,
      [appId, id, outcome, reason.slice(0, 200), n],
    );
}
