import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Command } from 'commander';
import type { Config } from '../config.ts';
import { SqliteConnection } from '../store/sqlite-connection.ts';
import { schemaIn, schemaOf } from './migrate.ts';
import { CliError, configOf, print, type StoreOptions, withStoreOptions } from './output.ts';
import { runPostgresTool } from './postgres-tools.ts';
import { type Progress, startProgress } from './progress.ts';

interface BackupOptions extends StoreOptions {
  force?: boolean;
}

export function backupCommand(): Command {
  return withStoreOptions(
    new Command('backup').argument('<file>').description('Copy the whole store into one file, while the service runs.'),
  )
    .option('--force', 'replace the file if it is there')
    .addHelpText(
      'before',
      `Examples:
  gatehouse backup /backups/gatehouse-$(date +%F).db
  DATABASE_URL=postgres://... gatehouse backup /backups/gatehouse.dump     (needs pg_dump)

The copy is of one moment. The master key is not in it: keep that apart, for without it the sealed secrets stay shut.
`,
    )
    .action(backup);
}

async function backup(name: string, options: BackupOptions): Promise<void> {
  const config = configOf(options);
  const file = resolve(name);
  if (existsSync(file) && options.force !== true)
    throw new CliError(`${file} is there already. Choose another name, or replace it: --force`);
  if (!existsSync(dirname(file))) throw new CliError(`There is no folder ${dirname(file)}. Make it first.`);
  const schema = await schemaOf(config);
  if (schema === 0) throw new CliError('There is no store here yet, so there is nothing to back up.');
  // Under another name until it is whole: nobody takes half a copy for a backup.
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    if (config.secrets.databaseUrl === undefined) await copySqlite(config, unfinished);
    else await runPostgresTool('pg_dump', config.secrets.databaseUrl, ['--format=custom', `--file=${unfinished}`]);
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  print({ file, bytes: statSync(file).size, schema }, options);
  if (config.secrets.masterKeys === undefined && existsSync(config.settings.masterKeyFile))
    process.stderr.write(`Keep the master key too, in another place: ${config.settings.masterKeyFile}\n`);
}

async function copySqlite({ settings }: Config, to: string): Promise<void> {
  const from = join(settings.dataDir, 'gatehouse.db');
  const progress = startProgress('Copying');
  const timer = setInterval(() => progress.at(sizeOf(to), sizeOf(from)), 100);
  try {
    await runWorker({ from, to, busyTimeoutMs: settings.busyTimeoutMs });
  } finally {
    clearInterval(timer);
    progress.end();
  }
  await checkCopy(to, settings.busyTimeoutMs, progress);
}

function runWorker(data: { from: string; to: string; busyTimeoutMs: number }): Promise<void> {
  return new Promise((done, reject) => {
    const worker = new Worker(new URL('./backup-worker.js', import.meta.url), { workerData: data });
    worker.once('message', () => done());
    worker.once('error', reject);
    worker.once('exit', (code) => code !== 0 && reject(new CliError('The copy could not be finished.')));
  });
}

/** A copy that was never read is a hope, not a backup. */
export async function checkCopy(file: string, busyTimeoutMs: number, progress?: Progress): Promise<number> {
  let connection: SqliteConnection;
  try {
    connection = await SqliteConnection.open(file, busyTimeoutMs);
  } catch {
    throw new CliError(`${file} is not a backup of the embedded store.`);
  }
  try {
    const [found] = connection.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    if (found?.quick_check !== 'ok') throw new CliError(`${file} is damaged: ${found?.quick_check}`);
    const schema = schemaIn(connection);
    // The copy is one plain file again, without a log beside it.
    connection.db.exec('PRAGMA journal_mode = DELETE');
    return schema;
  } finally {
    connection.close();
    progress?.end();
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
