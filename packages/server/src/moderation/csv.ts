import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { badField } from '../errors.ts';

/** What is parsed before others get the thread: some milliseconds of work. */
const bytesPerTurn = 16_384;

/** Every cell of a CSV file, read as it arrives: a large file is never held as one text. */
export async function csvTerms(file: AsyncIterable<Buffer>): Promise<string[]> {
  const terms: string[] = [];
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  const failed = new Promise<never>((_resolve, reject) => {
    parser.on('error', (error) => reject(badField('file', `The file is not CSV: ${reasonOf(error)}`)));
  });
  // The error is also seen by whoever waits for the next piece; alone it must not end the process.
  failed.catch(() => {});
  const take = (): void => {
    for (let row: string[] | null = parser.read(); row !== null; row = parser.read())
      for (const cell of row) if (cell !== '') terms.push(cell);
  };
  parser.on('readable', take);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const write = (text: string): Promise<void> =>
    Promise.race([failed, new Promise<void>((resolve) => parser.write(text, () => resolve()))]);
  for await (const bytes of file)
    for (let at = 0; at < bytes.length; at += bytesPerTurn) {
      await write(decode(decoder, bytes.subarray(at, at + bytesPerTurn)));
      // A file that is here already would otherwise be read to its end while everybody waits.
      await new Promise((resolve) => setImmediate(resolve));
    }
  // A character that was begun and never ended.
  decode(decoder);
  const ended = new Promise<void>((resolve) => parser.on('end', resolve));
  parser.end();
  await Promise.race([failed, ended]);
  return terms;
}

function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw badField('file', 'The file is not UTF-8. Save it as CSV UTF-8.');
  }
}

/** The parser's own words, up to the part that quotes the file. */
function reasonOf(error: Error): string {
  const words = error instanceof CsvError ? error.message.split(/[,:]/)[0] : 'it cannot be read';
  const line = error instanceof CsvError && typeof error.lines === 'number' ? `line ${error.lines}: ` : '';
  return `${line}${words}.`;
}

/** One cell, quoted where it must be. For people's spreadsheets, a cell that would be run as a formula is made text. */
export function csvCell(value: string, forSpreadsheet = true): string {
  const safe = forSpreadsheet && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
