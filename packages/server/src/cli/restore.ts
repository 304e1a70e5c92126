import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import pg from 'pg';
import type { Config } from '../config.ts';
import { openKeyring, openStore } from '../open-store.ts';
import { readSealed } from '../rotate-master-key.ts';
import { newestVersion, SchemaTooNew } from '../store/migrate.ts';
import { SqliteConnection } from '../store/sqlite-connection.ts';
import { checkCopy } from './backup.ts';
import { schemaOf } from './migrate.ts';
import { CliError, configOf, print, type StoreOptions, withStoreOptions } from './output.ts';
import { databaseOf, runPostgresTool } from './postgres-tools.ts';

interface RestoreOptions extends StoreOptions {
  force?: boolean;
}

export function restoreCommand(): Command {
  return withStoreOptions(
    new Command('restore')
      .argument('<file>')
      .description('Put a backup in the place of the store. Stop the service first.'),
  )
    .option('--force', 'replace a store that is there; the old file of an embedded store is kept beside it')
    .addHelpText(
      'before',
      `Examples:
  gatehouse restore /backups/gatehouse-2026-01-31.db
  gatehouse restore --force /backups/gatehouse-2026-01-31.db
`,
    )
    .action(restore);
}

async function restore(name: string, options: RestoreOptions): Promise<void> {
  const config = configOf(options);
  const file = resolve(name);
  if (!existsSync(file)) throw new CliError(`There is no file ${file}.`);
  const kept =
    config.secrets.databaseUrl === undefined
      ? await restoreSqlite(config, file, options.force === true)
      : await restorePostgres(config, config.secrets.databaseUrl, file, options.force === true);
  const { schema, sealed, shut } = await lookInside(config);
  print({ restored: file, schema, sealedSecrets: sealed, ...(kept !== undefined && { kept }) }, options);
  if (shut > 0) {
    process.stderr.write(
      `${shut} of ${sealed} sealed secrets do not open: this is not the master key they were sealed with. Put the right one at ${config.settings.masterKeyFile}, then run: gatehouse doctor\n`,
    );
    process.exitCode = 1;
  }
}

async function restoreSqlite({ settings }: Config, file: string, force: boolean): Promise<string | undefined> {
  const store = join(settings.dataDir, 'gatehouse.db');
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const incoming = `${store}.incoming`;
  const exists = existsSync(store);
  if (exists && !force) throw new CliError(`There is a store at ${store} already. Replace it with: --force`);
  copyFileSync(file, incoming);
  try {
    const schema = await checkCopy(incoming, settings.busyTimeoutMs);
    if (schema === 0) throw new CliError(`${file} is not a backup of Gatehouse: it has no schema of ours.`);
    if (schema > newestVersion) throw new SchemaTooNew(schema);
    if (exists) await standStill(store);
    sync(incoming);
    const kept = `${store}.before-restore-${new Date().toISOString().replaceAll(':', '')}`;
    if (exists) renameSync(store, kept);
    for (const rest of ['-wal', '-shm']) rmSync(store + rest, { force: true });
    renameSync(incoming, store);
    sync(settings.dataDir);
    return exists ? kept : undefined;
  } finally {
    rmSync(incoming, { force: true });
  }
}

/** Leaving the write-ahead log needs the store for oneself alone: it fails while any process has it open. */
async function standStill(store: string): Promise<void> {
  const connection = await SqliteConnection.open(store, 500);
  try {
    connection.db.exec('PRAGMA journal_mode = DELETE');
  } catch {
    throw new CliError('The service is running on this store. Stop it first, then restore.');
  } finally {
    connection.close();
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

async function restorePostgres(config: Config, url: string, file: string, force: boolean): Promise<undefined> {
  if ((await schemaOf(config)) > 0 && !force)
    throw new CliError('The database in DATABASE_URL has a store already. Replace it with: --force');
  const client = new pg.Client({ connectionString: url, application_name: 'restore of gatehouse' });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(
      "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'gatehouse%'",
    );
    if (Number(rows[0]?.n) > 0)
      throw new CliError('The service is running on this database. Stop every process of it first, then restore.');
  } finally {
    await client.end();
  }
  const options = ['--clean', '--if-exists', '--no-owner', '--single-transaction', '--exit-on-error'];
  await runPostgresTool('pg_restore', url, [...options, `--dbname=${databaseOf(url)}`, file]);
}

async function lookInside(config: Config): Promise<{ schema: number; sealed: number; shut: number }> {
  const store = await openStore(config);
  try {
    const secrets = await readSealed(store);
    const keyring = secrets.length > 0 ? openKeyring(config) : undefined;
    const shut = secrets.filter(({ sealed, place }) => {
      try {
        keyring?.open(sealed, place);
        return false;
      } catch {
        return true;
      }
    });
    return { schema: await store.schemaVersion(), sealed: secrets.length, shut: shut.length };
  } finally {
    await store.close();
  }
}
