import type { HourlyCounts } from '../store/hourly-counts.ts';
import type { Reader } from '../store/store.ts';
import { readHealth } from './health.ts';
import { laneOf } from './provider.ts';
import { jobKind } from './segment.ts';
import type { Settlement } from './settle.ts';

/** Counts pushes by how they ended. Those whose tokens were dropped are among the failed. */
export function countPushes(counts: HourlyCounts, appId: string, { sent = 0, failed = 0 }: Settlement['counts']): void {
  counts.add(appId, 'sent', sent);
  counts.add(appId, 'failed', failed);
}

/** The providers, how they are, and what waits for them. */
export async function pushState(store: Reader, appId: string) {
  const providers = await readHealth(store, appId);
  let oldestAt: number | undefined;
  for (const { kind, providerId, waiting, isPaused } of providers) {
    if (waiting === 0 || isPaused) continue;
    const row = await store.get<{ ready_at: number | null }>(
      "SELECT MIN(ready_at) AS ready_at FROM outbox WHERE kind = $1 AND lane = $2 AND leased_by = '' AND ready_at <= $3",
      [jobKind, laneOf(appId, kind, providerId), Date.now()],
    );
    if (row?.ready_at) oldestAt = Math.min(oldestAt ?? row.ready_at, row.ready_at);
  }
  const token = await store.get('SELECT uid FROM push_tokens WHERE app_id = $1 LIMIT 1', [appId]);
  return {
    providers,
    waiting: providers.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestAt,
    hasTokens: token !== undefined,
  };
}
