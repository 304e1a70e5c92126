import { randomBytes } from 'node:crypto';
import type { SqlValue, Tx } from '../store/store.ts';

/**
 * A job is work that must happen after a change, at least once, whatever dies in between. It is written in the change's own
 * transaction, waits in a lane (one a provider, one an endpoint), is leased by a worker and settled together with
 * what came of it. A lane never waits for another.
 */
export interface NewJob {
  /** Which dispatcher does it: `push`, `webhook`. */
  kind: string;
  /** What it goes out by. One slow lane holds up nobody else. */
  lane: string;
  appId: string;
  /** What the handler needs to know. */
  payload: string;
  /** What it can be cancelled by. */
  group?: string;
  /** 0 goes before 1 before 2 within a lane; 0 also has slots of its own. */
  priority?: Priority;
  /** Not before this time; at once by default. */
  readyAt?: number;
  /** The handler is told that a job came too late; it never vanishes by itself. */
  expiresAt?: number;
  /** How many pushes or deliveries it stands for. */
  size?: number;
  /** How often it was tried as a part of another. */
  attempts?: number;
  /** Whose it is from birth, if it is due then. */
  birthright?: Birthright;
}

export const priorities = [0, 1, 2] as const;
export type Priority = (typeof priorities)[number];

/** A job in the hands of the worker that leased it. */
export interface Job {
  id: string;
  kind: string;
  lane: string;
  appId: string;
  group: string;
  priority: Priority;
  payload: string;
  size: number;
  /** How often it was claimed, this time included. */
  attempts: number;
  /** 0: never. */
  expiresAt: number;
  createdAt: number;
  /** Who holds the lease. Settling asks for it: a worker that lost its lease settles nothing. */
  worker: string;
}

type JobRow = {
  id: string;
  kind: string;
  lane: string;
  app_id: string;
  group_key: string;
  priority: Priority;
  payload: string;
  size: number;
  attempts: number;
  expires_at: number;
  created_at: number;
};

const columns = [
  'id',
  'kind',
  'lane',
  'app_id',
  'group_key',
  'priority',
  'ready_at',
  'leased_by',
  'attempts',
  'expires_at',
  'size',
  'payload',
  'error',
  'created_at',
] as const;
const jobColumns =
  'id, kind, lane, app_id, group_key, priority, payload, size, attempts, expires_at, created_at' as const;

/** No lane in particular: dispatchers look at all of them, and at what is paused. */
export const everyLane = '';

/** The topic that wakes the dispatchers of a kind, in every process, once the change is committed. */
export function topicOf(kind: string, lane: string): string {
  return `outbox:${kind}:${lane}`;
}

/** Who takes jobs at birth: they are committed as leased and go out without a claim. */
export interface Birthright {
  worker: string;
  leaseMs: number;
  /** Lanes that have no room or are paused: their jobs wait for a claim as usual. */
  except: readonly string[];
}

/** Part of any change. Answers the jobs that belong to a worker already by their birthright: it must `adopt` them. */
export async function enqueue(tx: Tx, jobs: readonly NewJob[]): Promise<Job[]> {
  const topics = new Set<string>();
  const made: Job[] = [];
  const rows = jobs.map((job) => {
    const isDue = (job.readyAt ?? 0) <= tx.now;
    const taker = isDue && job.birthright?.except.includes(job.lane) === false ? job.birthright : undefined;
    const readyAt = taker === undefined ? (job.readyAt ?? tx.now) : tx.leaseNow + taker.leaseMs;
    const born = toJob(job, tx.now, taker?.worker ?? '');
    if (isDue && taker === undefined) topics.add(topicOf(job.kind, job.lane));
    made.push(born);
    return toRow(born, readyAt);
  });
  await tx.insertMany('outbox', columns, rows);
  for (const topic of topics) tx.touch(topic);
  return made.filter(({ worker }) => worker !== '');
}

function toRow(job: Job, readyAt: number): SqlValue[] {
  const { id, kind, lane, appId, group, priority, worker, attempts, expiresAt, size, payload, createdAt } = job;
  return [id, kind, lane, appId, group, priority, readyAt, worker, attempts, expiresAt, size, payload, '', createdAt];
}

function toJob(job: NewJob, now: number, worker: string): Job {
  return {
    id: makeId(now),
    kind: job.kind,
    lane: job.lane,
    appId: job.appId,
    group: job.group ?? '',
    priority: job.priority ?? 1,
    payload: job.payload,
    size: job.size ?? 1,
    attempts: (job.attempts ?? 0) + (worker === '' ? 0 : 1),
    expiresAt: job.expiresAt ?? 0,
    createdAt: now,
    worker,
  };
}

