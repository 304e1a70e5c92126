import { randomBytes } from 'node:crypto';
import { audit, type By } from '../apps/audit.ts';
import type { Tx } from '../store/store.ts';
import { allIn, inList } from './in-list.ts';
import type { TokenKind } from './platforms.ts';
import { deleteToken, tokenKindsTable, tokensPerUserMax, userKey, userOfToken } from './tokens.ts';

/** A token to take over from somewhere else, checked already. Without an auth token the user gets a new one. */
export interface ImportRow {
  hash: string;
  stored: string;
  uid: string;
  kind: TokenKind;
  platform: string;
  providerId: string;
  authToken?: string;
  timezone?: string;
  /** When the device was first and last registered where it comes from. */
  createdAt?: number;
  updatedAt?: number;
}

export interface ImportResult {
  imported: number;
  /** Rows that a later one took the place of: the same token, or the same kind of the same auth token. */
  replaced: number;
  /** Rows that were left out, with the reason. */
  refused: { uid: string; reason: string }[];
}

const tokens = 'push_tokens t WHERE t.app_id = $1';
const byHash = inList('t.token_hash, t.auth_token, t.uid', `${tokens} AND t.token_hash = wanted.value`, 1);
const byAuth = inList(
  't.token_hash, t.auth_token, t.kind',
  `${tokenKindsTable} CROSS JOIN ${tokens} AND t.auth_token = wanted.value AND t.kind = kinds.kind`,
  1,
);
const owners = inList('a.auth_token, a.uid', 'auth_tokens a WHERE a.app_id = $1 AND a.auth_token = wanted.value', 1);
const counts = inList('t.uid, COUNT(*) AS n', `push_tokens t WHERE ${userOfToken} = wanted.value`, 0, 'GROUP BY t.uid');
const ofUsers = inList(
  't.uid, t.token_hash, t.auth_token, t.kind',
  `push_tokens t WHERE ${userOfToken} = wanted.value`,
  0,
);

const isOther = ['push_token', 'auth_token', 'uid', 'kind', 'platform', 'provider_id', 'timezone']
  .map((column) => `push_tokens.${column} IS DISTINCT FROM excluded.${column}`)
  .join(' OR ');
const later = (column: string) =>
  `${column} = CASE WHEN excluded.${column} > push_tokens.${column} THEN excluded.${column} ELSE push_tokens.${column} END`;
/** A row that says nothing new leaves what is here as it is, and no row makes a device older than it is. */
const onKnownToken = `ON CONFLICT (app_id, token_hash) DO UPDATE SET push_token = excluded.push_token, auth_token = excluded.auth_token,
  uid = excluded.uid, kind = excluded.kind, platform = excluded.platform, provider_id = excluded.provider_id, timezone = excluded.timezone,
  ${later('updated_at')}, ${later('last_seen_at')} WHERE ${isOther} OR excluded.last_seen_at > push_tokens.last_seen_at`;

/** Many tokens in one transaction, by the rules of registering one: a token is held once, a kind once an auth token. */
export async function importTokens(
  tx: Tx,
  { appId, actor, rows }: By & { appId: string; rows: readonly ImportRow[] },
): Promise<ImportResult> {
  const refused: ImportResult['refused'] = [];
  const lastOfToken = lastOfEach(rows, ({ hash }) => hash);
  const owned = await ownedBy(tx, appId, await withAuthTokens(tx, appId, lastOfToken), refused);
  const lastOfKind = lastOfEach(owned, ({ authToken, kind }) => `${authToken} ${kind}`);
  const replaced = rows.length - lastOfToken.length + owned.length - lastOfKind.length;
  const chosen = await withinLimit(tx, appId, lastOfKind, refused);
  // As the store keeps them, which makes writing many of them several times faster.
  chosen.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  await replaceOlder(tx, appId, chosen);
  await tx.insertMany(
    'auth_tokens',
    ['app_id', 'auth_token', 'uid', 'created_at'],
    chosen.map(({ authToken, uid }) => [appId, authToken, uid, tx.now]),
    'ON CONFLICT (app_id, auth_token) DO NOTHING',
  );
  await tx.insertMany(
    'push_tokens',
    [
      'app_id',
      'token_hash',
      'push_token',
      'auth_token',
      'uid',
      'kind',
      'platform',
      'provider_id',
      'timezone',
      'created_at',
      'updated_at',
      'last_seen_at',
    ],
    chosen.map((row) => [
      appId,
      row.hash,
      row.stored,
      row.authToken,
      row.uid,
      row.kind,
      row.platform,
      row.providerId,
      row.timezone ?? null,
      ...datesOf(row, tx.now),
    ]),
    onKnownToken,
  );
  await audit(tx, { appId, actor, action: 'importTokens', target: appId, after: { imported: chosen.length } });
  return { imported: chosen.length, replaced, refused };
}

/**
 * When the row was made, changed, and the device last seen. Where the last is not told, the device may be long dead: any word
 * of its vendor that it is counts. A clock that runs ahead must not keep it alive.
 */
function datesOf({ createdAt, updatedAt }: ImportRow, now: number): [number, number, number] {
  const updated = Math.min(updatedAt ?? now, now);
  return [Math.min(createdAt ?? updated, updated), updated, updatedAt === undefined ? 0 : updated];
}

/** An auth token that is made here belongs to nobody yet, and nothing is registered under it. */
type Named = ImportRow & { authToken: string; isNew: boolean };

