/** Statements straight on a store, past everything of ours: to fill it, or to look for what must not be in it. */
import { join } from 'node:path';
import pg from 'pg';
import { loadSqlite } from '../../src/store/sqlite-binding.ts';
import type { Place } from '../store/place.ts';

type Rows = Record<string, unknown>[];

export async function runSql(place: Place, statements: readonly string[]): Promise<Rows[]> {
  const { databaseUrl } = place.config.secrets;
  if (databaseUrl === undefined) {
    const { DatabaseSync } = await loadSqlite();
    const db = new DatabaseSync(join(place.config.settings.dataDir, 'gatehouse.db'), { timeout: 60_000 });
    try {
      return statements.map((sql) => db.prepare(sql).all() as Rows);
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const results: Rows[] = [];
    for (const sql of statements) results.push((await client.query(sql)).rows as Rows);
    return results;
  } finally {
    await client.end();
  }
}
