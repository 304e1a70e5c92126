import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { decodeCursor, page } from '../paging.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { builtInLists, builtInRules } from './builtins.ts';
import type { ListContent } from './list-request.ts';
import { listsOf, type RuleBody } from './rule.ts';

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
});

type ListRow = {
  id: string;
  revision: number;
  built_in: number;
  name: string;
  description: string;
  category: string;
  is_csv: number;
  created_at: number;
  updated_at: number;
};
type Target = By & { appId: string };
type Content = Omit<ListContent, 'id' | 'name'> & { id: string; name: string };

const columns = 'id, revision, built_in, name, description, category, is_csv, created_at, updated_at';

/** The keyword lists that rules refer to. A built-in list is as it comes until the app replaces it. */
export class Lists {
  private readonly store: Store;
  private readonly ownListsMax: number;

  constructor(store: Store, options: { ownListsMax: number }) {
    this.store = store;
    this.ownListsMax = options.ownListsMax;
  }

  async listKeywordLists(appId: string, limit: number, cursor?: string) {
    const app = await this.store.get<{ created_at: number }>('SELECT created_at FROM apps WHERE id = $1', [appId]);
    const rows = await this.store.all<ListRow>(`SELECT ${columns} FROM keyword_lists WHERE app_id = $1`, [appId]);
    const stored = new Set(rows.map(({ id }) => id));
    for (const id of builtInLists.keys()) if (!stored.has(id)) rows.push(builtInRow(id, app?.created_at ?? 0));
    rows.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
    const [createdAt, lastId] =
      cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor(cursor, ['number', 'string']);
    const rest = rows.filter((row) => row.created_at < createdAt || (row.created_at === createdAt && row.id > lastId));
    const { data, meta } = page(rest.slice(0, limit + 1), limit, (row) => [row.created_at, row.id]);
    return { data: await Promise.all(data.map((row) => this.withTerms(appId, row))), meta };
  }

  async getKeywordList(appId: string, id: string) {
    const row = await currentRow(this.store, appId, id);
    if (row === undefined) throw new ApiError('ERR_KEYWORD_NOT_FOUND');
    return this.withTerms(appId, row);
  }

  async createKeywordList(target: Target, content: ListContent) {
    const id = content.id ?? `list-${randomBytes(4).toString('hex')}`;
    const full = { ...content, id, name: content.name ?? id };
    await this.store.change(createKeywordList, { ...target, content: full, ownListsMax: this.ownListsMax });
    return this.getKeywordList(target.appId, id);
  }

  async replaceKeywordList(target: Target, id: string, content: ListContent) {
    await this.store.change(replaceKeywordList, { ...target, content: { ...content, id, name: content.name ?? id } });
    return this.getKeywordList(target.appId, id);
  }

  deleteKeywordList(target: Target, id: string): Promise<void> {
    return this.store.change(deleteKeywordList, { ...target, id });
  }

  private async withTerms(appId: string, row: ListRow) {
    return toList(appId, row, await readTerms(this.store, appId, row));
  }
}

export async function createKeywordList(
  tx: Tx,
  { appId, actor, content, ownListsMax }: Target & { content: Content; ownListsMax: number },
): Promise<void> {
  await tx.lock(`lists:${appId}`);
  if ((await currentRow(tx, appId, content.id)) !== undefined) throw new ApiError('ERR_KEYWORD_ALREADY_EXISTS');
  const count = await tx.get<{ n: number }>(
    'SELECT COUNT(*) AS n FROM keyword_lists WHERE app_id = $1 AND built_in = 0',
    [appId],
  );
  if (Number(count?.n) >= ownListsMax) {
    throw new ApiError('ERR_KEYWORD_LIMIT_REACHED', {
      message: `The app has ${ownListsMax} keyword lists of its own, its limit. Delete one first, or raise the limit.`,
    });
  }
  const row = toRow(content, { revision: 1, built_in: 0, created_at: tx.now, updated_at: tx.now });
  await write(tx, appId, row, content.terms);
  await audit(tx, {
    appId,
    actor,
    action: 'createKeywordList',
    target: content.id,
    after: summary(row, content.terms.length),
  });
}

export async function replaceKeywordList(
  tx: Tx,
  { appId, actor, content }: Target & { content: Content },
): Promise<void> {
  await tx.lock(`lists:${appId}`);
  const before = await currentRow(tx, appId, content.id);
  if (before === undefined) throw new ApiError('ERR_KEYWORD_NOT_FOUND');
  const row = toRow(content, { ...before, revision: before.revision + 1, updated_at: tx.now });
  await write(tx, appId, row, content.terms);
  await audit(tx, {
    appId,
    actor,
    action: 'replaceKeywordList',
    target: content.id,
    before: summary(before),
    after: summary(row, content.terms.length),
  });
}

