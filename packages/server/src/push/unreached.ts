import type { Reader, Tx } from '../store/store.ts';
import type { ReasonCount } from './accounting.ts';
import { hashPushToken } from './device-token.ts';
import type { FoundDevice, NamedAudience } from './devices.ts';
import { allIn, inList } from './in-list.ts';
import { type LogEntry, writeLogs } from './log.ts';
import type { ChatContext } from './notification.ts';
import { oneUserOf } from './tally.ts';

const reason = 'NO_DEVICE';
const ownersOf = inList('a.auth_token, a.uid', 'auth_tokens a WHERE a.app_id = $1 AND a.auth_token = wanted.value', 1);

/** Those named of whom no device was found, as the log tells of them. */
export async function findUnreached(
  store: Reader,
  appId: string,
  audience: NamedAudience,
  devices: readonly FoundDevice[],
): Promise<LogEntry[]> {
  if ('uids' in audience) {
    const reached = new Set(devices.map(({ uid }) => uid));
    return audience.uids.filter((uid) => !reached.has(uid)).map((uid) => entryOf(uid, ''));
  }
  if ('pushTokens' in audience) {
    const hashes = new Set(audience.pushTokens.map(hashPushToken));
    for (const { token_hash } of devices) hashes.delete(token_hash);
    return [...hashes].map((hash) => entryOf('', hash));
  }
  const reached = new Set(devices.map(({ auth_token }) => auth_token));
  const left = audience.authTokens.filter((authToken) => !reached.has(authToken));
  if (left.length === 0) return [];
  const rows = await allIn<{ auth_token: string; uid: string }>(store, ownersOf, [appId], left);
  const owners = new Map(rows.map(({ auth_token, uid }) => [auth_token, uid]));
  // The log names the user. An auth token is a secret, and one that is nobody's has no name.
  return left.map((authToken) => entryOf(owners.get(authToken) ?? '', ''));
}

function entryOf(uid: string, hash: string): LogEntry {
  return [uid, hash, '', 'skipped', 0, reason, ''];
}

export function reasonsOf(unreached: readonly LogEntry[]): ReasonCount[] {
  return unreached.length > 0 ? [{ outcome: 'skipped', reason, n: unreached.length }] : [];
}

export interface Unreached {
  appId: string;
  notificationId: string;
  chat: ChatContext | undefined;
  unreached: readonly LogEntry[];
}

/** One row for all of a notification, in the transaction that counts them. No provider was asked. */
export async function logUnreached(tx: Tx, batches: readonly Unreached[]): Promise<void> {
  await writeLogs(
    tx,
    batches
      .filter(({ unreached }) => unreached.length > 0)
      .map(({ unreached, ...batch }) => ({
        ...batch,
        provider: '',
        providerId: '',
        startedAt: tx.now,
        entries: JSON.stringify(unreached),
        receiverUid: oneUserOf(unreached),
      })),
  );
}
