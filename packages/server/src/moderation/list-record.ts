import type { FoldOptions, Severity } from '@gatehouse/judge';
import type { Reader, Tx } from '../store/store.ts';
import { builtInLists } from './builtins.ts';

/** What a list has beside its terms. */
export interface ListOptions {
  /** Words that win over a match which they cover. */
  allow?: readonly string[];
  severity?: Readonly<Record<string, Severity>>;
  fold?: Partial<FoldOptions>;
}

export type ListRow = {
  id: string;
  revision: number;
  built_in: number;
  name: string;
  description: string;
  category: string;
  is_csv: number;
  upload: string;
  terms_count: number;
  options: string;
  created_at: number;
  updated_at: number;
};

const columns =
  'id, revision, built_in, name, description, category, is_csv, upload, terms_count, options, created_at, updated_at';

export async function readLists(store: Reader, appId: string): Promise<ListRow[]> {
  const app = await store.get<{ created_at: number }>('SELECT created_at FROM apps WHERE id = $1', [appId]);
  const rows = await store.all<ListRow>(`SELECT ${columns} FROM keyword_lists WHERE app_id = $1`, [appId]);
  const stored = new Set(rows.map(({ id }) => id));
  for (const id of builtInLists.keys()) if (!stored.has(id)) rows.push(builtInRow(id, app?.created_at ?? 0));
  return rows;
}

export async function currentList(store: Reader, appId: string, id: string): Promise<ListRow | undefined> {
  const row = await store.get<ListRow>(`SELECT ${columns} FROM keyword_lists WHERE app_id = $1 AND id = $2`, [
    appId,
    id,
  ]);
  if (row !== undefined || !builtInLists.has(id)) return row;
  const app = await store.get<{ created_at: number }>('SELECT created_at FROM apps WHERE id = $1', [appId]);
  return app && builtInRow(id, app.created_at);
}

function builtInRow(id: string, createdAt: number): ListRow {
  const {
    name = id,
    description = '',
    category = 'word',
    terms = [],
    allow = [],
    severity = {},
  } = builtInLists.get(id) ?? {};
  return {
    id,
    revision: 1,
    built_in: 1,
    name,
    description,
    category,
    is_csv: 0,
    upload: '',
    terms_count: terms.length,
    options: JSON.stringify({ allow, severity }),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

export async function writeList(tx: Tx, appId: string, row: ListRow): Promise<void> {
  await tx.run(
    `INSERT INTO keyword_lists (app_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (app_id, id) DO UPDATE SET revision = excluded.revision, name = excluded.name, description = excluded.description,
       category = excluded.category, is_csv = excluded.is_csv, upload = excluded.upload, terms_count = excluded.terms_count,
       options = excluded.options, updated_at = excluded.updated_at`,
    [
      appId,
      row.id,
      row.revision,
      row.built_in,
      row.name,
      row.description,
      row.category,
      row.is_csv,
      row.upload,
      row.terms_count,
      row.options,
      row.created_at,
      row.updated_at,
    ],
  );
  tx.touch(`rules:${appId}`);
}

/** A number is never used twice, not even by a list that is deleted and made again: If-Match would let a late writer win. */
export async function nextListRevision(tx: Tx, appId: string, id: string, current = 0): Promise<number> {
  const last = await tx.get<{ revision: number }>(
    'SELECT revision FROM keyword_list_numbers WHERE app_id = $1 AND list_id = $2',
    [appId, id],
  );
  return Math.max(Number(last?.revision ?? 0), current) + 1;
}

export async function removeList(tx: Tx, appId: string, { id, revision }: ListRow): Promise<void> {
  await tx.run('DELETE FROM keyword_lists WHERE app_id = $1 AND id = $2', [appId, id]);
  await tx.run(
    `INSERT INTO keyword_list_numbers (app_id, list_id, revision) VALUES ($1, $2, $3)
     ON CONFLICT (app_id, list_id) DO UPDATE SET revision = excluded.revision
     WHERE excluded.revision > keyword_list_numbers.revision`,
    [appId, id, revision],
  );
  tx.touch(`rules:${appId}`);
}

export function listRevisionId(appId: string, row: ListRow): string {
  return `${appId}_${row.id}_${row.revision}`;
}
