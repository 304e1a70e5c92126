/** Every cell that is not empty, as the service itself reads a CSV file; quoted cells may hold commas and line breaks. */
export function* cellsOf(csv: string): Generator<string> {
  let at = csv.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < csv.length) {
    const { cell, end } = csv[at] === '"' ? quoted(csv, at + 1) : plain(csv, at);
    const trimmed = cell.trim();
    if (trimmed !== '') yield trimmed;
    at = end + 1;
  }
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
