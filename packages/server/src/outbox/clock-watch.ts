import type { Events } from '../events.ts';
import type { Store, Tx } from '../store/store.ts';
import { everyLane } from './jobs.ts';
import { lockLane } from './lanes.ts';

/** Clocks drift and are slewed; only a jump is news. */
const jumpMs = 2000;
/** Every process looks at its clock much more often. */
const noticedMs = 30_000;
/** What is due and what is too late every process tells by its own clock. */
export const apartMs = 2000;
const compareMs = 10_000;

/** Tells when our clock is not the database's, and so perhaps not that of the other processes. Answers how to stop. */
export function watchSharedClock(store: Store, events: Events): () => void {
  const compare = async (): Promise<void> => {
    const aheadMs = await store.clockAheadMs();
    if (Math.abs(aheadMs) > apartMs)
      events.alarm("the clock is not the database's", { secondsAhead: Math.round(aheadMs / 1000) });
  };
  // A store that does not answer is told of by whoever needs it.
  const timer = setInterval(() => void compare().catch(() => {}), compareMs).unref();
  return () => clearInterval(timer);
}

/** Notices that the clock on the wall was put back, by a clock that cannot be. */
export class ClockWatch {
  private wall = Date.now();
  private steady = performance.now();

  /** What the clock would read had nobody touched it, or undefined when nobody has put it back since the last look. */
  putBackFrom(): number | undefined {
    const [wall, steady] = [Date.now(), performance.now()];
    const expected = this.wall + (steady - this.steady);
    [this.wall, this.steady] = [wall, steady];
    return wall < expected - jumpMs ? Math.round(expected) : undefined;
  }
}

/**
 * Everything in the outbox waits for a time of day. After the clock was put back, what was due would wait until the old time
 * comes again: what was due stays due, and what had to wait a while waits that while and no longer. What somebody scheduled
 * keeps its hour. Every process notices the jump, and the first one mends for all: a wait must not become shorter each time.
 */
export async function mendClock(
  tx: Tx,
  { kind, was, leaseMs }: { kind: string; was: number; leaseMs: number },
): Promise<void> {
  const { now } = tx;
  const by = was - now;
  if (by <= 0 || !(await isFirst(tx, kind, by))) return;
  await tx.run(
    "UPDATE outbox SET ready_at = $1 WHERE kind = $2 AND leased_by = '' AND ready_at > $1 AND ready_at <= $3",
    [now, kind, was],
  );
  await tx.run(
    "UPDATE outbox SET ready_at = ready_at - $1 WHERE kind = $2 AND leased_by = '' AND attempts > 0 AND ready_at > $3",
    [by, kind, was],
  );
  await tx.run("UPDATE outbox SET ready_at = $1 WHERE kind = $2 AND leased_by <> '' AND ready_at > $1", [
    tx.leaseNow + leaseMs,
    kind,
  ]);
  await tx.run('UPDATE outbox_pauses SET until = until - $1 WHERE kind = $2 AND until > $3', [by, kind, was]);
}

/**
 * Whether nobody has mended this jump. The latest one stands among the pauses as a row that pauses nothing, since its `until`,
 * less than 0, has always passed. A clock that is put back once more reads less than it did then.
 */
async function isFirst(tx: Tx, kind: string, by: number): Promise<boolean> {
  await lockLane(tx, { kind, lane: everyLane });
  const last = await tx.get<{ paused_at: number; until: number }>(
    'SELECT paused_at, until FROM outbox_pauses WHERE kind = $1 AND lane = $2',
    [kind, everyLane],
  );
  const since = tx.now - (last?.paused_at ?? 0);
  if (since > -jumpMs && since < noticedMs && Math.abs(by + (last?.until ?? 0)) < jumpMs) return false;
  await tx.run(
    `INSERT INTO outbox_pauses (kind, lane, app_id, reason, paused_at, until) VALUES ($1, $2, '', 'the clock was put back', $3, $4)
     ON CONFLICT (kind, lane) DO UPDATE SET paused_at = excluded.paused_at, until = excluded.until`,
    [kind, everyLane, tx.now, -by],
  );
  return true;
}
