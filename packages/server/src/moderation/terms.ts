import { randomBytes } from 'node:crypto';
import type { Reader, Tx } from '../store/store.ts';

/**
 * The terms of a list, a thousand a row and one a line (no term holds a line break). A list of a million is a thousand
 * rows: laid down in steps, so that nobody else's write waits for all of it, and read in steps for the same reason.
 */
export const termsPerChunk = 1000;
export const termsMax = 1_000_000;
/** What one change writes at most: a step of a large list. */
export const chunksPerStep = 20;

/** Where the terms of one version of a list stand. */
export interface TermsPlace {
  appId: string;
  listId: string;
  upload: string;
}

/** Terms on their way into the store: `chunks` is what is not laid down yet, from `position` on. */
export interface Upload {
  upload: string;
  count: number;
  chunks: readonly string[];
  position: number;
}

export function toUpload(terms: readonly string[]): Upload {
  return { upload: randomBytes(8).toString('hex'), count: terms.length, chunks: toChunks(terms), position: 0 };
}

export function toChunks(terms: readonly string[]): string[] {
  const chunks: string[] = [];
  for (let i = 0; i < terms.length; i += termsPerChunk) chunks.push(terms.slice(i, i + termsPerChunk).join('\n'));
  return chunks;
}

export async function writeChunks(
  tx: Tx,
  { appId, listId, upload }: TermsPlace,
  chunks: readonly string[],
  position: number,
): Promise<void> {
  await tx.insertMany(
    'keyword_chunks',
    ['app_id', 'list_id', 'upload', 'position', 'terms', 'created_at'],
    chunks.map((terms, i) => [appId, listId, upload, position + i, terms, tx.now]),
    'ON CONFLICT (app_id, list_id, upload, position) DO UPDATE SET terms = excluded.terms',
  );
}

/** A step of a large list that no list refers to yet. */
export async function stageTerms(
  tx: Tx,
  { place, chunks, position }: { place: TermsPlace; chunks: readonly string[]; position: number },
): Promise<void> {
  await writeChunks(tx, place, chunks, position);
}

export async function discardTerms(tx: Tx, { appId, listId, upload }: TermsPlace): Promise<void> {
  await tx.run('DELETE FROM keyword_chunks WHERE app_id = $1 AND list_id = $2 AND upload = $3', [
    appId,
    listId,
    upload,
  ]);
}

type ChunkRow = { position: number; terms: string };

/** Some rows at a time, in order, with a pause in between for whoever else wants the thread. */
export async function* readChunks(store: Reader, place: TermsPlace): AsyncGenerator<string[]> {
  for (let position = 0; ; position += chunksPerStep) {
    const rows = await readStep(store, place, position);
    if (rows.length > 0) yield rows.map(({ terms }) => terms);
    if (rows.length < chunksPerStep) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function readStep(store: Reader, { appId, listId, upload }: TermsPlace, position: number): Promise<ChunkRow[]> {
  return store.all<ChunkRow>(
    'SELECT position, terms FROM keyword_chunks WHERE app_id = $1 AND list_id = $2 AND upload = $3 AND position >= $4 AND position < $5 ORDER BY position',
    [appId, listId, upload, position, position + chunksPerStep],
  );
}

/** Puts new terms behind the others. Returns how many were new. */
export async function appendTerms(tx: Tx, place: TermsPlace, terms: readonly string[]): Promise<number> {
  const fresh = new Set(terms);
  let last: ChunkRow = { position: 0, terms: '' };
  for (let position = 0; ; position += chunksPerStep) {
    const rows = await readStep(tx, place, position);
    for (const row of rows) {
      for (const term of row.terms.split('\n')) fresh.delete(term);
      last = row;
    }
    if (rows.length < chunksPerStep) break;
  }
  if (fresh.size === 0) return 0;
  const tail = last.terms === '' ? [] : last.terms.split('\n');
  await writeChunks(tx, place, toChunks([...tail, ...fresh]), last.position);
  return fresh.size;
}

/** Takes terms out. Rows keep their places: an empty one is skipped by every reader. Returns how many there were. */
export async function removeTerms(tx: Tx, place: TermsPlace, terms: readonly string[]): Promise<number> {
  const gone = new Set(terms);
  let removed = 0;
  for (let position = 0; ; position += chunksPerStep) {
    const rows = await readStep(tx, place, position);
    for (const row of rows) {
      const lines = row.terms.split('\n');
      const left = lines.filter((term) => !gone.has(term));
      if (left.length === lines.length) continue;
      removed += lines.length - left.length;
      await writeChunks(tx, place, [left.join('\n')], row.position);
    }
    if (rows.length < chunksPerStep) return removed;
  }
}

/** The terms of a row; an emptied row has none. */
export function linesOf(chunk: string): string[] {
  return chunk === '' ? [] : chunk.split('\n');
}
