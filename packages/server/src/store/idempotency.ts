import { ApiError } from '../errors.ts';
import type { Reader, Tx } from './store.ts';

/** A request that may come twice: the network lost our answer, and the caller asks again with the same key. */
export interface Idempotency {
  keyHash: string;
  bodyHash: string;
}

interface Asked {
  appId: string;
  idempotency?: Idempotency | undefined;
}

type Keyed<I> = I & { idempotency: Idempotency };

export const idempotencyMs = 24 * 60 * 60_000;

/**
 * Part of a change: does each once, and answers every repetition with the first answer, also where both come in the same
 * change. A key is kept for a day.
 */
export async function onceEach<I extends Asked, T>(
  tx: Tx,
  inputs: readonly I[],
  make: (fresh: readonly I[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const keyed = inputs.filter((input): input is Keyed<I> => input.idempotency !== undefined);
  const known = await readKeys(tx, keyed);
  const firsts = new Map<string, Keyed<I>>();
  for (const input of keyed) {
    const key = keyOf(input);
    const bodyHash = known.get(key)?.body_hash ?? firsts.get(key)?.idempotency.bodyHash;
    if (bodyHash === undefined) firsts.set(key, input);
    else if (bodyHash !== input.idempotency.bodyHash) throw new ApiError('ERR_IDEMPOTENCY_KEY_REUSED');
  }
  const fresh = inputs.filter((input) => input.idempotency === undefined || firsts.get(keyOf(input)) === input);
  const made = new Map<I, T>();
  for (const [i, answer] of (await make(fresh)).entries()) {
    const input = fresh[i];
    if (input !== undefined) made.set(input, answer);
  }
  await writeKeys(tx, [...firsts.values()], made);
  return inputs.map((input) => {
    const before = known.get(keyOf(input));
    return before === undefined ? (made.get(firsts.get(keyOf(input)) ?? input) as T) : (JSON.parse(before.answer) as T);
  });
}

/** '' for one that has none. */
function keyOf({ appId, idempotency }: Asked): string {
  return idempotency === undefined ? '' : `${appId}:${idempotency.keyHash}`;
}

type KeyRow = { app_id: string; key_hash: string; body_hash: string; answer: string };

async function readKeys(tx: Tx, keyed: readonly Keyed<Asked>[]): Promise<Map<string, KeyRow>> {
  if (keyed.length === 0) return new Map();
  const keys = [...new Set(keyed.map(keyOf))];
  await tx.lock(...keys.map((key) => `idempotency:${key}`));
  const since = tx.now - idempotencyMs;
  const rows = await tx.each<KeyRow>(
    ['app', 'hash', 'since'],
    keyed.map(({ appId, idempotency: { keyHash } }) => [appId, keyHash, since]),
    `SELECT k.app_id, k.key_hash, k.body_hash, k.answer FROM given CROSS JOIN idempotency_keys k
     WHERE k.app_id = given.app AND k.key_hash = given.hash AND k.created_at > given.since`,
  );
  return new Map(rows.map((row) => [`${row.app_id}:${row.key_hash}`, row]));
}

async function writeKeys<I extends Asked, T>(
  tx: Tx,
  keyed: readonly Keyed<I>[],
  answers: ReadonlyMap<I, T>,
): Promise<void> {
  await keepAnswers(
    tx,
    keyed.map((input) => ({ ...input, answer: JSON.stringify(answers.get(input)) })),
  );
}

async function keepAnswers(tx: Tx, kept: readonly Kept[]): Promise<void> {
  await tx.insertMany(
    'idempotency_keys',
    ['app_id', 'key_hash', 'body_hash', 'answer', 'created_at'],
    kept.map(({ appId, idempotency: { keyHash, bodyHash }, answer }) => [appId, keyHash, bodyHash, answer, tx.now]),
    `ON CONFLICT (app_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`,
  );
}

interface Kept {
  appId: string;
  idempotency: Idempotency;
  /** As JSON. */
  answer: string;
}

/**
 * For work that is more than one change: keeps the key before the work begins, with what a repetition must begin with too, and
 * answers what is kept under it. The work ends with `keepAnswer`; a repetition before that does the work again.
 */
export async function reserveAnswer(tx: Tx, reserved: Kept): Promise<string> {
  const known = (await readKeys(tx, [reserved])).get(keyOf(reserved));
  if (known === undefined) await keepAnswers(tx, [reserved]);
  else if (known.body_hash !== reserved.idempotency.bodyHash) throw new ApiError('ERR_IDEMPOTENCY_KEY_REUSED');
  return known?.answer ?? reserved.answer;
}

/** The answer to the first of two requests, where this is the second: looked at before what may have changed since is checked. */
export async function knownAnswer<T>(store: Reader, { appId, idempotency }: Asked): Promise<T | undefined> {
  if (idempotency === undefined) return undefined;
  const known = await store.get<KeyRow>(
    'SELECT app_id, key_hash, body_hash, answer FROM idempotency_keys WHERE app_id = $1 AND key_hash = $2 AND created_at > $3',
    [appId, idempotency.keyHash, Date.now() - idempotencyMs],
  );
  if (known !== undefined && known.body_hash !== idempotency.bodyHash) throw new ApiError('ERR_IDEMPOTENCY_KEY_REUSED');
  return known && (JSON.parse(known.answer) as T);
}

export async function keepAnswer(tx: Tx, kept: Kept): Promise<void> {
  await keepAnswers(tx, [kept]);
}

export async function pruneIdempotencyKeys(tx: Tx): Promise<number> {
  await tx.takesLong();
  return tx.run('DELETE FROM idempotency_keys WHERE created_at < $1', [tx.now - idempotencyMs]);
}
