import { type Static, Type } from '#typebox';
import { audit, type By } from '../apps/audit.ts';
import { findAuthToken } from '../apps/auth-tokens.ts';
import { ApiError, badField } from '../errors.ts';
import { isoTime } from '../fields.ts';
import { decodeCursor, encodeCursor } from '../paging.ts';
import type { Store, Tx } from '../store/store.ts';
import { hashPushToken } from './device-token.ts';
import { platforms, providerKindOf, pushTokenTypeOf, type TokenKind } from './platforms.ts';
import { readProviders } from './provider.ts';
import { type TokensOfAuthToken, tokensAsJson, tokensOfAuthToken } from './tokens-as-json.ts';
import { shownToken } from './web-push-subscription.ts';

export const tokensPerUserMax = 100;
/** How many rows are read at a time when everything is listed. */
const rowsPerRead = 1000;

export const pushTokenAnswer = Type.Object({
  authToken: Type.String(),
  pushTokenType: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  platform: Type.String(),
  providerId: Type.String(),
  pushToken: Type.String(),
  uid: Type.String(),
});

export type PushToken = Static<typeof pushTokenAnswer>;

export type TokenRow = {
  token_hash: string;
  push_token: string;
  auth_token: string;
  uid: string;
  kind: TokenKind;
  platform: string;
  provider_id: string;
  created_at: number;
  updated_at: number;
};

const columns = 'token_hash, push_token, auth_token, uid, kind, platform, provider_id, created_at, updated_at';

const byAuthToken = `SELECT ${columns} FROM push_tokens WHERE app_id = $1 AND auth_token = $2`;

/** The expressions of the indexes by user and by provider, which a statement must repeat word for word to use them. */
export const userOfToken = "(app_id || ':' || uid)";
export const laneOfToken = "(app_id || ':' || kind || ':' || provider_id)";

/** Every kind as a table: with it, an auth token's tokens are found by the whole of their unique index. */
export const tokenKindsTable =
  "(SELECT 'fcm' AS kind UNION ALL SELECT 'apns' UNION ALL SELECT 'voip' UNION ALL SELECT 'activity' UNION ALL SELECT 'webpush') kinds";

export function userKey(appId: string, uid: string): string {
  return `${appId}:${uid}`;
}

export function laneKey(appId: string, kind: TokenKind, providerId: string): string {
  return `${appId}:${kind}:${providerId}`;
}

export interface Registration extends By {
  appId: string;
  /** What names the device, and what it is found by: a device token, or the endpoint of a Web Push subscription. */
  pushToken: string;
  /** What is stored where that is more than the name: the subscription as JSON. */
  stored?: string;
  kind: TokenKind;
  platform: string;
  providerId: string;
  authToken: string;
  timezone?: string;
}

type Target = By & { appId: string };

export interface TokenFilter {
  authToken?: string | undefined;
  uid?: string | undefined;
}

export class Tokens {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  registerPushToken(registration: Registration): Promise<void> {
    return this.store.change(registerPushToken, registration);
  }

  /** All of an auth token; `answer` is given the JSON of the answer. */
  async listTokensOf(appId: string, authToken: string, answer: (json: string) => void): Promise<void> {
    const row = await this.store.getTogether<TokensOfAuthToken>(tokensOfAuthToken, [appId, authToken]);
    answer(tokensAsJson(row?.tokens ?? '', authToken));
  }

