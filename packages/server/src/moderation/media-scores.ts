import type { Reader, Tx } from '../store/store.ts';
import type { Scores } from './classifier.ts';

/** What classifiers said, by the hash of the bytes: a picture that goes round is looked at once. */
export async function findMediaScores(
  store: Reader,
  contentHash: string,
  classifier: string,
): Promise<Scores | undefined> {
  const row = await store.get<{ scores: string }>(
    'SELECT scores FROM media_scores WHERE content_hash = $1 AND classifier = $2',
    [contentHash, classifier],
  );
  return row && (JSON.parse(row.scores) as Scores);
}

export async function saveMediaScores(
  tx: Tx,
  { contentHash, classifier, scores }: { contentHash: string; classifier: string; scores: Scores },
): Promise<void> {
  await tx.run(
    'INSERT INTO media_scores (content_hash, classifier, scores, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (content_hash, classifier) DO NOTHING',
    [contentHash, classifier, JSON.stringify(scores), tx.now],
  );
}

/** A bounded step; answers how many it took, so that the caller goes on until none is left. */
export async function forgetMediaScores(tx: Tx, { before, max }: { before: number; max: number }): Promise<number> {
  const old = await tx.all<{ content_hash: string; classifier: string }>(
    'SELECT content_hash, classifier FROM media_scores WHERE created_at < $1 ORDER BY created_at LIMIT $2',
    [before, max],
  );
  for (const { content_hash, classifier } of old)
    await tx.run('DELETE FROM media_scores WHERE content_hash = $1 AND classifier = $2', [content_hash, classifier]);
  return old.length;
}
