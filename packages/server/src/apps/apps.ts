import { randomBytes, randomUUID } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Reader, Tx } from '../store/store.ts';
import { audit, type By } from './audit.ts';

export interface App {
  id: string;
  name: string;
  accountId: string;
  createdAt: number;
  updatedAt: number;
}

type AppRow = { id: string; account_id: string; name: string; created_at: number; updated_at: number };

export async function createAccount(tx: Tx, { name, actor }: By & { name: string }): Promise<{ id: string }> {
  const id = randomUUID();
  await tx.run('INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3)', [id, name, tx.now]);
  await audit(tx, { accountId: id, actor, action: 'createAccount', target: id, after: { name } });
  return { id };
}

/** The account of a store that has one, as most have. */
export async function firstAccount(store: Reader): Promise<{ id: string } | undefined> {
  return store.get<{ id: string }>('SELECT id FROM accounts ORDER BY created_at, id LIMIT 1');
}

export async function createApp(tx: Tx, input: By & { accountId: string; name: string; id?: string }): Promise<App> {
  const id = input.id ?? randomBytes(8).toString('hex');
  await tx.lock(`app:${id}`);
  if ((await findApp(tx, id)) !== undefined) throw new ApiError('ERR_APP_ALREADY_EXISTS');
  await tx.run('INSERT INTO apps (id, account_id, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)', [
    id,
    input.accountId,
    input.name,
    tx.now,
  ]);
  await audit(tx, {
    accountId: input.accountId,
    appId: id,
    actor: input.actor,
    action: 'createApp',
    target: id,
    after: { name: input.name },
  });
  tx.touch(`app:${id}`);
  return { id, name: input.name, accountId: input.accountId, createdAt: tx.now, updatedAt: tx.now };
}

export async function listApps(
  store: Reader,
  accountId: string,
  granted: readonly string[] | undefined,
): Promise<App[]> {
  const rows = await store.all<AppRow>('SELECT * FROM apps WHERE account_id = $1 ORDER BY created_at, id', [accountId]);
  return rows.map(toApp).filter(({ id }) => granted === undefined || granted.includes(id));
}

export async function findApp(store: Reader, id: string): Promise<App | undefined> {
  const row = await store.get<AppRow>('SELECT * FROM apps WHERE id = $1', [id]);
  return row && toApp(row);
}

/** Takes everything of the app along; the audit stays. */
export async function deleteApp(tx: Tx, { id, actor }: By & { id: string }): Promise<App> {
  const app = await findApp(tx, id);
  if (app === undefined) throw new ApiError('ERR_APP_NOT_FOUND');
  for (const { key_hash } of await tx.all<{ key_hash: string }>('SELECT key_hash FROM api_keys WHERE app_id = $1', [
    id,
  ]))
    tx.touch(`apiKey:${key_hash}`);
  await tx.takesLong();
  await tx.run('DELETE FROM apps WHERE id = $1', [id]);
  await audit(tx, {
    accountId: app.accountId,
    appId: id,
    actor,
    action: 'deleteApp',
    target: id,
    before: { name: app.name },
  });
  tx.touch(`app:${id}`);
  return app;
}

function toApp(row: AppRow): App {
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
