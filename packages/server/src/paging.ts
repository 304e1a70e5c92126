import { Type } from '#typebox';
import { badField } from './errors.ts';

/** A cursor is where the page ended, in a form that callers hand back and do not read. */
export function encodeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** `shape` says what the place must hold; anything else was not made by us. */
export function decodeCursor<const S extends readonly ('string' | 'number')[]>(
  cursor: string,
  shape: S,
): { [K in keyof S]: S[K] extends 'string' ? string : number } {
  const place = parsePlace(cursor);
  if (
    !Array.isArray(place) ||
    place.length !== shape.length ||
    place.some(
      (part: unknown, i) => typeof part !== shape[i] || (typeof part === 'number' && !Number.isSafeInteger(part)),
    )
  ) {
    throw badField('cursor', 'Is not a cursor of this listing. Start again without one.');
  }
  return place as { [K in keyof S]: S[K] extends 'string' ? string : number };
}

function parsePlace(cursor: string): unknown {
  try {
    const text = Buffer.from(cursor, 'base64url').toString('utf8');
    return text.includes('\\u0000') ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function limitQuery(max: number, standard: number) {
  return Type.Integer({
    minimum: 1,
    maximum: max,
    default: standard,
    description: `How many records to fetch, 1 to ${max}.`,
  });
}

export const cursorQuery = Type.Optional(
  Type.String({ minLength: 1, maxLength: 1024, description: 'Where the page before ended: its meta.next.cursor.' }),
);

export const listMeta = Type.Object({
  current: Type.Object({ limit: Type.Integer(), count: Type.Integer() }),
  next: Type.Optional(Type.Object({ cursor: Type.String() })),
});

/** Cuts the one record too many that tells whether there is more. */
export function page<T>(rows: T[], limit: number, place: (row: T) => readonly (string | number)[]) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data,
    meta: { current: { limit, count: data.length }, ...(hasMore && { next: { cursor: encodeCursor(place(last)) } }) },
  };
}
