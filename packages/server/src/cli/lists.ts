import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { GatehouseClient } from '@gatehouse/client';
import { Command } from 'commander';
import { CliError, print } from './output.ts';
import { startProgress } from './progress.ts';
import { onService, parseJson, readText, type ServiceOptions, withServiceOptions } from './service.ts';

interface ImportOptions extends ServiceOptions {
  name?: string;
  category?: string;
  format?: string;
}

interface ExportOptions extends ServiceOptions {
  format: 'csv' | 'jsonl';
}

/** A list of a million entries is taken, stored and compiled before it is answered. */
const importTimeoutMs = 600_000;

export function listsCommand(): Command {
  const command = new Command('lists').description('Keyword lists: list, import, export.').addHelpText(
    'before',
    `Examples:
  gatehouse lists import spoilers spoilers.csv     make the list, or replace its entries
  gatehouse lists export spoilers > spoilers.csv
`,
  );
  withServiceOptions(command.command('list').description('list the keyword lists')).action((options: ServiceOptions) =>
    onService(options, async (client) => {
      const rows: Record<string, unknown>[] = [];
      for await (const { id, name, category, searchTermsCount } of client.all('listKeywordLists', {
        limit: 100,
        terms: false,
      }))
        rows.push({ id, name, category, entries: searchTermsCount });
      print(rows, options);
    }),
  );
  withServiceOptions(
    command
      .command('import <listId> <file>')
      .description('make a list from a file, or replace all its entries at once; - for standard input')
      .option('--name <name>', 'name of the list')
      .option('--category <word|pattern>', 'what its entries are (word)')
      .option('--format <csv|jsonl|lines>', 'how the file is written (by default from its name; else lines)'),
  ).action(importList);
  withServiceOptions(
    command
      .command('export <listId>')
      .description('print the entries of a list')
      .option('--format <csv|jsonl>', 'how', 'csv'),
  ).action((listId: string, options: ExportOptions) =>
    onService(options, async (client) => {
      const { body } = await client.exportKeywordList({ id: listId, format: options.format });
      for await (const part of body ?? []) if (!process.stdout.write(part)) await once(process.stdout, 'drain');
    }),
  );
  return command;
}

async function importList(listId: string, file: string, options: ImportOptions): Promise<void> {
  const csv = await readAsCsv(file, options.format ?? formatOf(file));
  const progress = startProgress(`Sending ${csv.size.toLocaleString('en')} bytes`);
  let sent = 0;
  const told = (bytes: number): void => {
    sent += bytes;
    progress.at(Math.min(sent, csv.size), csv.size);
  };
  const settings = { timeoutMs: importTimeoutMs, fetch: countingFetch(told) };
  try {
    const { data } = await onService(
      options,
      async (client) => {
        const known = await findList(client, listId);
        const fields = {
          ...known,
          ...(options.name && { name: options.name }),
          ...(options.category && { category: options.category }),
        };
        const body = new FormData();
        for (const [name, value] of Object.entries({ ...fields, id: listId })) body.set(name, value);
        body.set('file', csv, `${basename(file)}.csv`);
        return known === undefined
          ? client.createKeywordList({ body })
          : client.replaceKeywordList({ id: listId, body });
      },
      settings,
    );
    print({ id: data.id, entries: data.searchTermsCount, revisionId: data.revisionId }, options);
  } finally {
    progress.end();
  }
}

/** What a replacement keeps where nothing else is said. */
async function findList(client: GatehouseClient, listId: string): Promise<Record<string, string> | undefined> {
  for await (const { id, name, description, category } of client.all('listKeywordLists', { limit: 100, terms: false }))
    if (id === listId) return { name, description, category };
  return undefined;
}

/** Sends a form as it is read and tells of every piece that went out. */
function countingFetch(told: (bytes: number) => void): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    if (!(init.body instanceof FormData)) return fetch(url, init);
    const encoded = new Response(init.body);
    const counted = encoded.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          told(chunk.byteLength);
          controller.enqueue(chunk);
        },
      }),
    );
    const headers = { ...init.headers, 'content-type': encoded.headers.get('content-type') ?? '' };
    const streamed: RequestInit & { duplex: 'half' } = { ...init, headers, body: counted ?? null, duplex: 'half' };
    return fetch(url, streamed);
  };
}

function formatOf(file: string): string {
  if (file.endsWith('.csv')) return 'csv';
  return file.endsWith('.jsonl') || file.endsWith('.ndjson') ? 'jsonl' : 'lines';
}

async function readAsCsv(file: string, format: string): Promise<Blob> {
  if (format === 'csv' && file !== '-') {
    try {
      return await openAsBlob(file);
    } catch {
      throw new CliError(`${file} cannot be read.`);
    }
  }
  const text = readText(file);
  if (format === 'csv') return new Blob([text]);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (format === 'lines') return new Blob([lines.map(quoted).join('\n')]);
  if (format !== 'jsonl') throw new CliError(`There is no format ${format}: use csv, jsonl or lines.`);
  return new Blob([lines.map((line, i) => quoted(String(parseJson(line, `Line ${i + 1} of ${file}`)))).join('\n')]);
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
