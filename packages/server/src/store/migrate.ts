import type pg from 'pg';
import { foundation } from './migrations/0001-foundation.ts';
import { moderation } from './migrations/0002-moderation.ts';
import { push } from './migrations/0003-push.ts';
import { outbox } from './migrations/0004-outbox.ts';
import { webhooks } from './migrations/0005-webhooks.ts';
import { media } from './migrations/0006-media.ts';
import { people } from './migrations/0007-people.ts';
import { tokenStatistics } from './migrations/0008-token-statistics.ts';
import { listNumbers } from './migrations/0009-list-numbers.ts';
import { logOfNotification } from './migrations/0010-log-of-notification.ts';
import { noDeadJobs } from './migrations/0011-no-dead-jobs.ts';
import type { DatabaseSyncInstance } from './sqlite-binding.ts';

/** A step of the schema. The statements are written once, in the words both stores know; see `forPostgres`. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  /** What only SQLite needs to be told. */
  sqliteOnly?: readonly string[];
}

export const migrations: readonly Migration[] = [
  foundation,
  moderation,
  push,
  outbox,
  webhooks,
  media,
  people,
  tokenStatistics,
  listNumbers,
  logOfNotification,
  noDeadJobs,
];
export const newestVersion = Math.max(...migrations.map(({ version }) => version));

const ledger =
  'CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)';
/** Any number will do, as long as every Gatehouse process takes the same. */
const migrationLock = 7_113_304;

export class SchemaTooNew extends Error {
  constructor(found: number) {
    super(
      `The store has schema ${found}, newer than the ${newestVersion} this version of Gatehouse knows. Start the version that wrote it, or restore a backup.`,
    );
    this.name = 'SchemaTooNew';
  }
}

/** Where a store was to be opened, not made. */
export class StoreMissing extends Error {
  constructor(where: string) {
    super(`There is no store in ${where}. Name another place (--data, DATABASE_URL), or make it: gatehouse serve`);
    this.name = 'StoreMissing';
  }
}

export function migrateSqlite(db: DatabaseSyncInstance): void {
  db.exec('BEGIN EXCLUSIVE');
  try {
    db.exec(ledger);
    const row = db.prepare('SELECT MAX(version) AS version FROM migrations').get() as { version: number | null };
    for (const migration of missing(Number(row.version ?? 0))) {
      for (const statement of [...migration.statements, ...(migration.sqliteOnly ?? [])]) db.exec(statement);
      db.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(migration.version, migration.name, Date.now());
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export async function checkMade(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>("SELECT to_regclass('migrations') AS found");
  if (rows[0]?.found == null) throw new StoreMissing('the database that DATABASE_URL names');
}

export async function migratePostgres(client: pg.ClientBase): Promise<void> {
  await client.query('BEGIN');
  try {
    // Whatever the database allows a statement otherwise: one of these may rewrite a table, or wait for who does.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query(ledger);
    const { rows } = await client.query<{ version: number | null }>('SELECT MAX(version) AS version FROM migrations');
    for (const migration of missing(Number(rows[0]?.version ?? 0))) {
      for (const statement of migration.statements) await client.query(forPostgres(statement));
      await client.query('INSERT INTO migrations VALUES ($1, $2, $3)', [migration.version, migration.name, Date.now()]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

function missing(found: number): readonly Migration[] {
  if (found > newestVersion) throw new SchemaTooNew(found);
  return migrations.filter(({ version }) => version > found);
}

/** PostgreSQL sorts text by the database's language unless told otherwise; SQLite by bytes. Both must page alike. */
export function forPostgres(statement: string): string {
  return statement.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"').replace(/\)\s*WITHOUT ROWID\s*$/, ')');
}