let made = 0;

/** Sorts by time and then by birth, so that a lane is a line. */
function makeId(now: number): string {
  const count = (made++ % 36 ** 4).toString(36).padStart(4, '0');
  return now.toString(36).padStart(9, '0') + count + randomBytes(10).toString('hex');
}

export interface Claim {
  dialect: 'sqlite' | 'postgres';
  kind: string;
  worker: string;
  leaseMs: number;
  /** `urgent` more of priority 0 than of the rest. */
  lanes: readonly { lane: string; urgent: number; ordinary: number }[];
  /** What the worker has in hand stays as it is: put back by its handler a moment ago, or its lease is about to be renewed. */
  held?: readonly string[];
}

const claimSql = {
  sqlite: claimText('NOT IN (SELECT value FROM json_each($9))', ''),
  // Workers on many connections pass each other by instead of waiting for the same rows.
  postgres: claimText('NOT IN (SELECT json_array_elements_text(CAST($9 AS JSON)))', 'FOR UPDATE SKIP LOCKED'),
};

/** A lease ends by the shared clock, anything else is due by our own. */
function claimText(notHeld: string, locking: string): string {
  return `UPDATE outbox SET leased_by = $1, ready_at = $2, attempts = attempts + 1 WHERE id IN (
    SELECT id FROM outbox WHERE kind = $3 AND lane = $4 AND priority = $5 AND ready_at <= $6
      AND ready_at <= CASE WHEN leased_by = '' THEN CAST($7 AS BIGINT) ELSE CAST($8 AS BIGINT) END AND id ${notHeld}
      ORDER BY ready_at, id LIMIT $10 ${locking})
    RETURNING ${jobColumns}`;
}

/** Leases what is due in each lane, the urgent first. A job whose lease ended is due again. */
export async function claimJobs(tx: Tx, claim: Claim): Promise<Job[]> {
  const claimed: Job[] = [];
  const held = JSON.stringify(claim.held ?? []);
  for (const { lane, urgent, ordinary } of claim.lanes) {
    let left = ordinary;
    for (const priority of priorities) {
      const limit = priority === 0 ? urgent : left;
      if (limit <= 0) continue;
      const rows = await tx.all<JobRow>(claimSql[claim.dialect], [
        claim.worker,
        tx.leaseNow + claim.leaseMs,
        claim.kind,
        lane,
        priority,
        Math.max(tx.now, tx.leaseNow),
        tx.now,
        tx.leaseNow,
        held,
        limit,
      ]);
      if (priority !== 0) left -= rows.length;
      claimed.push(...rows.map((row) => fromRow(row, claim.worker)).sort((a, b) => (a.id < b.id ? -1 : 1)));
    }
  }
  return claimed;
}

function fromRow(row: JobRow, worker: string): Job {
  return {
    id: row.id,
    kind: row.kind,
    lane: row.lane,
    appId: row.app_id,
    group: row.group_key,
    priority: row.priority,
    payload: row.payload,
    size: row.size,
    attempts: row.attempts,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    worker,
  };
}

/** Prolongs the leases of what is still being worked on. */
export async function renewLeases(
  tx: Tx,
  { worker, leaseMs, ids }: { worker: string; leaseMs: number; ids: readonly string[] },
): Promise<void> {
  await tx.each(
    ['job', 'worker', 'until'],
    [...ids].sort().map((id) => [id, worker, tx.leaseNow + leaseMs]),
    'UPDATE outbox SET ready_at = given.until FROM given WHERE id = given.job AND leased_by = given.worker',
  );
}

/** What waits in a lane for its time, under that group, goes now. */
export async function hasten(
  tx: Tx,
  { kind, lane, group }: { kind: string; lane: string; group: string },
): Promise<void> {
  await tx.run(
    "UPDATE outbox SET ready_at = $1 WHERE group_key = $2 AND kind = $3 AND lane = $4 AND leased_by = '' AND ready_at > $1",
    [tx.now, group, kind, lane],
  );
  tx.touch(topicOf(kind, lane));
}

/** Gives jobs back untried, as a worker does that is told to stop. */
export async function releaseJobs(tx: Tx, { jobs }: { jobs: readonly Job[] }): Promise<void> {
  for (const { id, worker, kind, lane } of jobs) {
    await tx.run(
      "UPDATE outbox SET leased_by = '', ready_at = $1, attempts = attempts - 1 WHERE id = $2 AND leased_by = $3",
      [tx.now, id, worker],
    );
    tx.touch(topicOf(kind, lane));
  }
}
