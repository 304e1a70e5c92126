import { randomUUID } from 'node:crypto';
import type { Scope } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { Reader, Tx } from '../store/store.ts';
import { findApp } from './apps.ts';
import { audit, type By } from './audit.ts';
import { hashSecret, hintOf, makeSecret } from './secrets.ts';

export interface ApiKey {
  id: string;
  name: string;
  scope: Scope;
  hint: string;
  createdAt: number;
}

export type ApiKeyRow = {
  id: string;
  app_id: string;
  name: string;
  scope: Scope;
  key_hash: string;
  hint: string;
  created_at: number;
};

/** The key itself is in this answer and nowhere else, ever again. */
export async function createApiKey(
  tx: Tx,
  input: By & { appId: string; name: string; scope: Scope },
): Promise<ApiKey & { apiKey: string }> {
  if ((await findApp(tx, input.appId)) === undefined) throw new ApiError('ERR_APP_NOT_FOUND');
  const apiKey = makeSecret();
  const hash = hashSecret(apiKey);
  const record = { id: randomUUID(), name: input.name, scope: input.scope, hint: hintOf(apiKey), createdAt: tx.now };
  await tx.run(
    'INSERT INTO api_keys (id, app_id, name, scope, key_hash, hint, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [record.id, input.appId, record.name, record.scope, hash, record.hint, tx.now],
  );
  await audit(tx, { appId: input.appId, actor: input.actor, action: 'createApiKey', target: record.id, after: record });
  tx.touch(`apiKey:${hash}`);
  return { ...record, apiKey };
}

export async function listApiKeys(store: Reader, appId: string): Promise<ApiKey[]> {
  const rows = await store.all<ApiKeyRow>('SELECT * FROM api_keys WHERE app_id = $1 ORDER BY created_at, id', [appId]);
  return rows.map(toApiKey);
}

export async function revokeApiKey(tx: Tx, { appId, id, actor }: By & { appId: string; id: string }): Promise<ApiKey> {
  const row = await tx.get<ApiKeyRow>('SELECT * FROM api_keys WHERE app_id = $1 AND id = $2', [appId, id]);
  if (row === undefined) throw new ApiError('ERR_KEY_NOT_FOUND');
  await tx.run('DELETE FROM api_keys WHERE id = $1', [id]);
  await audit(tx, { appId, actor, action: 'revokeApiKey', target: id, before: toApiKey(row) });
  tx.touch(`apiKey:${row.key_hash}`);
  return toApiKey(row);
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return { id: row.id, name: row.name, scope: row.scope, hint: row.hint, createdAt: row.created_at };
}
