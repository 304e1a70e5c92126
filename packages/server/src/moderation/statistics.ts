import type { HourlyCounts } from '../store/hourly-counts.ts';
import type { Reader } from '../store/store.ts';
import type { Rule } from './rule.ts';
import type { Judged } from './verdict.ts';

const names = { allow: undefined, flag: 'flagged', block: 'blocked', drop: 'dropped' } as const;
/** Beyond this a count is only "more than". */
const countMax = 10_000;

/** Counts every message that is judged, by what came of it. */
export function countVerdict(counts: HourlyCounts, appId: string, verdict: Judged['verdict']): void {
  counts.add(appId, 'judged');
  const name = names[verdict];
  if (name !== undefined) counts.add(appId, name);
}

/** What waits for the moderators, and which rules look on without acting. */
export async function moderationState(store: Reader, appId: string) {
  const [blocked, flagged, oldest, rules] = await Promise.all([
    pending(store, appId, 'blocked'),
    pending(store, appId, 'flagged'),
    store.get<{ updated_at: number }>(
      'SELECT updated_at FROM review_entries WHERE app_id = $1 AND reviewed = 0 ORDER BY updated_at, id LIMIT 1',
      [appId],
    ),
    store.all<{ id: string; body: string; built_in: number; updated_at: number }>(
      'SELECT id, body, built_in, updated_at FROM rules WHERE app_id = $1',
      [appId],
    ),
  ]);
  const shadow = rules.flatMap(({ id, body, updated_at }) => {
    const { name, shadow, enabled } = JSON.parse(body) as Pick<Rule, 'name' | 'shadow' | 'enabled'>;
    return shadow === true && enabled ? [{ id, name, since: updated_at }] : [];
  });
  return {
    pendingBlocked: blocked,
    pendingFlagged: flagged,
    oldestPendingAt: oldest?.updated_at,
    ownRules: rules.filter(({ built_in }) => built_in === 0).length,
    shadow,
  };
}

async function pending(store: Reader, appId: string, kind: string): Promise<number> {
  const row = await store.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (SELECT id FROM review_entries WHERE app_id = $1 AND reviewed = 0 AND kind = $2 LIMIT ${countMax}) AS waiting`,
    [appId, kind],
  );
  return Number(row?.n ?? 0);
}