/** By the order of the file, which has the newest at its end. */
function lastOfEach<R extends ImportRow>(rows: readonly R[], key: (row: R) => string): R[] {
  const seen = new Set<string>();
  const last: R[] = [];
  for (const row of rows.toReversed()) {
    const place = key(row);
    if (!seen.has(place)) last.push(row);
    seen.add(place);
  }
  return last.reverse();
}

/** A token that is here already keeps the auth token it has, so that importing a file twice changes nothing. */
async function withAuthTokens(tx: Tx, appId: string, rows: readonly ImportRow[]): Promise<Named[]> {
  type Known = { token_hash: string; auth_token: string; uid: string };
  const unnamed = rows.flatMap(({ hash, authToken }) => (authToken === undefined ? [hash] : [])).sort();
  const here = new Map((await allIn<Known>(tx, byHash, [appId], unnamed)).map((row) => [row.token_hash, row]));
  // Asked for once: a call for each would take longer than to write the row.
  const chance = randomBytes(16 * rows.length).toString('hex');
  return rows.map((row, i) => {
    const before = here.get(row.hash);
    const known = row.authToken ?? (before?.uid === row.uid ? before.auth_token : undefined);
    const authToken = known ?? `${row.uid}_${tx.now}${chance.slice(i * 32, i * 32 + 32)}`;
    return { ...row, authToken, isNew: known === undefined };
  });
}

function knownAuthTokens(rows: readonly Named[]): string[] {
  return [...new Set(rows.filter(({ isNew }) => !isNew).map(({ authToken }) => authToken))];
}

async function ownedBy(
  tx: Tx,
  appId: string,
  rows: readonly Named[],
  refused: ImportResult['refused'],
): Promise<Named[]> {
  const known = await allIn<{ auth_token: string; uid: string }>(tx, owners, [appId], knownAuthTokens(rows));
  const ownerOf = new Map(known.map((row) => [row.auth_token, row.uid]));
  const kept: Named[] = [];
  for (const row of rows) {
    const owner = ownerOf.get(row.authToken) ?? row.uid;
    ownerOf.set(row.authToken, owner);
    if (owner === row.uid) kept.push(row);
    else refused.push({ uid: row.uid, reason: 'The auth token belongs to another user.' });
  }
  return kept;
}

/** Only those who could come to hold too many are looked at token by token. */
async function withinLimit(
  tx: Tx,
  appId: string,
  rows: readonly Named[],
  refused: ImportResult['refused'],
): Promise<Named[]> {
  const sent = new Map<string, number>();
  for (const { uid } of rows) sent.set(uid, (sent.get(uid) ?? 0) + 1);
  const keys = [...sent.keys()].map((uid) => userKey(appId, uid));
  const had = await allIn<{ uid: string; n: number }>(tx, counts, [], keys);
  const counted = new Map(had.map(({ uid, n }) => [uid, Number(n)]));
  const many = [...sent].filter(([uid, n]) => n + (counted.get(uid) ?? 0) > tokensPerUserMax).map(([uid]) => uid);
  if (many.length === 0) return [...rows];
  const holdings = await readHoldings(tx, appId, many);
  return rows.filter((row) => {
    if (holdings.get(row.uid)?.take(row) !== false) return true;
    refused.push({
      uid: row.uid,
      reason: `The user has ${tokensPerUserMax} push tokens, the most there may be.`,
    });
    return false;
  });
}

type Held = { token_hash: string; auth_token: string; kind: TokenKind };

async function readHoldings(tx: Tx, appId: string, uids: readonly string[]): Promise<Map<string, Holding>> {
  const holdings = new Map(uids.map((uid) => [uid, new Holding()]));
  const keys = uids.map((uid) => userKey(appId, uid));
  for (const { uid, ...held } of await allIn<Held & { uid: string }>(tx, ofUsers, [], keys))
    holdings.get(uid)?.put(held.token_hash, `${held.auth_token} ${held.kind}`);
  return holdings;
}

/** What a user holds: a token that is held already, or takes the place of another, is not one more. */
class Holding {
  /** By hash, the auth token and kind it stands under; and the other way round. */
  private readonly places = new Map<string, string>();
  private readonly hashes = new Map<string, string>();

  /** False: there is no room for it. */
  take({ hash, authToken, kind }: Named): boolean {
    const place = `${authToken} ${kind}`;
    if (!this.places.has(hash) && !this.hashes.has(place) && this.places.size >= tokensPerUserMax) return false;
    this.put(hash, place);
    return true;
  }

  put(hash: string, place: string): void {
    const replaced = this.hashes.get(place);
    if (replaced !== undefined) this.places.delete(replaced);
    const left = this.places.get(hash);
    if (left !== undefined) this.hashes.delete(left);
    this.places.set(hash, place);
    this.hashes.set(place, hash);
  }
}

async function replaceOlder(tx: Tx, appId: string, rows: readonly Named[]): Promise<void> {
  const wanted = new Map(rows.map((row) => [`${row.authToken} ${row.kind}`, row.hash]));
  for (const known of await allIn<Held>(tx, byAuth, [appId], knownAuthTokens(rows))) {
    const hash = wanted.get(`${known.auth_token} ${known.kind}`);
    if (hash !== undefined && hash !== known.token_hash) await tx.run(deleteToken, [appId, known.token_hash]);
  }
}