export async function deleteKeywordList(tx: Tx, { appId, actor, id }: Target & { id: string }): Promise<void> {
  await tx.lock(`lists:${appId}`);
  const before = await currentRow(tx, appId, id);
  if (before === undefined) throw new ApiError('ERR_KEYWORD_NOT_FOUND');
  if (before.built_in === 0) await refuseIfUsed(tx, appId, id);
  await tx.run('DELETE FROM keyword_lists WHERE app_id = $1 AND id = $2', [appId, id]);
  await audit(tx, { appId, actor, action: 'deleteKeywordList', target: id, before: summary(before) });
  tx.touch(`rules:${appId}`);
}

async function refuseIfUsed(tx: Tx, appId: string, id: string): Promise<void> {
  const rules = await tx.all<{ id: string; body: string }>('SELECT id, body FROM rules WHERE app_id = $1', [appId]);
  const bodies = new Map([
    ...builtInRules,
    ...rules.map((rule): [string, RuleBody] => [rule.id, JSON.parse(rule.body) as RuleBody]),
  ]);
  const users = [...bodies].filter(([, body]) => listsOf(body).includes(id)).map(([ruleId]) => ruleId);
  if (users.length > 0)
    throw new ApiError('ERR_KEYWORD_IN_USE', {
      message: `The rules ${users.join(', ')} use this list. Change them first.`,
      details: { rules: users },
    });
}

async function currentRow(store: Reader, appId: string, id: string): Promise<ListRow | undefined> {
  const row = await store.get<ListRow>(`SELECT ${columns} FROM keyword_lists WHERE app_id = $1 AND id = $2`, [
    appId,
    id,
  ]);
  if (row !== undefined || !builtInLists.has(id)) return row;
  const app = await store.get<{ created_at: number }>('SELECT created_at FROM apps WHERE id = $1', [appId]);
  return app && builtInRow(id, app.created_at);
}

function builtInRow(id: string, createdAt: number): ListRow {
  const { name = id, description = '', category = 'word' } = builtInLists.get(id) ?? {};
  return {
    id,
    revision: 1,
    built_in: 1,
    name,
    description,
    category,
    is_csv: 0,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

async function readTerms(store: Reader, appId: string, row: ListRow): Promise<readonly string[]> {
  if (row.built_in === 1 && row.revision === 1) return builtInLists.get(row.id)?.terms ?? [];
  const rows = await store.all<{ term: string }>(
    'SELECT term FROM keyword_terms WHERE app_id = $1 AND list_id = $2 ORDER BY position',
    [appId, row.id],
  );
  return rows.map(({ term }) => term);
}

async function write(tx: Tx, appId: string, row: ListRow, terms: readonly string[]): Promise<void> {
  await tx.run(
    `INSERT INTO keyword_lists (app_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (app_id, id) DO UPDATE SET revision = excluded.revision, name = excluded.name, description = excluded.description,
       category = excluded.category, is_csv = excluded.is_csv, updated_at = excluded.updated_at`,
    [
      appId,
      row.id,
      row.revision,
      row.built_in,
      row.name,
      row.description,
      row.category,
      row.is_csv,
      row.created_at,
      row.updated_at,
    ],
  );
  await tx.run('DELETE FROM keyword_terms WHERE app_id = $1 AND list_id = $2', [appId, row.id]);
  await tx.insertMany(
    'keyword_terms',
    ['app_id', 'list_id', 'position', 'term'],
    terms.map((term, i) => [appId, row.id, i, term]),
  );
  tx.touch(`rules:${appId}`);
}

function toRow(content: Content, rest: Pick<ListRow, 'revision' | 'built_in' | 'created_at' | 'updated_at'>): ListRow {
  const { revision, built_in, created_at, updated_at } = rest;
  const { id, name, description, category } = content;
  return { id, revision, built_in, name, description, category, is_csv: content.isCSV ? 1 : 0, created_at, updated_at };
}

/** A list may hold slurs by the thousand: the audit keeps its size, not its words. */
function summary(row: ListRow, terms?: number) {
  return { name: row.name, category: row.category, revision: row.revision, ...(terms !== undefined && { terms }) };
}

function toList(appId: string, row: ListRow, terms: readonly string[]) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    category: row.category,
    isCSV: row.is_csv === 1,
    searchTerms: terms,
    createdAt: Math.floor(row.created_at / 1000),
    updatedAt: Math.floor(row.updated_at / 1000),
    revisionId: `${appId}_${row.id}_${row.revision}`,
    active: true,
    ...(row.built_in === 1 && { default: true }),
  };
}
