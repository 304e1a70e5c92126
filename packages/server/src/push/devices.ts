import type { Reader } from '../store/store.ts';
import { hashPushToken } from './device-token.ts';
import { allIn, inList } from './in-list.ts';
import type { Audience } from './notification.ts';
import type { TokenKind } from './platforms.ts';
import { tokenKindsTable, userKey } from './tokens.ts';

/** What a push to a device needs to know. */
export type DeviceRow = {
  token_hash: string;
  push_token: string;
  uid: string;
  platform: string;
  timezone: string | null;
  last_seen_at: number;
  preferences: string | null;
  user_timezone: string | null;
};

/** A device, whose it is and which provider reaches it. */
export type FoundDevice = DeviceRow & { app_id: string; auth_token: string; kind: TokenKind; provider_id: string };

export const deviceColumns =
  't.token_hash, t.push_token, t.uid, t.platform, t.timezone, t.last_seen_at, p.body AS preferences, p.timezone AS user_timezone';
export const deviceTable = 'push_tokens t LEFT JOIN push_preferences p ON p.app_id = t.app_id AND p.uid = t.uid WHERE';
const found = `${deviceColumns}, t.app_id, t.auth_token, t.kind, t.provider_id`;

const byUser = inList(found, `${deviceTable} (t.app_id || ':' || t.uid) = wanted.value`, 0);
const byAuthToken = inList(
  found,
  `${tokenKindsTable} CROSS JOIN ${deviceTable} t.app_id = $1 AND t.auth_token = wanted.value AND t.kind = kinds.kind`,
  1,
);
// By the primary key and nothing else: asked for kind and provider too, PostgreSQL walks the app before it knows its size.
const byHash = inList(found, `${deviceTable} t.app_id = $1 AND t.token_hash = wanted.value`, 1);

export function findByHash(store: Reader, appId: string, hashes: readonly string[]): Promise<FoundDevice[]> {
  return allIn<FoundDevice>(store, byHash, [appId], hashes);
}

export type NamedAudience = Exclude<Audience, { all: true }>;

export interface Sought {
  appId: string;
  audience: NamedAudience;
  /** Those a push type goes to. */
  kinds: readonly TokenKind[];
}

/** The devices of each audience. Those of users are looked up together, whoever asks for them and of whichever app. */
export async function findDevices(store: Reader, sought: readonly Sought[]): Promise<FoundDevice[][]> {
  const keys = new Set<string>();
  for (const { appId, audience } of sought)
    if ('uids' in audience) for (const uid of audience.uids) keys.add(userKey(appId, uid));
  const byKey = new Map<string, FoundDevice[]>();
  for (const device of await allIn<FoundDevice>(store, byUser, [], [...keys])) {
    const key = userKey(device.app_id, device.uid);
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [device]);
    else others.push(device);
  }
  return Promise.all(
    sought.map(async ({ appId, audience, kinds }) => {
      const devices =
        'uids' in audience
          ? audience.uids.flatMap((uid) => byKey.get(userKey(appId, uid)) ?? [])
          : 'authTokens' in audience
            ? await allIn<FoundDevice>(store, byAuthToken, [appId], audience.authTokens)
            : await findByHash(store, appId, [...new Set(audience.pushTokens.map(hashPushToken))]);
      return devices.filter(({ kind }) => kinds.includes(kind));
    }),
  );
}
