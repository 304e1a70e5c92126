/** How many records one request looks at when most of them do not fit its filters. */
const lookedAtMax = 20_000;
const rowsPerRead = 500;

export interface Scanned<R, P> {
  rows: R[];
  /** Where to go on; undefined when there is no more. */
  next: P | undefined;
}

/**
 * A page of the records that fit, read some at a time. What no index can find (a piece of text) is looked for here, so a
 * page may come back short with a place to go on from: a request is never longer than `lookedAtMax` records.
 */
export async function scan<R, P>(options: {
  from: P;
  limit: number;
  read(from: P, count: number): Promise<R[]>;
  fits(row: R): boolean;
  placeOf(row: R): P;
}): Promise<Scanned<R, P>> {
  const { limit, read, fits, placeOf } = options;
  const rows: R[] = [];
  let place = options.from;
  for (let lookedAt = 0; lookedAt < lookedAtMax; ) {
    const some = await read(place, rowsPerRead);
    for (const row of some) {
      if (fits(row)) {
        // One too many: there is more, and it begins behind the last one taken.
        if (rows.length === limit) return { rows, next: placeOf(rows[limit - 1] ?? row) };
        rows.push(row);
      }
      place = placeOf(row);
    }
    if (some.length < rowsPerRead) return { rows, next: undefined };
    lookedAt += some.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { rows, next: place };
}
