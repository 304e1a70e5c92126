import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller, Role } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { Cache } from '../store/cache.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { audit, type By } from './audit.ts';
import { hashSecret } from './secrets.ts';

/** A browser that somebody is signed in with. */
export interface Session {
  id: string;
  personId: string;
  email: string;
  browser: string;
  address: string;
  createdAt: number;
  seenAt: number;
}

/** Where a session is used from, as far as the request says. */
export interface SeenFrom {
  browser: string;
  address: string;
}

const dayMs = 86_400_000;
/** A session ends after a month, or after a week in which nobody used it. */
export const lifeMs = 30 * dayMs;
const idleMs = 7 * dayMs;
/** How exactly the last use is known: a write for every request would be too many. */
const seenEveryMs = 5 * 60_000;

type SessionRow = {
  id: string;
  token_hash: string;
  person_id: string;
  browser: string;
  address: string;
  created_at: number;
  seen_at: number;
  expires_at: number;
};
type OpenRow = Pick<SessionRow, 'id' | 'person_id' | 'seen_at' | 'expires_at'> & { account_id: string; role: Role };
type PersonCaller = Extract<Caller, { kind: 'person' }>;

const topic = (tokenHash: string): string => `session:${tokenHash}`;

/** Part of every change by which somebody signs in. The token is in this answer and in the cookie, and nowhere else. */
export async function openSession(tx: Tx, personId: string, from: SeenFrom): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tx.run('DELETE FROM sessions WHERE expires_at <= $1 OR seen_at <= $2', [tx.now, tx.now - idleMs]);
  await tx.run(
    'INSERT INTO sessions (token_hash, id, person_id, browser, address, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $6, $7)',
    [
      hashSecret(token),
      randomUUID(),
      personId,
      from.browser.slice(0, 300),
      from.address.slice(0, 100),
      tx.now,
      tx.now + lifeMs,
    ],
  );
  return token;
}

/** Answers the gate's question: who holds this cookie? Remembered until the session or the person changes. */
export function sessionFinder(store: Store): (token: string) => Promise<PersonCaller | undefined> {
  const open = new Cache<OpenRow>(store, 'session', (tokenHash) =>
    store.get<OpenRow>(
      `SELECT s.id, s.person_id, s.seen_at, s.expires_at, p.account_id, p.role FROM sessions s JOIN people p ON p.id = s.person_id
       WHERE s.token_hash = $1`,
      [tokenHash],
    ),
  );
  return async (token) => {
    const tokenHash = hashSecret(token);
    const row = await open.get(tokenHash);
    const now = Date.now();
    if (row === undefined || row.expires_at <= now || row.seen_at <= now - idleMs) return undefined;
    if (row.seen_at <= now - seenEveryMs) {
      row.seen_at = now;
      // Losing one such mark harms nobody; a store that is down says so by the request itself.
      void store.change(markSessionSeen, { tokenHash }).catch(() => undefined);
    }
    return { kind: 'person', id: row.person_id, accountId: row.account_id, role: row.role, sessionId: row.id };
  };
}

export async function markSessionSeen(tx: Tx, { tokenHash }: { tokenHash: string }): Promise<void> {
  await tx.run('UPDATE sessions SET seen_at = $2 WHERE token_hash = $1', [tokenHash, tx.now]);
}

/** Of one person, or of everybody in the account. */
export async function listSessions(store: Reader, accountId: string, personId: string | undefined): Promise<Session[]> {
  const rows = await store.all<SessionRow & { email: string }>(
    `SELECT s.*, p.email FROM sessions s JOIN people p ON p.id = s.person_id
     WHERE p.account_id = $1 AND s.expires_at > $2 AND s.seen_at > $3 ORDER BY s.seen_at DESC, s.id LIMIT 1000`,
    [accountId, Date.now(), Date.now() - idleMs],
  );
  return rows
    .filter(({ person_id }) => personId === undefined || person_id === personId)
    .map((row) => ({
      id: row.id,
      personId: row.person_id,
      email: row.email,
      browser: row.browser,
      address: row.address,
      createdAt: row.created_at,
      seenAt: row.seen_at,
    }));
}

/** `personId` bounds whose session it may be. */
export async function endSession(
  tx: Tx,
  { accountId, id, personId, actor }: By & { accountId: string; id: string; personId?: string },
): Promise<void> {
  const row = await tx.get<SessionRow & { account_id: string }>(
    'SELECT s.*, p.account_id FROM sessions s JOIN people p ON p.id = s.person_id WHERE s.id = $1',
    [id],
  );
  if (row === undefined || row.account_id !== accountId || (personId !== undefined && row.person_id !== personId))
    throw new ApiError('ERR_SESSION_NOT_FOUND');
  await tx.run('DELETE FROM sessions WHERE id = $1', [id]);
  tx.touch(topic(row.token_hash));
  await audit(tx, { accountId, actor, action: 'endSession', target: row.person_id, before: { sessionId: id } });
}

/** Everywhere, or everywhere but here. */
export async function signOutEverywhere(
  tx: Tx,
  { accountId, personId, except, actor }: By & { accountId: string; personId: string; except?: string },
): Promise<number> {
  const ended = await endSessionsOf(tx, personId, except);
  await audit(tx, { accountId, actor, action: 'signOutEverywhere', target: personId, after: { ended } });
  return ended;
}

/** Part of every change after which a person must sign in again. */
export async function endSessionsOf(tx: Tx, personId: string, except = ''): Promise<number> {
  const rows = await tx.all<{ token_hash: string }>(
    'DELETE FROM sessions WHERE person_id = $1 AND id <> $2 RETURNING token_hash',
    [personId, except],
  );
  for (const { token_hash } of rows) tx.touch(topic(token_hash));
  return rows.length;
}

/** What is remembered of the person's sessions holds their role: part of every change of it. */
export async function forgetSessionsOf(tx: Tx, personId: string): Promise<void> {
  const rows = await tx.all<{ token_hash: string }>('SELECT token_hash FROM sessions WHERE person_id = $1', [personId]);
  for (const { token_hash } of rows) tx.touch(topic(token_hash));
}
