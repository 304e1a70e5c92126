import { enqueue, type Job, type NewJob } from '../outbox/jobs.ts';
import { lockLane, pauseLane } from '../outbox/lanes.ts';
import { complete, completeAll, retry } from '../outbox/settle.ts';
import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import { type Booking, book, type Entry, type ReasonCount } from './accounting.ts';
import { type Health, writeHealth } from './health.ts';
import { type LogBatch, writeLogs } from './log.ts';
import { findProvider, type ProviderKind } from './provider.ts';
import type { Work } from './segment.ts';

export interface Rest {
  work: Work;
  size: number;
  at: number;
  error: string;
  /** Whether it counts as an attempt. */
  counts: boolean;
}

/** What came of a segment. Everything in it becomes true in one transaction. */
export interface Settlement {
  job: Job;
  notificationId: string;
  provider: ProviderKind;
  providerId: string;
  counts: Omit<Entry, 'jobs' | 'queued'>;
  reasons: readonly ReasonCount[];
  /** What is left to send, and when: the job goes on with it. */
  rest?: Rest;
  /** What is left to send at other times or by other providers: jobs of their own. */
  more?: readonly NewJob[];
  /** Tokens to forget, if nobody registered them again since `before`. */
  dead: readonly { hash: string; uid: string; platform: string; reason: string; before: number }[];
  /** `since` is when the provider was read: one that was changed after that is not the one that failed. */
  pause?: { reason: string; since: number };
  health?: Health;
  log?: LogBatch;
}

/** How many removed tokens one event names; the rest goes into further ones. */
const tokensPerEvent = 100;

/**
 * `lost`: another worker has taken the job over, and what came of it is that worker's to say. `paused`: settled, and its
 * provider was stopped for it.
 */
type Settled = 'lost' | 'settled' | 'paused';

/** Many segments that ended at about the same time. */
export async function settleSegments(tx: Tx, settlements: readonly Settlement[]): Promise<Settled[]> {
  const done = settlements.filter(isOver).map(({ job }) => job);
  const completed = await completeAll(tx, done);
  const bookings: Booking[] = [];
  const ours = new Map<Settlement, Settled>();
  for (const settlement of settlements) {
    const { job } = settlement;
    const changed = !isOver(settlement)
      ? await goOn(tx, settlement)
      : completed.has(job.id)
        ? { jobs: -1, queued: -job.size }
        : undefined;
    if (changed === undefined) continue;
    ours.set(settlement, 'settled');
    const { notificationId: id, counts, reasons } = settlement;
    bookings.push({ appId: job.appId, id, ...counts, ...changed, reasons });
  }
  await book(tx, bookings);
  await writeLogs(
    tx,
    [...ours.keys()].flatMap(({ log = [] }) => log),
  );
  for (const settlement of ours.keys()) if (await settleAround(tx, settlement)) ours.set(settlement, 'paused');
  return settlements.map((settlement) => ours.get(settlement) ?? 'lost');
}

function isOver({ rest, more }: Settlement): boolean {
  return rest === undefined && more === undefined;
}

/** Puts the job back with what is left of it, unless it was cancelled meanwhile. Undefined where the lease was lost. */
async function goOn(tx: Tx, { job, notificationId, rest, more = [] }: Settlement): Promise<Entry | undefined> {
  const left = more.reduce((sum, { size = 1 }) => sum + size, rest?.size ?? 0);
  if (await cancelled(tx, job.appId, notificationId))
    return (await complete(tx, job)) ? { jobs: -1, queued: -job.size, cancelled: left } : undefined;
  if (!(await (rest === undefined ? complete(tx, job) : putBack(tx, job, rest)))) return undefined;
  await enqueue(tx, more);
  return { jobs: more.length - (rest === undefined ? 1 : 0), queued: left - job.size };
}

function putBack(tx: Tx, job: Job, { work, at, error, size, counts }: Rest): Promise<boolean> {
  return retry(tx, { job, at, error, payload: JSON.stringify(work), size, counts });
}

/** What few segments leave behind: news of their provider, dead tokens. Answers whether the provider was stopped for it. */
async function settleAround(tx: Tx, settlement: Settlement): Promise<boolean> {
  const { job, provider, providerId, health, pause: stop } = settlement;
  if (health !== undefined) await writeHealth(tx, job.appId, provider, providerId, health);
  if (settlement.dead.length > 0) await forget(tx, settlement);
  return stop !== undefined && pause(tx, settlement, stop);
}

async function cancelled(tx: Tx, appId: string, id: string): Promise<boolean> {
  const row = await tx.get<{ state: string }>('SELECT state FROM notifications WHERE app_id = $1 AND id = $2', [
    appId,
    id,
  ]);
  return row === undefined || row.state === 'cancelled';
}

async function forget(tx: Tx, { job: { appId }, dead, provider, providerId }: Settlement): Promise<void> {
  const removed: { uid: string; platform: string; reason: string; pushToken: string }[] = [];
  for (const { hash, uid, platform, reason, before } of dead) {
    const [row] = await tx.all<{ push_token: string }>(
      'DELETE FROM push_tokens WHERE app_id = $1 AND token_hash = $2 AND last_seen_at < $3 RETURNING push_token',
      [appId, hash, before],
    );
    // The event names a browser by its endpoint as listings do, and never hands out its keys.
    if (row !== undefined) removed.push({ uid, platform, reason, pushToken: endpointOf(row.push_token) });
  }
  for (let start = 0; start < removed.length; start += tokensPerEvent)
    await announce(tx, {
      appId,
      trigger: 'token_removed',
      data: { provider, providerId, tokens: removed.slice(start, start + tokensPerEvent) },
    });
}

function endpointOf(stored: string): string {
  return stored.startsWith('{"endpoint":') ? String((JSON.parse(stored) as { endpoint: string }).endpoint) : stored;
}

/**
 * A provider that was mended or deleted while its last pushes were on their way stays as it is: what is left goes by what
 * it is now. Answers whether it was stopped by this.
 */
async function pause(
  tx: Tx,
  { job, provider, providerId }: Settlement,
  { reason, since }: { reason: string; since: number },
): Promise<boolean> {
  await lockLane(tx, job);
  const row = await findProvider(tx, job.appId, provider, providerId);
  if (row === undefined || row.updated_at > since) return false;
  const isNews = await pauseLane(tx, { kind: job.kind, lane: job.lane, appId: job.appId, reason });
  if (isNews)
    await announce(tx, { appId: job.appId, trigger: 'provider_paused', data: { provider, providerId, reason } });
  return isNews;
}
