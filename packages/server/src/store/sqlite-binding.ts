import type { DatabaseSync as Database } from '@photostructure/sqlite';

/** Node's own SQLite where it is new enough (3.51.3 mends a WAL fault), else the same API with its binary inside the package. */
const builtInVersionMin = [3, 51, 3];

export type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

export async function loadSqlite(): Promise<{ DatabaseSync: typeof Database; source: string }> {
  if (isNewEnough(process.versions.sqlite)) {
    const { DatabaseSync } = (await import('node:sqlite' as string)) as { DatabaseSync: typeof Database };
    return { DatabaseSync, source: `node:sqlite ${process.versions.sqlite}` };
  }
  const { DatabaseSync } = await import('@photostructure/sqlite');
  return { DatabaseSync, source: '@photostructure/sqlite' };
}

function isNewEnough(version: string | undefined): boolean {
  if (version === undefined) return false;
  const parts = version.split('.').map(Number);
  for (const [i, min] of builtInVersionMin.entries()) {
    const part = parts[i] ?? 0;
    if (part !== min) return part > min;
  }
  return true;
}
