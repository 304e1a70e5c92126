import type { Reader } from '../store/store.ts';

/** The endpoints that do not get what they are owed. */
export async function troubledEndpoints(store: Reader, appId: string) {
  const rows = await store.all<{
    id: string;
    status: string;
    paused_reason: string | null;
    failing_since: number | null;
    updated_at: number;
  }>(
    "SELECT id, status, paused_reason, failing_since, updated_at FROM webhook_endpoints WHERE app_id = $1 AND (status <> 'active' OR failing_since IS NOT NULL) ORDER BY id",
    [appId],
  );
  return rows.map((row) => ({
    id: row.id,
    isPaused: row.status !== 'active',
    reason: row.paused_reason ?? '',
    since: row.failing_since ?? row.updated_at,
  }));
}
