import type { Reader, Tx } from '../store/store.ts';
import { everyLane, topicOf } from './jobs.ts';

/** A paused lane keeps its jobs and gives none out, until it is resumed or its time has come. */
export interface LanePause {
  kind: string;
  lane: string;
  appId: string;
  reason: string;
  pausedAt: number;
  /** 0: until somebody resumes it. */
  until: number;
}

type PauseRow = { kind: string; lane: string; app_id: string; reason: string; paused_at: number; until: number };

/** Between it and the end of the change nobody else pauses or resumes the lane. */
export function lockLane(tx: Tx, { kind, lane }: { kind: string; lane: string }): Promise<void> {
  return tx.lock(`lane:${kind}:${lane}`);
}

/** Part of any change. Answers whether it was running until now, so that the news is told once. */
export async function pauseLane(
  tx: Tx,
  { kind, lane, appId, reason, until = 0 }: Omit<LanePause, 'pausedAt' | 'until'> & { until?: number },
): Promise<boolean> {
  await lockLane(tx, { kind, lane });
  const before = await findPause(tx, { kind, lane });
  await tx.run(
    `INSERT INTO outbox_pauses (kind, lane, app_id, reason, paused_at, until) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (kind, lane) DO UPDATE SET reason = excluded.reason, until = excluded.until`,
    [kind, lane, appId, reason.slice(0, 1000), tx.now, until],
  );
  tx.touch(topicOf(kind, everyLane));
  return before === undefined || (before.until !== 0 && before.until <= tx.now);
}

/** Part of any change. Answers whether it was paused. */
export async function resumeLane(tx: Tx, { kind, lane }: { kind: string; lane: string }): Promise<boolean> {
  await lockLane(tx, { kind, lane });
  const removed = await tx.run('DELETE FROM outbox_pauses WHERE kind = $1 AND lane = $2', [kind, lane]);
  tx.touch(topicOf(kind, everyLane));
  return removed > 0;
}

/** Part of any change. Resumes a lane that would go on by itself later; one that somebody stopped stays stopped. */
export async function endRest(tx: Tx, { kind, lane }: { kind: string; lane: string }): Promise<void> {
  await lockLane(tx, { kind, lane });
  if (((await findPause(tx, { kind, lane }))?.until ?? 0) > 0) await resumeLane(tx, { kind, lane });
}

/** The last pause that nobody ended, though its time may be over. */
export async function findPause(
  store: Reader,
  { kind, lane }: { kind: string; lane: string },
): Promise<LanePause | undefined> {
  const row = await store.get<PauseRow>('SELECT * FROM outbox_pauses WHERE kind = $1 AND lane = $2', [kind, lane]);
  return row && toPause(row);
}

export async function readPauses(store: Reader, kind: string, now: number): Promise<LanePause[]> {
  const rows = await store.all<PauseRow>(
    'SELECT * FROM outbox_pauses WHERE kind = $1 AND (until = 0 OR until > $2) ORDER BY lane',
    [kind, now],
  );
  return rows.map(toPause);
}

function toPause(row: PauseRow): LanePause {
  return {
    kind: row.kind,
    lane: row.lane,
    appId: row.app_id,
    reason: row.reason,
    pausedAt: row.paused_at,
    until: row.until,
  };
}

export interface DueLane {
  lane: string;
  /** Since when its oldest due job waits. */
  since: number;
}

type NextRow = { lane: string; urgent: number | null; ordinary: number | null; low: number | null };

/**
 * The lanes with something due. Steps from lane to lane in the index, so that a million jobs in one lane cost as much as one.
 */
export async function lanesDue(store: Reader, kind: string, now: number): Promise<DueLane[]> {
  const rows = await store.all<NextRow>(
    `WITH RECURSIVE lanes (lane) AS (
       SELECT MIN(lane) FROM outbox WHERE kind = $1
       UNION ALL
       SELECT (SELECT MIN(o.lane) FROM outbox o WHERE o.kind = $1 AND o.lane > lanes.lane) FROM lanes WHERE lanes.lane IS NOT NULL)
     SELECT lane,
       (SELECT MIN(o.ready_at) FROM outbox o WHERE o.kind = $1 AND o.lane = lanes.lane AND o.priority = 0) AS urgent,
       (SELECT MIN(o.ready_at) FROM outbox o WHERE o.kind = $1 AND o.lane = lanes.lane AND o.priority = 1) AS ordinary,
       (SELECT MIN(o.ready_at) FROM outbox o WHERE o.kind = $1 AND o.lane = lanes.lane AND o.priority = 2) AS low
     FROM lanes WHERE lane IS NOT NULL`,
    [kind],
  );
  return rows
    .map(({ lane, urgent, ordinary, low }) => ({
      lane,
      since: Math.min(...[urgent, ordinary, low].map((at) => at ?? Number.POSITIVE_INFINITY)),
    }))
    .filter(({ since }) => since <= now);
}

export interface LaneState {
  kind: string;
  lane: string;
  jobs: number;
  /** Pushes or deliveries. */
  size: number;
  leased: number;
  /** Age of the oldest job that is due and that nobody has, in ms; 0 when none is. */
  oldestDueMs: number;
  paused: string | undefined;
}

/** Everything that waits, lane by lane, for `gatehouse queue` and the metrics. */
export async function readLanes(store: Reader, now: number): Promise<LaneState[]> {
  const rows = await store.all<{
    kind: string;
    lane: string;
    jobs: number;
    size: number;
    leased: number;
    oldest: number | null;
  }>(
    `SELECT kind, lane, COUNT(*) AS jobs, CAST(SUM(size) AS BIGINT) AS size, SUM(CASE WHEN leased_by <> '' THEN 1 ELSE 0 END) AS leased,
       MIN(CASE WHEN ready_at <= $1 THEN ready_at END) AS oldest FROM outbox GROUP BY kind, lane ORDER BY kind, lane`,
    [now],
  );
  const pauses = await store.all<PauseRow>('SELECT * FROM outbox_pauses WHERE until = 0 OR until > $1', [now]);
  const states = new Map<string, LaneState>();
  const stateOf = (kind: string, lane: string): LaneState => {
    const key = `${kind} ${lane}`;
    let state = states.get(key);
    if (state === undefined) {
      state = { kind, lane, jobs: 0, size: 0, leased: 0, oldestDueMs: 0, paused: undefined };
      states.set(key, state);
    }
    return state;
  };
  for (const row of rows)
    Object.assign(stateOf(row.kind, row.lane), {
      jobs: row.jobs,
      size: row.size,
      leased: row.leased,
      oldestDueMs: row.oldest === null ? 0 : now - row.oldest,
    });
  for (const row of pauses) stateOf(row.kind, row.lane).paused = row.reason;
  return [...states.values()];
}
