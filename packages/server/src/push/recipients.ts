import type { Reader } from '../store/store.ts';
import { hashToken } from './device-token.ts';
import { type DeviceRow, deviceColumns, deviceTable, type FoundDevice, findByHash, findDevices } from './devices.ts';
import { allIn, inList } from './in-list.ts';
import type { ChatContext, NotificationBody } from './notification.ts';
import type { TokenKind } from './platforms.ts';
import { type Owner, phoneOf, type Work } from './segment.ts';
import type { Settings } from './settings.ts';
import { type SkipReason, SkipRules } from './skip.ts';
import { laneKey } from './tokens.ts';

/** Somebody to send to: a device, or a user of the app's own service. */
export interface Recipient {
  /** What names the device for ever: the hash of its token, or of the user's id. */
  hash: string;
  token: string;
  uid: string;
  /** '' where nobody asks for it. */
  authToken: string;
  platform: string;
  registeredAt: number;
  preferences: string | null;
  timezone: string;
}

const lane = "(t.app_id || ':' || t.kind || ':' || t.provider_id)";
const byRange = `SELECT ${deviceColumns} FROM ${deviceTable} ${lane} = $1 AND t.token_hash > $2 AND t.token_hash <= $3`;
const users = inList(
  'p.uid, p.body AS preferences, p.timezone',
  'push_preferences p WHERE p.app_id = $1 AND p.uid = wanted.value',
  1,
);

export type SendWork = Exclude<Work, { do: 'plan' }>;
type ListWork = Extract<Work, { hashes: string[] }>;

/** What is left of those a segment was planned for. */
export interface Found {
  recipients: Recipient[];
  /** Not to be sent to any more. */
  lost: Lost[];
  /** Devices that another provider reaches by now. */
  elsewhere: FoundDevice[];
}

export interface Lost {
  recipient: Recipient;
  reason: SkipReason;
}

/** Read when they are sent to: a device that signed out since the plan was made gets nothing. `kinds` is what the push may go to. */
export async function readRecipients(
  store: Reader,
  appId: string,
  work: SendWork,
  kinds: readonly TokenKind[],
): Promise<Found> {
  if (work.do === 'call') return allHere(await readUsers(store, appId, work.uids));
  if ('hashes' in work) return readListed(store, appId, work, kinds);
  const { kind, providerId, from, to } = work;
  const rows = await store.all<DeviceRow>(byRange, [laneKey(appId, kind, providerId), from, to]);
  return allHere(rows.map(toRecipient));
}

export function allHere(recipients: Recipient[]): Found {
  return { recipients, lost: [], elsewhere: [] };
}

async function readListed(store: Reader, appId: string, work: ListWork, kinds: readonly TokenKind[]): Promise<Found> {
  const found = allHere([]);
  const rows = new Map((await findByHash(store, appId, work.hashes)).map((row) => [row.token_hash, row]));
  const missing: { hash: string; owner: Owner | undefined }[] = [];
  for (const [i, hash] of work.hashes.entries()) {
    const row = rows.get(hash);
    const owner = work.owners?.[i];
    if (row === undefined) missing.push({ hash, owner });
    else if (owner !== undefined && row.uid !== owner[0])
      found.lost.push({ recipient: nobody(hash, owner[0], row.platform), reason: 'TOKEN_MOVED' });
    else sort(found, row, work, kinds);
  }
  const newTokens = await findNewTokens(store, appId, work.kind, missing);
  for (const { hash, owner } of missing) {
    const row = owner && newTokens.get(owner.join(' '));
    // One that is on the list by itself gets the push by that.
    if (row !== undefined && !rows.has(row.token_hash)) sort(found, row, work, kinds);
    else found.lost.push({ recipient: nobody(hash, owner?.[0] ?? ''), reason: 'TOKEN_GONE' });
  }
  return found;
}

function sort(found: Found, row: FoundDevice, work: ListWork, kinds: readonly TokenKind[]): void {
  if (row.kind === work.kind && row.provider_id === work.providerId) found.recipients.push(toRecipient(row));
  else if (kinds.includes(row.kind)) found.elsewhere.push(row);
  else found.lost.push({ recipient: toRecipient(row), reason: 'TOKEN_MOVED' });
}

/** A phone that has another token of the kind by now, as vendors give new ones at times, is still the same phone. */
async function findNewTokens(
  store: Reader,
  appId: string,
  kind: TokenKind,
  missing: readonly { owner: Owner | undefined }[],
): Promise<Map<string, FoundDevice>> {
  const uids = [...new Set(missing.flatMap(({ owner }) => (owner === undefined ? [] : [owner[0]])))];
  if (uids.length === 0) return new Map();
  const [devices = []] = await findDevices(store, [{ appId, audience: { uids }, kinds: [kind] }]);
  return new Map(devices.map((row) => [`${row.uid} ${phoneOf(row.auth_token)}`, row]));
}

/** Somebody who was planned for and is not there any more: for the count and the log. */
export function nobody(hash = '', uid = '', platform = ''): Recipient {
  return { hash, token: '', uid, authToken: '', platform, registeredAt: 0, preferences: null, timezone: 'UTC' };
}

export function toRecipient(row: DeviceRow & { auth_token?: string }): Recipient {
  return {
    hash: row.token_hash,
    token: row.push_token,
    uid: row.uid,
    authToken: row.auth_token ?? '',
    platform: row.platform,
    registeredAt: row.last_seen_at,
    preferences: row.preferences,
    timezone: row.user_timezone || row.timezone || 'UTC',
  };
}

async function readUsers(store: Reader, appId: string, uids: readonly string[]): Promise<Recipient[]> {
  type UserRow = { uid: string; preferences: string; timezone: string };
  const said = new Map((await allIn<UserRow>(store, users, [appId], uids)).map((row) => [row.uid, row]));
  return uids.map((uid) => ({
    hash: hashToken(uid),
    token: uid,
    uid,
    authToken: '',
    platform: 'custom',
    registeredAt: 0,
    preferences: said.get(uid)?.preferences ?? null,
    timezone: said.get(uid)?.timezone || 'UTC',
  }));
}

/** Who is to be left alone, at this moment. */
export async function skipRules(
  store: Reader,
  appId: string,
  settings: Settings,
  body: NotificationBody,
  now: number,
): Promise<SkipRules> {
  return new SkipRules(settings, body, await readMutedBy(store, appId, body.chat, now), now);
}

/** A conversation of two is, for the one who mutes it, the other one. */
async function readMutedBy(
  store: Reader,
  appId: string,
  chat: ChatContext | undefined,
  now: number,
): Promise<Set<string>> {
  if (chat === undefined) return new Set();
  const [type, id] = chat.receiverType === 'group' ? ['group', chat.receiver] : ['oneOnOne', chat.sender];
  const rows = await store.all<{ uid: string }>(
    'SELECT uid FROM push_mutes WHERE app_id = $1 AND conversation_type = $2 AND conversation_id = $3 AND until > $4',
    [appId, type, id, now],
  );
  return new Set(rows.map(({ uid }) => uid));
}
