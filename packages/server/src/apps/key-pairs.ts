import { randomUUID } from 'node:crypto';
import { ApiError, badField } from '../errors.ts';
import type { Reader, Tx } from '../store/store.ts';
import { findApp } from './apps.ts';
import { audit, type By } from './audit.ts';
import { hashSecret, hintOf, makeSecret } from './secrets.ts';

/** A pair of key and secret opens the management host: every app of the account, or the apps it is granted. */
export interface KeyPair {
  id: string;
  name: string;
  hint: string;
  apps?: string[];
  createdAt: number;
}

export type KeyPairRow = {
  id: string;
  account_id: string;
  name: string;
  key_hash: string;
  secret_hash: string;
  hint: string;
  apps: string | null;
  created_at: number;
};

export async function createKeyPair(
  tx: Tx,
  input: By & { accountId: string; name: string; apps?: string[] },
): Promise<KeyPair & { key: string; secret: string }> {
  for (const appId of input.apps ?? []) {
    if ((await findApp(tx, appId))?.accountId !== input.accountId) throw badField('apps', `There is no app ${appId}.`);
  }
  const key = makeSecret();
  const secret = makeSecret();
  const pair = {
    id: randomUUID(),
    name: input.name,
    hint: hintOf(key),
    ...(input.apps && { apps: input.apps }),
    createdAt: tx.now,
  };
  const hash = hashSecret(key);
  await tx.run(
    'INSERT INTO key_pairs (id, account_id, name, key_hash, secret_hash, hint, apps, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      pair.id,
      input.accountId,
      pair.name,
      hash,
      hashSecret(secret),
      pair.hint,
      input.apps ? JSON.stringify(input.apps) : null,
      tx.now,
    ],
  );
  await audit(tx, {
    accountId: input.accountId,
    actor: input.actor,
    action: 'createKeyPair',
    target: pair.id,
    after: pair,
  });
  tx.touch(`keyPair:${hash}`);
  return { ...pair, key, secret };
}

export async function listKeyPairs(store: Reader, accountId: string): Promise<KeyPair[]> {
  const rows = await store.all<KeyPairRow>('SELECT * FROM key_pairs WHERE account_id = $1 ORDER BY created_at, id', [
    accountId,
  ]);
  return rows.map(toKeyPair);
}

export async function revokeKeyPair(
  tx: Tx,
  { accountId, id, actor }: By & { accountId: string; id: string },
): Promise<KeyPair> {
  const row = await tx.get<KeyPairRow>('SELECT * FROM key_pairs WHERE account_id = $1 AND id = $2', [accountId, id]);
  if (row === undefined) throw new ApiError('ERR_KEY_NOT_FOUND');
  await tx.run('DELETE FROM key_pairs WHERE id = $1', [id]);
  await audit(tx, { accountId, actor, action: 'revokeKeyPair', target: id, before: toKeyPair(row) });
  tx.touch(`keyPair:${row.key_hash}`);
  return toKeyPair(row);
}

function toKeyPair(row: KeyPairRow): KeyPair {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    ...(row.apps !== null && { apps: JSON.parse(row.apps) as string[] }),
    createdAt: row.created_at,
  };
}
