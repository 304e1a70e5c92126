export interface DiffLine {
  kind: 'same' | 'gone' | 'new';
  text: string;
  at: number;
}

/** Line by line, by the longest common part; texts of a rule are short. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const lengths = commonLengths(a, b);
  const lines: DiffLine[] = [];
  const add = (kind: DiffLine['kind'], text = ''): number => lines.push({ kind, text, at: lines.length });
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('same', a[i]);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1))) {
      add('gone', a[i]);
      i++;
    } else {
      add('new', b[j]);
      j++;
    }
  }
  return lines;
}

function lengthAt(lengths: readonly (readonly number[])[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = b.length - 1; j >= 0 && row !== undefined; j--)
      row[j] =
        a[i] === b[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
  }
  return lengths;
}
