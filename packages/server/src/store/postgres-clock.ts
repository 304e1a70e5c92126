/** An answer that was longer on its way says less than the steady clock does. */
const doubtMaxMs = 500;

/**
 * The clock of the database, which all processes share whatever their own ones say. It is asked now and then, and told in
 * between by the steady clock, which nobody sets.
 */
export class PostgresClock {
  /** What the database's clock read when the steady one stood at zero. */
  private zero = Date.now() - performance.now();
  private isKnown = false;

  now(): number {
    return Math.round(this.zero + performance.now());
  }

  /** Answers how far our own clock is ahead, at least: an answer that was long on its way leaves room for doubt. */
  async compare(ask: (sql: string) => Promise<number | undefined>): Promise<number> {
    const [asked, since] = [Date.now(), performance.now()];
    const theirs = await ask('SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now');
    if (theirs === undefined) return 0;
    const doubt = (performance.now() - since) / 2;
    if (doubt < doubtMaxMs || !this.isKnown) {
      this.zero = theirs - since - doubt;
      this.isKnown = true;
    }
    const ahead = asked + doubt - theirs;
    return Math.sign(ahead) * Math.round(Math.max(0, Math.abs(ahead) - doubt));
  }
}
