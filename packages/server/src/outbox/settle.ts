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

/** Takes away what nobody has in hand. Answers how many jobs that were, and how many pushes or deliveries they stood for. */
export async function cancelGroup(tx: Tx, group: string): Promise<{ jobs: number; size: number }> {
  const removed = await tx.all<{ size: number }>(
    "DELETE FROM outbox WHERE group_key = $1 AND (leased_by = '' OR ready_at <= $2) RETURNING size",
    [group, tx.leaseNow],
  );
  return { jobs: removed.length, size: removed.reduce((sum, row) => sum + row.size, 0) };
}
