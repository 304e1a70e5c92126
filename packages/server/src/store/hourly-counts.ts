import type { Store, Tx } from './store.ts';

const hourMs = 3_600_000;
const writeEveryMs = 1000;
const keepHours = 92 * 24;

/** A count of one thing in one app in one hour. */
export interface HourCount {
  hour: number;
  name: string;
  n: number;
}

/**
 * What happens all the time, counted by the hour. Counted in memory and added to the store once a second: a row for each
 * would cost more than what it counts. A crash loses at most the last second.
 */
export class HourlyCounts {
  private readonly store: Store;
  private counts = new Map<string, Map<string, number>>();
  /** When the first of them was counted: the hour they belong to. */
  private since = 0;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.store = store;
  }

  add(appId: string, name: string, n = 1): void {
    if (n === 0) return;
    if (this.counts.size === 0) this.since = Date.now();
    let counts = this.counts.get(appId);
    if (counts === undefined) {
      counts = new Map();
      this.counts.set(appId, counts);
      this.timer ??= setTimeout(() => void this.flush(), writeEveryMs).unref();
    }
    counts.set(name, (counts.get(name) ?? 0) + n);
  }

  /** Settles when everything counted here so far can be read. What the store does not take is counted again later. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.counts.size === 0) return this.last;
    const hour = Math.floor(this.since / hourMs);
    const counts = [...this.counts].map(([appId, named]) => ({ appId, hour, named: [...named] }));
    this.counts = new Map();
    const write = this.store.change(addHourlyCounts, { counts }).catch(() => {
      for (const { appId, named } of counts) for (const [name, n] of named) this.add(appId, name, n);
    });
    this.last = Promise.all([this.last, write]).then(() => undefined);
    return this.last;
  }

  async read(appId: string, fromHour: number): Promise<HourCount[]> {
    await this.flush();
    return this.store.all<HourCount & { [column: string]: string | number }>(
      'SELECT hour, name, n FROM hourly_counts WHERE app_id = $1 AND hour >= $2 ORDER BY hour, name',
      [appId, fromHour],
    );
  }
}

interface HoursOfApp {
  appId: string;
  hour: number;
  named: readonly (readonly [string, number])[];
}

export async function addHourlyCounts(tx: Tx, { counts }: { counts: readonly HoursOfApp[] }): Promise<void> {
  const now = Math.floor(tx.now / hourMs);
  for (const { appId, hour, named } of counts) {
    // An app that was deleted meanwhile must not take the others' counts with it.
    if ((await tx.get('SELECT id FROM apps WHERE id = $1', [appId])) === undefined) continue;
    for (const [name, n] of named)
      await tx.run(
        `INSERT INTO hourly_counts (app_id, hour, name, n) VALUES ($1, $2, $3, $4)
         ON CONFLICT (app_id, hour, name) DO UPDATE SET n = hourly_counts.n + excluded.n`,
        [appId, hour, name, n],
      );
    await tx.run('DELETE FROM hourly_counts WHERE app_id = $1 AND hour < $2', [appId, now - keepHours]);
  }
}
