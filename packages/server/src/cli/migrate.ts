import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import pg from 'pg';
import type { Config } from '../config.ts';
import { openStore } from '../open-store.ts';
import { newestVersion, SchemaTooNew } from '../store/migrate.ts';
import { SqliteConnection } from '../store/sqlite-connection.ts';
import { configOf, print, type StoreOptions, withStoreOptions } from './output.ts';

interface MigrateOptions extends StoreOptions {
  check?: boolean;
}

export function migrateCommand(): Command {
  return withStoreOptions(
    new Command('migrate').description('Bring the store to the schema of this version. serve does so by itself.'),
  )
    .option('--check', 'change nothing; exit with 1 if there is something to do')
    .addHelpText(
      'before',
      `Examples:
  gatehouse migrate --check    does this version need a newer schema than the store has?
  gatehouse migrate            bring the store up to date, before the new version is started

Stop the older version first, or run it beside the new one only if docs/guide/upgrade.md says so. Take a backup before.
`,
    )
    .action(migrate);
}

async function migrate(options: MigrateOptions): Promise<void> {
  const config = configOf(options);
  const before = await schemaOf(config);
  if (before > newestVersion) throw new SchemaTooNew(before);
  if (options.check !== true) await (await openStore(config)).close();
  const after = options.check === true ? before : newestVersion;
  print({ before, after, newest: newestVersion, upToDate: after === newestVersion }, options);
  if (after !== newestVersion) process.exitCode = 1;
}

/** The schema that the store has now; 0 for one that is not there yet. Looks only. */
export async function schemaOf(config: Config): Promise<number> {
  const { databaseUrl } = config.secrets;
  return databaseUrl === undefined
    ? schemaOfFile(join(config.settings.dataDir, 'gatehouse.db'), config.settings.busyTimeoutMs)
    : schemaOfDatabase(databaseUrl);
}

async function schemaOfFile(file: string, busyTimeoutMs: number): Promise<number> {
  if (!existsSync(file)) return 0;
  const connection = await SqliteConnection.open(file, busyTimeoutMs);
  try {
    return schemaIn(connection);
  } finally {
    connection.close();
  }
}

export function schemaIn(connection: SqliteConnection): number {
  const ledger = connection.get("SELECT name FROM sqlite_schema WHERE name = 'migrations'");
  if (ledger === undefined) return 0;
  return Number(connection.get('SELECT COALESCE(MAX(version), 0) AS version FROM migrations')?.version);
}

async function schemaOfDatabase(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString, application_name: 'gatehouse migrate' });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: string | null }>("SELECT to_regclass('migrations') AS found");
    if (rows[0]?.found == null) return 0;
    const result = await client.query<{ version: string | null }>('SELECT MAX(version) AS version FROM migrations');
    return Number(result.rows[0]?.version ?? 0);
  } finally {
    await client.end();
  }
}
