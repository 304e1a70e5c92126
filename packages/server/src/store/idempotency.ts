import { ApiError } from '../errors.ts';
import type { Tx } from './store.ts';

/** A request that may come twice: the network lost our answer, and the caller asks again with the same key. */
export interface Idempotency {
  keyHash: string;
  bodyHash: string;
}

export const idempotencyMs = 24 * 60 * 60_000;

/** Part of a change: does it once, and answers every repetition with the first answer. A key is kept for a day. */
export async function once<T>(
  tx: Tx,
  appId: string,
  idempotency: Idempotency | undefined,
  make: () => Promise<T>,
): Promise<T> {
  if (idempotency === undefined) return make();
  const { keyHash, bodyHash } = idempotency;
  await tx.lock(`idempotency:${appId}:${keyHash}`);
  const known = await tx.get<{ body_hash: string; answer: string }>(
    'SELECT body_hash, answer FROM idempotency_keys WHERE app_id = $1 AND key_hash = $2 AND created_at > $3',
    [appId, keyHash, tx.now - idempotencyMs],
  );
  if (known !== undefined) {
    if (known.body_hash !== bodyHash) throw new ApiError('ERR_IDEMPOTENCY_KEY_REUSED');
    return JSON.parse(known.answer) as T;
  }
  const answer = await make();
  await tx.run(
    `INSERT INTO idempotency_keys (app_id, key_hash, body_hash, answer, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (app_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`,
    [appId, keyHash, bodyHash, JSON.stringify(answer), tx.now],
  );
  return answer;
}

export async function pruneIdempotencyKeys(tx: Tx): Promise<number> {
  return tx.run('DELETE FROM idempotency_keys WHERE created_at < $1', [tx.now - idempotencyMs]);
}
