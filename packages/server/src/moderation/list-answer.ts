import { Type } from '#typebox';
import { csvCell } from './csv.ts';
import { type ListOptions, type ListRow, listRevisionId } from './list-record.ts';

/** A keyword list as it is answered, written as it is read: the terms never stand in memory all at once. */
export const listAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  isCSV: Type.Boolean(),
  searchTerms: Type.Array(Type.String()),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  revisionId: Type.String(),
  active: Type.Boolean(),
  default: Type.Optional(Type.Boolean()),
  searchTermsCount: Type.Optional(Type.Integer()),
  allow: Type.Optional(Type.Array(Type.String())),
  fold: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
});

export type Terms = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

export async function* oneListAsJson(appId: string, row: ListRow, terms: Terms): AsyncGenerator<string> {
  yield '{"data":';
  yield* listAsJson(appId, row, terms);
  yield '}';
}

export async function* manyListsAsJson(
  appId: string,
  rows: readonly ListRow[],
  meta: unknown,
  termsOf: (row: ListRow) => Terms,
): AsyncGenerator<string> {
  yield '{"data":[';
  for (const [i, row] of rows.entries()) {
    if (i > 0) yield ',';
    yield* listAsJson(appId, row, termsOf(row));
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}

async function* listAsJson(appId: string, row: ListRow, terms: Terms): AsyncGenerator<string> {
  const { id, name, description, category } = row;
  const head = JSON.stringify({ id, name, description, category, isCSV: row.is_csv === 1 });
  yield `${head.slice(0, -1)},"searchTerms":[`;
  let isFirst = true;
  for await (const some of terms) {
    if (some.length === 0) continue;
    yield (isFirst ? '' : ',') + JSON.stringify(some).slice(1, -1);
    isFirst = false;
  }
  yield `],${JSON.stringify(tailOf(appId, row)).slice(1)}`;
}

function tailOf(appId: string, row: ListRow) {
  const { allow, fold } = JSON.parse(row.options) as ListOptions;
  return {
    createdAt: Math.floor(row.created_at / 1000),
    updatedAt: Math.floor(row.updated_at / 1000),
    revisionId: listRevisionId(appId, row),
    active: true,
    ...(row.built_in === 1 && { default: true }),
    searchTermsCount: row.terms_count,
    ...(allow && { allow }),
    ...(fold && { fold }),
  };
}

/** One term a line, as CSV or as JSON. */
export async function* termLines(terms: Terms, format: 'csv' | 'jsonl'): AsyncGenerator<string> {
  for await (const some of terms) {
    if (some.length === 0) continue;
    yield format === 'csv'
      ? some.map((term) => `${quoted(term)}\r\n`).join('')
      : some.map((term) => `${JSON.stringify(term)}\n`).join('');
  }
}

/** Terms are read back by us: they are quoted where they must be, and otherwise left exactly as they are. */
function quoted(term: string): string {
  return /^\s|\s$/.test(term) ? `"${term.replaceAll('"', '""')}"` : csvCell(term, false);
}
