import { createReadStream, type ReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { CsvError, parse } from 'csv-parse';
import { tokenFields } from './platforms.ts';

/** A line of a file of tokens, as it was read. */
export interface Line {
  /** As an editor counts, from 1; the first of a record that has several. */
  number: number;
  /** Undefined where the line is no record at all. */
  record: Record<string, unknown> | undefined;
  /** How far the file is read, for the progress bar. */
  bytes: number;
}

/** The file as a whole cannot be used; the message goes on after its name. */
export class ImportFileError extends Error {}

/** CSV with a header line, or JSON lines. */
export async function* readLines(file: string, format: 'csv' | 'jsonl'): AsyncGenerator<Line> {
  const stream = createReadStream(file);
  try {
    yield* format === 'csv' ? readCsv(stream) : readJson(stream);
  } catch (error) {
    if (error instanceof CsvError) throw new ImportFileError(`is not CSV: ${error.message}`);
    if (stream.errored !== null) throw new ImportFileError(`cannot be read: ${stream.errored.message}`);
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Header and empty lines are minded here: csv-parse can count lines only at the price of a third of the time. */
async function* readCsv(stream: ReadStream): AsyncGenerator<Line> {
  const parser = parse({ bom: true, trim: true, relax_column_count: true });
  stream.once('error', (error) => parser.destroy(error)).pipe(parser);
  let header: string[] | undefined;
  let next = 1;
  for await (const fields of parser as AsyncIterable<string[]>) {
    const number = next;
    next += 1 + breaksIn(fields);
    if (fields.length === 1 && fields[0] === '') continue;
    if (header === undefined) {
      checkHeader(fields);
      header = fields;
      continue;
    }
    const record: Record<string, unknown> = {};
    for (let i = 0; i < header.length; i++) record[header[i] ?? ''] = fields[i];
    yield { number, record, bytes: stream.bytesRead };
  }
}

function breaksIn(fields: readonly string[]): number {
  let breaks = 0;
  for (const field of fields) for (let at = field.indexOf('\n'); at !== -1; at = field.indexOf('\n', at + 1)) breaks++;
  return breaks;
}

function checkHeader(header: readonly string[]): void {
  const missing = ['uid', 'platform'].filter((name) => !header.includes(name));
  if (!['pushToken', ...Object.values(tokenFields)].some((name) => header.includes(name))) missing.push('pushToken');
  if (missing.length === 0) return;
  const found = header.join(',');
  const separator = header.length === 1 ? [';', '\t', '|'].find((sign) => found.includes(sign)) : undefined;
  throw new ImportFileError(
    separator === undefined
      ? `has no column ${missing.join(', ')} in its header line, which is: ${found.slice(0, 200)}`
      : `must have commas between its columns, not ${separator === '\t' ? 'tabs' : `"${separator}"`}`,
  );
}

async function* readJson(stream: ReadStream): AsyncGenerator<Line> {
  const texts = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  stream.once('error', () => texts.close());
  let number = 0;
  for await (const text of texts) {
    number++;
    // A byte order mark is white space, which JSON does not take.
    const trimmed = text.trim();
    if (trimmed !== '') yield { number, record: parseLine(trimmed), bytes: stream.bytesRead };
  }
  if (stream.errored !== null) throw stream.errored;
}

function parseLine(text: string): Record<string, unknown> | undefined {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record === 'object' && record !== null && !Array.isArray(record))
      return record as Record<string, unknown>;
  } catch {}
  return undefined;
}
