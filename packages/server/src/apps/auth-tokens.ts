import { randomBytes } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Reader, Tx } from '../store/store.ts';
import { findApp } from './apps.ts';
import { audit, type By } from './audit.ts';

/** What a user's device holds: it may register its own push token with it, and nothing of anybody else. */
export interface AuthToken {
  uid: string;
  authToken: string;
  createdAt: number;
}

type AuthTokenRow = { app_id: string; auth_token: string; uid: string; created_at: number };

/** The audit names an auth token by its first part only: whole, it would open the device's account. */
const shown = (authToken: string): string => `${authToken.slice(0, -24)}…`;

export async function createAuthToken(
  tx: Tx,
  { appId, uid, actor }: By & { appId: string; uid: string },
): Promise<AuthToken> {
  if ((await findApp(tx, appId)) === undefined) throw new ApiError('ERR_APP_NOT_FOUND');
  const authToken = `${uid}_${tx.now}${randomBytes(16).toString('hex')}`;
  await tx.run('INSERT INTO auth_tokens (app_id, auth_token, uid, created_at) VALUES ($1, $2, $3, $4)', [
    appId,
    authToken,
    uid,
    tx.now,
  ]);
  await audit(tx, {
    appId,
    actor,
    action: 'createAuthToken',
    target: uid,
    after: { uid, authToken: shown(authToken) },
  });
  return { uid, authToken, createdAt: tx.now };
}

export async function listAuthTokens(store: Reader, appId: string, uid: string): Promise<AuthToken[]> {
  const rows = await store.all<AuthTokenRow>(
    'SELECT * FROM auth_tokens WHERE app_id = $1 AND uid = $2 ORDER BY created_at, auth_token',
    [appId, uid],
  );
  return rows.map(toAuthToken);
}

/** The push tokens registered under it go with it, by their foreign key: a signed-out device must fall silent. */
export async function revokeAuthToken(
  tx: Tx,
  { appId, uid, authToken, actor }: By & { appId: string; uid: string; authToken: string },
): Promise<void> {
  const removed = await tx.run('DELETE FROM auth_tokens WHERE app_id = $1 AND auth_token = $2 AND uid = $3', [
    appId,
    authToken,
    uid,
  ]);
  if (removed === 0) throw new ApiError('ERR_AUTH_TOKEN_NOT_FOUND');
  await audit(tx, {
    appId,
    actor,
    action: 'revokeAuthToken',
    target: uid,
    before: { uid, authToken: shown(authToken) },
  });
}

/** Where neither host nor header names the app, the token alone must name one, and only one. */
export async function findAuthToken(
  store: Reader,
  authToken: string,
  appId?: string,
): Promise<{ appId: string; uid: string } | undefined> {
  const rows =
    appId === undefined
      ? await store.all<AuthTokenRow>('SELECT * FROM auth_tokens WHERE auth_token = $1 LIMIT 2', [authToken])
      : await store.all<AuthTokenRow>('SELECT * FROM auth_tokens WHERE app_id = $1 AND auth_token = $2', [
          appId,
          authToken,
        ]);
  const [row] = rows;
  return rows.length === 1 && row !== undefined ? { appId: row.app_id, uid: row.uid } : undefined;
}

function toAuthToken(row: AuthTokenRow): AuthToken {
  return { uid: row.uid, authToken: row.auth_token, createdAt: row.created_at };
}
