import type { Tx } from '../store/store.ts';

/** Clocks drift and are slewed; only a jump is news. */
const jumpMs = 2000;

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
 * keeps its hour. Several processes may each do this: the second finds nothing left to do.
 */
export async function mendClock(
  tx: Tx,
  { kind, was, leaseMs }: { kind: string; was: number; leaseMs: number },
): Promise<void> {
  const { now } = tx;
  const by = was - now;
  if (by <= 0) return;
  await tx.run(
    "UPDATE outbox SET ready_at = $1 WHERE kind = $2 AND leased_by = '' AND ready_at > $1 AND ready_at <= $3",
    [now, kind, was],
  );
  await tx.run(
    "UPDATE outbox SET ready_at = ready_at - $1 WHERE kind = $2 AND leased_by = '' AND attempts > 0 AND ready_at > $3",
    [by, kind, was],
  );
  await tx.run("UPDATE outbox SET ready_at = $1 WHERE kind = $2 AND leased_by <> '' AND ready_at > $1", [
    now + leaseMs,
    kind,
  ]);
  await tx.run('UPDATE outbox_pauses SET until = until - $1 WHERE kind = $2 AND until > $3', [by, kind, was]);
}