  /** One page of the tokens of an app, of an auth token or of a user, in a steady order. */
  async listPushTokens(appId: string, filter: TokenFilter, limit: number, cursor?: string) {
    const [after] = cursor === undefined ? [''] : decodeCursor(cursor, ['string']);
    const rows = await this.readPage(appId, filter, after, limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last !== undefined ? { next: { cursor: encodeCursor([last.token_hash]) } } : {};
    return { data: { pushTokens: shown.map(toPushToken) }, meta: { current: { limit, count: shown.length }, ...next } };
  }

  /** Every token that fits, a thousand at a time, so that a million take no more memory than a thousand. */
  async *streamPushTokens(appId: string, filter: TokenFilter): AsyncGenerator<PushToken[]> {
    for (let after = ''; ; ) {
      const rows = await this.readPage(appId, filter, after, rowsPerRead);
      if (rows.length > 0) yield rows.map(toPushToken);
      if (rows.length < rowsPerRead) return;
      after = rows.at(-1)?.token_hash ?? '';
    }
  }

  async deletePushToken(target: Target, pushToken: string, owner: TokenFilter): Promise<PushToken[]> {
    const removed = await this.store.change(deletePushTokens, { ...target, pushToken, ...owner });
    if (removed.length === 0) throw new ApiError('ERR_TOKEN_NOT_FOUND');
    return removed.map(toPushToken);
  }

  /** Those of the auth token, or all of the user it belongs to. */
  async deletePushTokens(target: Target, authToken: string, all: boolean): Promise<PushToken[]> {
    const owner = await findAuthToken(this.store, authToken, target.appId);
    if (owner === undefined) throw new ApiError('AUTH_ERR_AUTH_TOKEN_NOT_FOUND');
    return (
      await this.store.change(deletePushTokens, { ...target, ...(all ? { uid: owner.uid } : { authToken }) })
    ).map(toPushToken);
  }

  private readPage(appId: string, filter: TokenFilter, after: string, limit: number): Promise<TokenRow[]> {
    const { authToken, uid } = filter;
    if (authToken !== undefined) return this.readOfAuthToken(appId, authToken, uid, after, limit);
    if (uid !== undefined) {
      return this.store.all<TokenRow>(
        `SELECT ${columns} FROM push_tokens WHERE ${userOfToken} = $1 AND token_hash > $2 ORDER BY token_hash LIMIT $3`,
        [userKey(appId, uid), after, limit],
      );
    }
    return this.store.all<TokenRow>(
      `SELECT ${columns} FROM push_tokens WHERE app_id = $1 AND token_hash > $2 ORDER BY token_hash LIMIT $3`,
      [appId, after, limit],
    );
  }

  /** An auth token has one token of each kind: read all and cut here. */
  private async readOfAuthToken(
    appId: string,
    authToken: string,
    uid: string | undefined,
    after: string,
    limit: number,
  ): Promise<TokenRow[]> {
    const rows = await this.store.all<TokenRow>(byAuthToken, [appId, authToken]);
    return rows
      .filter((row) => row.token_hash > after && (uid === undefined || row.uid === uid))
      .sort((a, b) => (a.token_hash < b.token_hash ? -1 : 1))
      .slice(0, limit);
  }
}

export const deleteToken = 'DELETE FROM push_tokens WHERE app_id = $1 AND token_hash = $2';

/** Whose auth token it is, and the provider of that kind and name, if there is one. */
const ownerAndProvider = `SELECT a.uid, p.provider_id FROM auth_tokens a
  LEFT JOIN providers p ON p.app_id = a.app_id AND p.kind = $3 AND p.provider_id = $4 WHERE a.app_id = $1 AND a.auth_token = $2`;

/** The token as it is known, the one of its kind that the auth token has instead, and how many the user holds. */
const knownBefore = `SELECT counted.held, known.uid, known.auth_token, known.created_at, known.platform, known.provider_id, other.token_hash AS replaced
  FROM (SELECT COUNT(*) AS held FROM push_tokens WHERE ${userOfToken} = $5) AS counted
    LEFT JOIN push_tokens known ON known.app_id = $1 AND known.token_hash = $2
    LEFT JOIN push_tokens other ON other.app_id = $1 AND other.auth_token = $3 AND other.kind = $4 AND other.token_hash <> $2`;

type Before = { held: number } & (
  | { uid: string; auth_token: string; created_at: number; platform: string; provider_id: string }
  | { uid: null; auth_token: null; created_at: null; platform: null; provider_id: null }
) & { replaced: string | null };

/**
 * One token of each kind an auth token: a new one takes the place of the old. A device token that comes with another auth
 * token has moved to another user; it is never held twice.
 */
export async function registerPushToken(tx: Tx, input: Registration): Promise<void> {
  const { appId, authToken, kind, pushToken } = input;
  const owner = await tx.get<{ uid: string; provider_id: string | null }>(ownerAndProvider, [
    appId,
    authToken,
    providerKindOf(kind),
    input.providerId,
  ]);
  if (owner === undefined) throw new ApiError('AUTH_ERR_AUTH_TOKEN_NOT_FOUND');
  const { uid } = owner;
  const providerId = owner.provider_id ?? (await standardProvider(tx, input));
  const hash = hashPushToken(pushToken);
  await tx.lock(`tokens:${appId}:${uid}`);
  const before = await tx.get<Before>(knownBefore, [appId, hash, authToken, kind, userKey(appId, uid)]);
  if (before === undefined) throw new Error('A count has a row.');
  const held = Number(before.held) - (before.replaced === null ? 0 : 1);
  if (before.uid !== uid && held >= tokensPerUserMax)
    throw badField('uid', `The user has ${tokensPerUserMax} push tokens, the most there may be. Delete some first.`);
  if (before.replaced !== null) await tx.run(deleteToken, [appId, before.replaced]);
  const createdAt = before.auth_token === authToken ? before.created_at : tx.now;
  await tx.run(
    `INSERT INTO push_tokens (app_id, ${columns}, timezone, last_seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $10)
     ON CONFLICT (app_id, token_hash) DO UPDATE SET push_token = excluded.push_token, auth_token = excluded.auth_token, uid = excluded.uid,
       kind = excluded.kind, platform = excluded.platform, provider_id = excluded.provider_id, timezone = excluded.timezone,
       created_at = excluded.created_at, updated_at = excluded.updated_at, last_seen_at = excluded.last_seen_at`,
    [
      appId,
      hash,
      input.stored ?? pushToken,
      authToken,
      uid,
      kind,
      input.platform,
      providerId,
      createdAt,
      tx.now,
      input.timezone ?? null,
    ],
  );
  // A device that says again what is known is seen, and no more: most do so every day.
  const isKnown = before.auth_token === authToken && before.platform === input.platform;
  if (isKnown && before.provider_id === providerId) return;
  await audit(tx, {
    appId,
    actor: input.actor,
    action: 'registerPushToken',
    target: uid,
    after: { platform: input.platform, providerId, token: mark(hash) },
  });
}

/** How the audit names a device token: recognisable, not usable. */
function mark(hash: string): string {
  return `sha256:${hash.slice(0, 12)}`;
}

/** Where no provider has the name that was sent: "default" then means the app's default of the kind. */
async function standardProvider(tx: Tx, { appId, kind, platform, providerId }: Registration): Promise<string> {
  const providerKind = providerKindOf(kind);
  const standard = (await readProviders(tx, appId, providerKind)).find((row) => row.is_default === 1);
  if (providerId === 'default' && standard !== undefined) return standard.provider_id;
  throw badField(
    'providerId',
    `The app has no ${providerKind.toUpperCase()} provider "${providerId}", which ${platform} needs. Add it first, or name another.`,
  );
}

export async function deletePushTokens(
  tx: Tx,
  input: Target & { pushToken?: string } & TokenFilter,
): Promise<TokenRow[]> {
  const found = await findForDeletion(tx, input);
  const removed = found.filter(
    (row) =>
      (input.authToken === undefined || row.auth_token === input.authToken) &&
      (input.uid === undefined || row.uid === input.uid),
  );
  for (const { token_hash } of removed) await tx.run(deleteToken, [input.appId, token_hash]);
  for (const { uid, platform, token_hash } of removed) {
    await audit(tx, {
      appId: input.appId,
      actor: input.actor,
      action: 'deletePushToken',
      target: uid,
      before: { platform, token: mark(token_hash) },
    });
  }
  return removed;
}

/** By whichever of the three is given; each has an index that is used. */
function findForDeletion(tx: Tx, { appId, pushToken, authToken, uid }: Target & { pushToken?: string } & TokenFilter) {
  if (pushToken !== undefined)
    return tx.all<TokenRow>(`SELECT ${columns} FROM push_tokens WHERE app_id = $1 AND token_hash = $2`, [
      appId,
      hashPushToken(pushToken),
    ]);
  if (authToken !== undefined) return tx.all<TokenRow>(byAuthToken, [appId, authToken]);
  return tx.all<TokenRow>(`SELECT ${columns} FROM push_tokens WHERE ${userOfToken} = $1`, [userKey(appId, uid ?? '')]);
}

/** The kind that a platform has, or a sentence that lists the platforms. */
export function kindOf(platform: string): TokenKind {
  const kind = platforms.get(platform);
  if (kind === undefined) throw badField('platform', `Must be one of: ${[...platforms.keys()].join(', ')}.`);
  return kind;
}

function toPushToken(row: TokenRow): PushToken {
  return {
    authToken: row.auth_token,
    pushTokenType: pushTokenTypeOf(row.kind),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    platform: row.platform,
    providerId: row.provider_id,
    pushToken: shownToken(row.kind, row.push_token),
    uid: row.uid,
  };
}
