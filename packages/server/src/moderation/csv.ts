import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { badField } from '../errors.ts';

/** What is parsed before others get the thread: some milliseconds of work. */
const bytesPerTurn = 16_384;

/** A line break may come in two pieces; a carriage return at the end of a piece waits for the next one. */
const lineBreak = /\r?\n|\r(?!$)/;

/**
 * Every cell of a CSV file, read as it arrives: a large file is never held as one text. With `linesAreTerms` a line that
 * does not begin with a quote is one term, whatever stands in it: a comma may be part of a pattern.
 */
export async function csvTerms(
  file: AsyncIterable<Buffer> | Iterable<Buffer>,
  { linesAreTerms = false } = {},
): Promise<string[]> {
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
  const lines = linesAreTerms ? new QuotedLines() : undefined;
  for await (const bytes of file)
    for (let at = 0; at < bytes.length; at += bytesPerTurn) {
      const text = decode(decoder, bytes.subarray(at, at + bytesPerTurn));
      await write(lines === undefined ? text : lines.push(text));
      // A file that is here already would otherwise be read to its end while everybody waits.
      await new Promise((resolve) => setImmediate(resolve));
    }
  // A character that was begun and never ended.
  decode(decoder);
  if (lines !== undefined) await write(lines.rest());
  const ended = new Promise<void>((resolve) => parser.on('end', resolve));
  parser.end();
  await Promise.race([failed, ended]);
  return terms;
}

/** Puts quotes around every line that begins with none, so that the parser takes it as one cell. */
class QuotedLines {
  private open = '';

  /** The lines that end in this piece of the file. */
  push(text: string): string {
    // Only the new piece is searched: a long line would otherwise be searched again with each of its pieces.
    const isCut = this.open.endsWith('\r');
    if (isCut) this.open = this.open.slice(0, -1);
    const [first = '', ...others] = (isCut ? `\r${text}` : text).split(lineBreak);
    const lines = [this.open + first, ...others];
    this.open = lines.pop() ?? '';
    return lines.map((line) => `${quoted(line)}\n`).join('');
  }

  rest(): string {
    return quoted(this.open);
  }
}

function quoted(line: string): string {
  const trimmed = line.trim();
  return trimmed === '' || trimmed.startsWith('"') ? trimmed : `"${trimmed.replaceAll('"', '""')}"`;
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
