import { randomBytes } from 'node:crypto';
import type { By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { decodeCursor, page } from '../paging.ts';
import type { Store } from '../store/store.ts';
import { builtInLists } from './builtins.ts';
import {
  addKeywordTerms,
  createKeywordList,
  deleteKeywordList,
  removeKeywordTerms,
  replaceKeywordList,
} from './list-changes.ts';
import { currentList, type ListRow, readLists } from './list-record.ts';
import type { ListContent } from './list-request.ts';
import { chunksPerStep, discardTerms, linesOf, readChunks, stageTerms, toUpload, type Upload } from './terms.ts';

type Target = By & { appId: string };
type OnList = Target & { id: string; ifMatch?: string };

/** Told when an app's rules or lists changed; settles when the next message will be judged by them. */
export interface ActsAtOnce {
  refresh(appId: string): Promise<void>;
}

/** The keyword lists that rules refer to. A built-in list is as it comes until the app replaces it. */
export class Lists {
  private readonly store: Store;
  private readonly judges: ActsAtOnce;
  private readonly ownListsMax: number;

  constructor(store: Store, judges: ActsAtOnce, options: { ownListsMax: number }) {
    this.store = store;
    this.judges = judges;
    this.ownListsMax = options.ownListsMax;
  }

  /** Without terms: those are read with `streamTerms`, since there may be a million. */
  async listKeywordLists(appId: string, limit: number, cursor?: string) {
    const rows = await readLists(this.store, appId);
    rows.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
    const [createdAt, lastId] =
      cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor(cursor, ['number', 'string']);
    const rest = rows.filter((row) => row.created_at < createdAt || (row.created_at === createdAt && row.id > lastId));
    return page(rest.slice(0, limit + 1), limit, (row) => [row.created_at, row.id]);
  }

  async getKeywordList(appId: string, id: string): Promise<ListRow> {
    const row = await currentList(this.store, appId, id);
    if (row === undefined) throw new ApiError('ERR_KEYWORD_NOT_FOUND');
    return row;
  }

  async createKeywordList(target: Target, { terms, ...content }: ListContent): Promise<ListRow> {
    const id = content.id ?? `list-${randomBytes(4).toString('hex')}`;
    if ((await currentList(this.store, target.appId, id)) !== undefined)
      throw new ApiError('ERR_KEYWORD_ALREADY_EXISTS');
    const list = { ...content, id, name: content.name ?? id };
    const upload = await this.stage(target.appId, id, toUpload(terms));
    return this.settle(target.appId, id, upload, () =>
      this.store.change(createKeywordList, { ...target, list, upload, ownListsMax: this.ownListsMax }),
    );
  }

  async replaceKeywordList({ id, ...on }: OnList, { terms, ...content }: ListContent): Promise<ListRow> {
    await this.getKeywordList(on.appId, id);
    const list = { ...content, id, name: content.name ?? id };
    const upload = await this.stage(on.appId, id, toUpload(terms));
    return this.settle(on.appId, id, upload, () => this.store.change(replaceKeywordList, { ...on, list, upload }));
  }

  async deleteKeywordList(on: OnList): Promise<void> {
    await this.store.change(deleteKeywordList, on);
    await this.judges.refresh(on.appId);
  }

  async addTerms(on: OnList, terms: readonly string[]) {
    const changed = await this.store.change(addKeywordTerms, { ...on, terms });
    await this.judges.refresh(on.appId);
    return changed;
  }

  async removeTerms(on: OnList, terms: readonly string[]) {
    const changed = await this.store.change(removeKeywordTerms, { ...on, terms });
    await this.judges.refresh(on.appId);
    return changed;
  }

  /** The terms of a list, some thousand at a time. Throws when the list was replaced meanwhile: half a list is no answer. */
  async *streamTerms(appId: string, row: ListRow): AsyncGenerator<readonly string[]> {
    if (row.upload === '') {
      yield builtInLists.get(row.id)?.terms ?? [];
      return;
    }
    let count = 0;
    for await (const chunks of readChunks(this.store, { appId, listId: row.id, upload: row.upload })) {
      const terms = chunks.flatMap(linesOf);
      count += terms.length;
      yield terms;
    }
    if (count === row.terms_count) return;
    const now = await currentList(this.store, appId, row.id);
    if (now?.revision !== row.revision) throw new Error(`The list ${row.id} changed while it was read.`);
  }

  /** Lays down all but the last step of a large list, where no reader sees it yet. */
  private async stage(appId: string, listId: string, upload: Upload): Promise<Upload> {
    const place = { appId, listId, upload: upload.upload };
    let { position } = upload;
    for (; upload.chunks.length - position > chunksPerStep; position += chunksPerStep) {
      const chunks = upload.chunks.slice(position, position + chunksPerStep);
      await this.store.change(stageTerms, { place, chunks, position });
    }
    return { ...upload, chunks: upload.chunks.slice(position), position };
  }

  private async settle(appId: string, id: string, { upload }: Upload, change: () => Promise<void>): Promise<ListRow> {
    try {
      await change();
    } catch (error) {
      // What this misses is swept up later with the other uploads that nothing refers to.
      await this.store.change(discardTerms, { appId, listId: id, upload }).catch(() => {});
      throw error;
    }
    await this.judges.refresh(appId);
    return this.getKeywordList(appId, id);
  }
}
