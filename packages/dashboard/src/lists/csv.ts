/**
 * Every cell that is not empty, as the service itself reads a CSV file; quoted cells may hold commas and line breaks.
 * In a list of patterns a line that does not begin with a quote is one entry: a comma may be part of a pattern.
 */
export function* cellsOf(csv: string, category: string): Generator<string> {
  let at = csv.charCodeAt(0) === 0xfeff ? 1 : 0;
  let isLineStart = true;
  while (at < csv.length) {
    const { cell, end } = cellAt(csv, at, category === 'pattern' && isLineStart);
    const trimmed = cell.trim();
    if (trimmed !== '') yield trimmed;
    isLineStart = csv[end] !== ',';
    at = end + 1;
  }
}

function cellAt(csv: string, at: number, isWholeLine: boolean): { cell: string; end: number } {
  if (csv[at] === '"') return quoted(csv, at + 1);
  return isWholeLine ? line(csv, at) : plain(csv, at);
}

function line(csv: string, at: number): { cell: string; end: number } {
  let end = at;
  while (end < csv.length && csv[end] !== '\n' && csv[end] !== '\r') end++;
  return { cell: csv.slice(at, end), end };
}

function plain(csv: string, at: number): { cell: string; end: number } {
  let end = at;
  while (end < csv.length && csv[end] !== ',' && csv[end] !== '\n' && csv[end] !== '\r') end++;
  return { cell: csv.slice(at, end), end };
}

/** Ends behind the comma or line break that follows the closing quote. */
function quoted(csv: string, at: number): { cell: string; end: number } {
  let end = at;
  for (; end < csv.length; end++) {
    if (csv[end] !== '"') continue;
    if (csv[end + 1] !== '"') break;
    end++;
  }
  return { cell: csv.slice(at, end).replaceAll('""', '"'), end: plain(csv, end + 1).end };
}
