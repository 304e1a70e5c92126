import type { Reader } from '../store/store.ts';
import { type DeviceRow, deviceColumns, deviceTable, findByHash } from './devices.ts';
import { allIn, inList } from './in-list.ts';
import type { ChatContext, NotificationBody } from './notification.ts';
import type { Work } from './segment.ts';
import type { Settings } from './settings.ts';
import { SkipRules } from './skip.ts';
import { hashToken, laneKey } from './tokens.ts';

/** Somebody to send to: a device, or a user of the app's own service. */
export interface Recipient {
  /** What names the device for ever: the hash of its token, or of the user's id. */
  hash: string;
  token: string;
  uid: string;
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

/** Read when they are sent to: a device that signed out since the plan was made gets nothing. */
export async function readRecipients(
  store: Reader,
  appId: string,
  work: Exclude<Work, { do: 'plan' }>,
): Promise<Recipient[]> {
  if (work.do === 'call') return readUsers(store, appId, work.uids);
  const { kind, providerId } = work;
  const rows =
    'hashes' in work
      ? // A token that moved to another provider meanwhile is none of this segment's business.
        (await findByHash(store, appId, work.hashes)).filter(
          (row) => row.kind === kind && row.provider_id === providerId,
        )
      : await store.all<DeviceRow>(byRange, [laneKey(appId, kind, providerId), work.from, work.to]);
  return rows.map(toRecipient);
}

export function toRecipient(row: DeviceRow): Recipient {
  return {
    hash: row.token_hash,
    token: row.push_token,
    uid: row.uid,
    platform: row.platform,
    registeredAt: row.updated_at,
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
