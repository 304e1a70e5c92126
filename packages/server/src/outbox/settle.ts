import type { Tx } from '../store/store.ts';
import { type Job, topicOf } from './jobs.ts';

/**
 * How a job ends. Each is a part of a change: the room writes what came of the job in the same transaction. Each answers
 * false when the lease was lost meanwhile: another worker has the job, and what came of it is that worker's to write.
 */
export async function complete(tx: Tx, job: Job): Promise<boolean> {
  return (await tx.run('DELETE FROM outbox WHERE id = $1 AND leased_by = $2', [job.id, job.worker])) > 0;
}

/** Completes many at once, in the order in which leases are renewed. Answers the ids of those whose leases were not lost. */
export async function completeAll(tx: Tx, jobs: readonly Job[]): Promise<Set<string>> {
  const rows = await tx.each<{ id: string }>(
    ['job', 'worker'],
    jobs.map(({ id, worker }): [string, string] => [id, worker]).sort(([a], [b]) => (a < b ? -1 : 1)),
    'DELETE FROM outbox USING given WHERE outbox.id = given.job AND outbox.leased_by = given.worker RETURNING outbox.id',
  );
  return new Set(rows.map(({ id }) => id));
}

export interface Retry {
  job: Job;
  at: number;
  error: string;
  /** What is left to do, where a part is done. */
  payload?: string;
  size?: number;
  /** False: this was no fault of the job's (its lane was paused), so it does not count as an attempt. */
  counts?: boolean;
}

/** Puts the job back for later, with what is left of it. */
export async function retry(tx: Tx, { job, at, error, payload, size, counts = true }: Retry): Promise<boolean> {
  const changed = await tx.run(
    "UPDATE outbox SET leased_by = '', ready_at = $1, error = $2, payload = $3, size = $4, attempts = $5 WHERE id = $6 AND leased_by = $7",
    [
      at,
      error.slice(0, 1000),
      payload ?? job.payload,
      size ?? job.size,
      counts ? job.attempts : job.attempts - 1,
      job.id,
      job.worker,
    ],
  );
  if (changed > 0 && at <= tx.now) tx.touch(topicOf(job.kind, job.lane));
  return changed > 0;
}

/** Gives the job up and keeps it where an operator finds it. */
export async function bury(tx: Tx, { job, error }: { job: Job; error: string }): Promise<boolean> {
  if (!(await complete(tx, job))) return false;
  await tx.run(
    `INSERT INTO outbox_dead (id, kind, lane, app_id, group_key, priority, attempts, expires_at, size, payload, error, created_at, died_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      job.id,
      job.kind,
      job.lane,
      job.appId,
      job.group,
      job.priority,
      job.attempts,
      job.expiresAt,
      job.size,
      job.payload,
      error.slice(0, 1000),
      job.createdAt,
      tx.now,
    ],
  );
  return true;
}

/** Takes away what nobody has in hand. Answers how many jobs that were, and how many pushes or deliveries they stood for. */
export async function cancelGroup(tx: Tx, group: string): Promise<{ jobs: number; size: number }> {
  const removed = await tx.all<{ size: number }>(
    "DELETE FROM outbox WHERE group_key = $1 AND (leased_by = '' OR ready_at <= $2) RETURNING size",
    [group, tx.now],
  );
  return { jobs: removed.length, size: removed.reduce((sum, row) => sum + row.size, 0) };
}

/** Brings buried jobs of a lane back to life. Answers how many. */
export async function redriveLane(tx: Tx, { kind, lane }: { kind: string; lane: string }): Promise<number> {
  const moved = await tx.run(
    `INSERT INTO outbox (id, kind, lane, app_id, group_key, priority, ready_at, leased_by, attempts, expires_at, size, payload, error, created_at)
     SELECT id, kind, lane, app_id, group_key, priority, created_at, '', 0, 0, size, payload, error, created_at FROM outbox_dead WHERE kind = $1 AND lane = $2`,
    [kind, lane],
  );
  await tx.run('DELETE FROM outbox_dead WHERE kind = $1 AND lane = $2', [kind, lane]);
  if (moved > 0) tx.touch(topicOf(kind, lane));
  return moved;
}

export async function pruneDead(tx: Tx, { before }: { before: number }): Promise<number> {
  return tx.run('DELETE FROM outbox_dead WHERE died_at < $1', [before]);
}
