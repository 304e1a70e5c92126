import type { Command } from 'commander';
import type { TString } from '#typebox';
import { type Config, readConfig } from '../config.ts';
import { ConfigError } from '../config-checks.ts';
import { ApiError } from '../errors.ts';
import { openStore } from '../open-store.ts';
import { SchemaTooNew, StoreMissing } from '../store/migrate.ts';
import { MasterKeyError } from '../store/seal.ts';
import type { Store } from '../store/store.ts';

/** Something the person at the keyboard can mend; the message says how. */
export class CliError extends Error {}

export interface StoreOptions {
  data?: string;
  json?: boolean;
}

/** The options that every command on the store has. The database's address holds a password, so it comes from the environment only. */
export function withStoreOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'folder of the embedded store (or GATEHOUSE_DATA; DATABASE_URL for PostgreSQL)')
    .option('--json', 'print JSON');
}

export function configOf(options: StoreOptions, more: Record<string, string | undefined> = {}): Config {
  return readConfig({ ...process.env, ...(options.data !== undefined && { GATEHOUSE_DATA: options.data }), ...more });
}

/** Opens a store that is there, does one thing, closes it. It may run beside the service: changes reach it within a second. */
export async function onStore<T>(
  options: StoreOptions,
  work: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(options);
  const store = await openStore(config, { make: false, isPatient: true });
  try {
    return await work(store, config);
  } catch (error) {
    if (error instanceof ApiError)
      throw new CliError([error.message, ...Object.values(error.details ?? {}).flat()].join(' '));
    throw error;
  } finally {
    await store.close();
  }
}

export async function accountOf(store: Store): Promise<string> {
  // Loaded here: commands that never ask for it start without the rooms of the service.
  const { firstAccount } = await import('../apps/apps.ts');
  const account = await firstAccount(store);
  if (account === undefined)
    throw new CliError('The store has no account yet. Start the service once: gatehouse serve');
  return account.id;
}

interface TextBounds {
  pattern?: string;
  maxLength?: number;
  description?: string;
}

/** Text from the command line keeps the same bounds as text from a request. */
export function checkText(name: string, value: string, field: TString): void {
  const { pattern = '', maxLength = value.length, description = '' } = field as TString & TextBounds;
  if (value === '' || value.length > maxLength || !new RegExp(pattern).test(value))
    throw new CliError(`The ${name} does not have the right form: ${description}`);
}

/** What an error of the set-up means for the person who can mend it; undefined when it is none. */
export function mendOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const message = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
  if (code === 'ECONNREFUSED') return 'nothing listens at the address in DATABASE_URL. Is PostgreSQL running?';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name in DATABASE_URL is not known.';
  if (code === '28P01' || code === '28000') return 'PostgreSQL refused the user or the password in DATABASE_URL.';
  if (code === '3D000') return 'the database named in DATABASE_URL does not exist. Make it: createdb <name>';
  if (code === '25006')
    return 'the database named in DATABASE_URL is read-only: a standby, or set so. Name the one that takes writes.';
  if (code === '53300')
    return 'PostgreSQL has no connection left. Raise max_connections, or lower GATEHOUSE_POOL_SIZE: processes x (pool + 1) must fit.';
  if (code === 'EACCES' || code === 'EROFS')
    return `${message}. Give the user who runs Gatehouse the right to write there.`;
  const ours = [ConfigError, SchemaTooNew, StoreMissing, MasterKeyError];
  if (ours.some((one) => error instanceof one)) return message;
  return undefined;
}

/** Data goes to standard output: as JSON for scripts, as aligned columns for people. */
export function print(
  records: Record<string, unknown> | readonly Record<string, unknown>[],
  options: StoreOptions,
): void {
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(records)}\n`);
    return;
  }
  if (Array.isArray(records)) process.stdout.write(`${table(records as readonly Record<string, unknown>[])}\n`);
  else
    process.stdout.write(
      `${Object.entries(records)
        .map(([name, value]) => `${name}: ${show(value)}`)
        .join('\n')}\n`,
    );
}

/** As it comes, in no more memory however much it is: a line of JSON each, or columns as wide as the first thousand need. */
export async function printEach<R extends object>(
  records: AsyncIterable<R>,
  columns: readonly (keyof R & string)[],
  options: { json?: boolean },
): Promise<void> {
  let rows: string[][] = [[...columns]];
  let widths: number[] | undefined;
  const flush = (): void => {
    widths ??= widthsOf(rows);
    if (rows.length > 0) process.stdout.write(`${laidOut(rows, widths)}\n`);
    rows = [];
  };
  let count = 0;
  for await (const record of records) {
    count++;
    if (options.json === true) process.stdout.write(`${JSON.stringify(record)}\n`);
    else if (rows.push(columns.map((column) => show(record[column]))) >= rowsTogether) flush();
  }
  if (options.json === true) return;
  if (count === 0) process.stdout.write('(none)\n');
  else flush();
}

const rowsTogether = 1000;

function table(records: readonly Record<string, unknown>[]): string {
  if (records.length === 0) return '(none)';
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = [columns, ...records.map((record) => columns.map((column) => show(record[column])))];
  return laidOut(rows, widthsOf(rows));
}

/** Not by Math.max(...), which fails where there are more rows than the stack has room for. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return widths;
}

function laidOut(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function show(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
