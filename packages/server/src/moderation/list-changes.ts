import { audit, type By } from '../apps/audit.ts';
import { ApiError, badField } from '../errors.ts';
import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import { builtInLists } from './builtins.ts';
import { currentList, type ListRow, listRevisionId, nextListRevision, removeList, writeList } from './list-record.ts';
import type { ListContent } from './list-request.ts';
import { refuseIfUsed } from './list-use.ts';
import { appendTerms, discardTerms, removeTerms, termsMax, toUpload, type Upload, writeChunks } from './terms.ts';

type Target = By & { appId: string };
/** `ifMatch` is the revision that the caller believes to be the current one. */
type OnList = Target & { id: string; ifMatch?: string };
export type NewList = Omit<ListContent, 'id' | 'name' | 'terms'> & { id: string; name: string };

export async function createKeywordList(
  tx: Tx,
  { appId, actor, list, upload, ownListsMax }: Target & { list: NewList; upload: Upload; ownListsMax: number },
): Promise<void> {
  await tx.lock(`rules:${appId}`);
  if ((await currentList(tx, appId, list.id)) !== undefined) throw new ApiError('ERR_KEYWORD_ALREADY_EXISTS');
  const count = await tx.get<{ n: number }>(
    'SELECT COUNT(*) AS n FROM keyword_lists WHERE app_id = $1 AND built_in = 0',
    [appId],
  );
  if (Number(count?.n) >= ownListsMax) {
    throw new ApiError('ERR_KEYWORD_LIMIT_REACHED', {
      message: `The app has ${ownListsMax} keyword lists of its own, its limit. Delete one first, or raise the limit.`,
    });
  }
  const revision = await nextListRevision(tx, appId, list.id);
  const row = toRow(list, upload, { revision, built_in: 0, created_at: tx.now, updated_at: tx.now });
  await writeChunks(tx, { appId, listId: row.id, upload: row.upload }, upload.chunks, upload.position);
  await writeList(tx, appId, row);
  await tell(tx, { appId, actor }, 'createKeywordList', undefined, row);
}

export async function replaceKeywordList(
  tx: Tx,
  { appId, actor, list, upload, ...on }: Target & { list: NewList; upload: Upload; ifMatch?: string },
): Promise<void> {
  const before = await expectedList(tx, { appId, actor, id: list.id, ...on });
  if (list.category !== before.category) {
    // The built-in rules may come back at any time, and look for what it came with.
    if (before.built_in === 1)
      throw badField('category', `A built-in list keeps its category, ${before.category}. Make a list of your own.`);
    // Rules that look for words in it would find patterns there.
    await refuseIfUsed(tx, appId, list.id);
  }
  const revision = await nextListRevision(tx, appId, list.id, before.revision);
  const row = toRow(list, upload, { ...before, revision, updated_at: tx.now });
  await writeChunks(tx, { appId, listId: row.id, upload: row.upload }, upload.chunks, upload.position);
  await writeList(tx, appId, row);
  if (before.upload !== '') await discardTerms(tx, { appId, listId: row.id, upload: before.upload });
  await tell(tx, { appId, actor }, 'replaceKeywordList', before, row);
}

export async function deleteKeywordList(tx: Tx, { appId, actor, id, ...on }: OnList): Promise<void> {
  const before = await expectedList(tx, { appId, actor, id, ...on });
  if (before.built_in === 0) await refuseIfUsed(tx, appId, id);
  await removeList(tx, appId, before);
  if (before.upload !== '') await discardTerms(tx, { appId, listId: id, upload: before.upload });
  await tell(tx, { appId, actor }, 'deleteKeywordList', before, undefined);
}

export interface TermsChanged {
  row: ListRow;
  changed: number;
}

export async function addKeywordTerms(
  tx: Tx,
  { appId, actor, id, terms, ...on }: OnList & { terms: readonly string[] },
): Promise<TermsChanged> {
  const before = await writableList(tx, { appId, actor, id, ...on });
  const place = { appId, listId: id, upload: before.upload };
  const changed = await appendTerms(tx, place, terms);
  const count = before.terms_count + changed;
  if (count > termsMax) throw badField('searchTerms', `The list would have ${count} entries; ${termsMax} is the most.`);
  return settleTerms(tx, { appId, actor }, 'addKeywordTerms', before, changed, count);
}

export async function removeKeywordTerms(
  tx: Tx,
  { appId, actor, id, terms, ...on }: OnList & { terms: readonly string[] },
): Promise<TermsChanged> {
  const before = await writableList(tx, { appId, actor, id, ...on });
  const changed = await removeTerms(tx, { appId, listId: id, upload: before.upload }, terms);
  return settleTerms(tx, { appId, actor }, 'removeKeywordTerms', before, changed, before.terms_count - changed);
}

async function expectedList(tx: Tx, { appId, id, ifMatch }: OnList): Promise<ListRow> {
  await tx.lock(`rules:${appId}`);
  const row = await currentList(tx, appId, id);
  if (row === undefined) throw new ApiError('ERR_KEYWORD_NOT_FOUND');
  if (ifMatch !== undefined && ifMatch !== listRevisionId(appId, row)) throw new ApiError('ERR_REVISION_CONFLICT');
  return row;
}

/** The list with terms of its own in the store: a built-in list that was never changed has none there yet. */
async function writableList(tx: Tx, on: OnList): Promise<ListRow> {
  const row = await expectedList(tx, on);
  if (row.upload !== '') return row;
  const { upload, chunks } = toUpload(builtInLists.get(on.id)?.terms ?? []);
  await writeChunks(tx, { appId: on.appId, listId: on.id, upload }, chunks, 0);
  return { ...row, upload };
}

async function settleTerms(
  tx: Tx,
  target: Target,
  action: string,
  before: ListRow,
  changed: number,
  count: number,
): Promise<TermsChanged> {
  if (changed === 0) return { row: before, changed };
  const revision = await nextListRevision(tx, target.appId, before.id, before.revision);
  const row = { ...before, terms_count: count, revision, updated_at: tx.now };
  await writeList(tx, target.appId, row);
  await tell(tx, target, action, before, row);
  return { row, changed };
}

/** A list may hold slurs by the thousand: the audit and the event keep its size, not its words. */
async function tell(
  tx: Tx,
  { appId, actor }: Target,
  action: string,
  before: ListRow | undefined,
  after: ListRow | undefined,
): Promise<void> {
  const target = (after ?? before)?.id ?? '';
  await audit(tx, {
    appId,
    actor,
    action,
    target,
    ...(before && { before: summary(before) }),
    ...(after && { after: summary(after) }),
  });
  const list = { id: target, ...summary(after ?? before) };
  await announce(tx, { appId, trigger: 'list_changed', data: { change: action, list, by: actor } });
}

function summary(row: ListRow | undefined) {
  return { name: row?.name, category: row?.category, revision: row?.revision, terms: row?.terms_count };
}

function toRow(
  list: NewList,
  { upload, count }: Upload,
  rest: Pick<ListRow, 'revision' | 'built_in' | 'created_at' | 'updated_at'>,
): ListRow {
  const { revision, built_in, created_at, updated_at } = rest;
  return {
    id: list.id,
    revision,
    built_in,
    name: list.name,
    description: list.description,
    category: list.category,
    is_csv: list.isCSV ? 1 : 0,
    upload,
    terms_count: count,
    options: JSON.stringify(list.options),
    created_at,
    updated_at,
  };
}
