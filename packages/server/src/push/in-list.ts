import type { Reader, Row, SqlValue } from '../store/store.ts';

/**
 * Looks up many values with few statements, whose texts stay the same: unused places are empty. The values are a table that
 * stands first in the join, since SQLite would rather read all rows of an app than look up a hundred of them by `IN`.
 */
export interface InList {
  narrow: string;
  wide: string;
}

const narrowMax = 4;
const wideMax = 100;

/** `rest` goes on after `FROM wanted CROSS JOIN`, and compares with `wanted.value`; `fixed` parameters come before the values. */
export function inList(columns: string, rest: string, fixed: number, tail = ''): InList {
  const text = (width: number): string => {
    const places = Array.from({ length: width }, (_, i) => `($${fixed + 1 + i})`).join(', ');
    return `WITH wanted (value) AS (VALUES ${places}) SELECT ${columns} FROM wanted CROSS JOIN ${rest} AND wanted.value <> '' ${tail}`;
  };
  return { narrow: text(narrowMax), wide: text(wideMax) };
}

export async function allIn<R extends Row>(
  store: Reader,
  list: InList,
  fixed: readonly SqlValue[],
  values: readonly string[],
): Promise<R[]> {
  const [sql, width] = values.length <= narrowMax ? [list.narrow, narrowMax] : [list.wide, wideMax];
  const rows: R[] = [];
  for (let start = 0; start < values.length; start += width) {
    const part = values.slice(start, start + width);
    rows.push(...(await store.all<R>(sql, [...fixed, ...part, ...Array<string>(width - part.length).fill('')])));
  }
  return rows;
}
