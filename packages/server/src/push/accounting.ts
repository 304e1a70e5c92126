import type { Tx } from '../store/store.ts';
import { type Announcement, announce } from '../webhooks/announce.ts';

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

/** An entry and whose account it goes into. */
export interface Booking extends Entry {
  appId: string;
  /** Of the notification. */
  id: string;
  reasons?: readonly ReasonCount[];
}

export interface ReasonCount {
  outcome: 'failed' | 'skipped';
  reason: string;
  n: number;
}

type AccountRow = {
  app_id: string;
  id: string;
  state: string;
  open_jobs: number;
  sent: number;
  failed: number;
  dropped: number;
  skipped: number;
  cancelled: number;
};

const counted = ['jobs', 'queued', 'sent', 'failed', 'dropped', 'skipped', 'cancelled'] as const;

/** Books what happened to notifications; when the last job of one is done it is finished, and that is told once. */
export async function book(tx: Tx, bookings: readonly Booking[]): Promise<void> {
  const rows = await tx.each<AccountRow>(
    ['app', 'notification', ...counted.map((name) => `plus_${name}`), 'at'],
    addUp(bookings).map((sum) => [sum.appId, sum.id, ...counted.map((name) => sum[name] ?? 0), tx.now]),
    `UPDATE notifications SET open_jobs = open_jobs + given.plus_jobs, sent = sent + given.plus_sent, failed = failed + given.plus_failed,
       dropped = dropped + given.plus_dropped, skipped = skipped + given.plus_skipped, cancelled = cancelled + given.plus_cancelled,
       queued = CASE WHEN open_jobs + given.plus_jobs = 0 THEN 0 ELSE queued + given.plus_queued END,
       state = CASE WHEN state IN ('scheduled', 'sending') AND open_jobs + given.plus_jobs = 0 THEN 'finished' WHEN state = 'scheduled' THEN 'sending' ELSE state END,
       finished_at = CASE WHEN state IN ('scheduled', 'sending') AND open_jobs + given.plus_jobs = 0 THEN given.at ELSE finished_at END
     FROM given WHERE app_id = given.app AND id = given.notification
     RETURNING app_id, id, state, open_jobs, sent, failed, dropped, skipped, cancelled`,
  );
  // Those that are missing went with their app, which was deleted with everything in it.
  const known = new Set(rows.map(({ id }) => id));
  await bookReasons(
    tx,
    bookings.filter(({ id }) => known.has(id)),
  );
  await announce(
    tx,
    ...rows
      .filter(({ open_jobs, state }) => open_jobs <= 0 && state === 'finished')
      .map(({ app_id, id, sent, failed, dropped, skipped, cancelled }) =>
        finished(app_id, id, { sent, failed, droppedTokens: dropped, skipped, cancelled }),
      ),
  );
}

/** One sum for each notification, in one order for all: two workers that book for the same ones wait in line. */
function addUp(bookings: readonly Booking[]): Booking[] {
  const sums = new Map<string, Booking>();
  for (const booking of bookings) {
    const sum = sums.get(booking.id);
    if (sum === undefined) sums.set(booking.id, { ...booking });
    else for (const name of counted) sum[name] = (sum[name] ?? 0) + (booking[name] ?? 0);
  }
  return [...sums.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

type FinalCounts = Record<'sent' | 'failed' | 'droppedTokens' | 'skipped' | 'cancelled', number>;

export function finished(appId: string, notificationId: string, counts: FinalCounts): Announcement {
  return { appId, trigger: 'notification_finished', data: { notificationId, counts } };
}

export async function bookReasons(
  tx: Tx,
  bookings: readonly Pick<Booking, 'appId' | 'id' | 'reasons'>[],
): Promise<void> {
  const rows = new Map<string, [appId: string, id: string, outcome: string, reason: string, n: number]>();
  for (const { appId, id, reasons = [] } of bookings)
    for (const { outcome, reason, n } of reasons) {
      const short = reason.slice(0, 200);
      const key = `${id} ${outcome} ${short}`;
      rows.set(key, [appId, id, outcome, short, n + (rows.get(key)?.[4] ?? 0)]);
    }
  await tx.insertMany(
    'notification_reasons',
    ['app_id', 'notification_id', 'outcome', 'reason', 'n'],
    [...rows.values()],
    `ON CONFLICT (app_id, notification_id, outcome, reason) DO UPDATE SET n = notification_reasons.n + excluded.n`,
  );
}
