import { type Stats, statSync } from 'node:fs';
import { Command } from 'commander';
import { findApp } from '../apps/apps.ts';
import { type ImportRow, importTokens } from '../push/import.ts';
import { ImportFileError, readLines } from '../push/import-lines.ts';
import { LineReader } from '../push/import-rows.ts';
import type { Store } from '../store/store.ts';
import { actor } from './app.ts';
import { CliError, onStore, print, type StoreOptions, withStoreOptions } from './output.ts';
import { addTokenCommands } from './tokens-service.ts';

const rowsPerChange = 20_000;
const refusalsShown = 20;

interface ImportOptions extends StoreOptions {
  format?: string;
}

export function tokensCommand(): Command {
  const command = new Command('tokens').description('Push tokens of devices.');
  addTokenCommands(command);
  withStoreOptions(
    command
      .command('import <appId> <file>')
      .description('take over push tokens from a CSV file with a header line, or from JSON lines')
      .option('--format <csv|jsonl>', 'how the file is written (by default from its name: .csv, else JSON lines)')
      .addHelpText(
        'after',
        '\nColumns: uid, platform, pushToken; and if you have them authToken, providerId, timezone,\ncreatedAt, updatedAt (ISO 8601 or epoch).\nA user without authToken gets one. Importing a file twice changes nothing.',
      ),
  ).action((appId: string, file: string, options: ImportOptions) =>
    onStore(options, (store) => importFile(store, appId, file, options)),
  );
  return command;
}

async function importFile(store: Store, appId: string, file: string, options: ImportOptions): Promise<void> {
  if ((await findApp(store, appId)) === undefined)
    throw new CliError(`There is no app ${appId}. List them with: gatehouse app list`);
  const bar = new ProgressBar(sizeOf(file));
  const reader = await LineReader.for(store, appId);
  const total = { imported: 0, replaced: 0, refused: 0 };
  const refuse = (what: string): void => {
    total.refused++;
    if (total.refused <= refusalsShown) bar.note(what);
  };
  let rows: ImportRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  const flush = async (bytes: number): Promise<void> => {
    const batch = rows;
    rows = [];
    // One batch is written while the next is read.
    await writing;
    writing = store.change(importTokens, { appId, actor, rows: batch }).then(({ imported, replaced, refused }) => {
      total.imported += imported;
      total.replaced += replaced;
      for (const { uid, reason } of refused) refuse(`${uid}: ${reason}`);
      bar.show(bytes, total.imported);
    });
  };
  try {
    for await (const { number, record, bytes } of readLines(file, formatOf(file, options.format))) {
      const row = record === undefined ? 'it is not a JSON object' : reader.read(record);
      if (typeof row === 'string') refuse(`line ${number}: ${row}`);
      else rows.push(row);
      if (rows.length === rowsPerChange) await flush(bytes);
    }
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    await writing;
    const taken = total.imported === 0 ? '' : ` ${total.imported} tokens before it were taken.`;
    throw new CliError(`${file} ${error.message}. Mend it and import it again.${taken}`);
  }
  await flush(Number.POSITIVE_INFINITY);
  await writing;
  bar.end();
  print(total, options);
}

function sizeOf(file: string): number {
  let found: Stats;
  try {
    found = statSync(file);
  } catch {
    throw new CliError(`The file ${file} cannot be read.`);
  }
  if (found.isDirectory()) throw new CliError(`${file} is a folder. Name a file of tokens.`);
  return found.size;
}

function formatOf(file: string, format: string | undefined): 'csv' | 'jsonl' {
  if (format === undefined) return file.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl';
  if (format === 'csv' || format === 'jsonl') return format;
  throw new CliError(`--format must be csv or jsonl, not "${format}".`);
}

/** On standard error, so that standard output stays data; only where somebody looks. */
class ProgressBar {
  private readonly total: number;
  private readonly began = performance.now();
  private readonly isShown = process.stderr.isTTY === true;

  constructor(total: number) {
    this.total = total;
  }

  show(bytes: number, count: number): void {
    if (!this.isShown) return;
    const share = Math.min(1, bytes / Math.max(1, this.total));
    const filled = Math.round(share * 30);
    const rate = Math.round(count / ((performance.now() - this.began) / 1000));
    process.stderr.write(
      `\r[${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] ${Math.round(share * 100)} %  ${count} tokens, ${rate}/s `,
    );
  }

  note(text: string): void {
    process.stderr.write(`${this.isShown ? '\r\x1b[K' : ''}${text}\n`);
  }

  end(): void {
    if (this.isShown) process.stderr.write('\n');
  }
}
