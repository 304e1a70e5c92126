import { ApiError, badField } from '../errors.ts';
import type { Store, Tx } from '../store/store.ts';
import { audit, type By } from './audit.ts';
import { findPerson, hasOwner, insertPerson, type PersonRow } from './people.ts';
import { hashSecret } from './secrets.ts';
import { endSessionsOf, openSession, type SeenFrom } from './sessions.ts';
import { readLink, type SignInLink, takeLink } from './sign-in-links.ts';
import { hashPassword, isPassword } from './sign-in-password.ts';

/** How many attempts fit into a quarter of an hour: one address on one person, one address on anybody, anybody on one person. */
const windowMs = 15 * 60_000;
const attemptsMax = { pair: 10, address: 60, person: 100 };

export interface SignedIn {
  personId: string;
  /** Goes into the cookie. */
  token: string;
}

export interface LinkUse {
  token: string;
  password: string;
  /** Asked for when the link makes the first owner. */
  email?: string;
  name?: string;
}

/** The ways in: by password, or by a link that works once. */
export class SignIn {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async signIn(email: string, password: string, from: SeenFrom): Promise<SignedIn> {
    const waitMs = await this.store.change(countAttempt, { keys: attemptKeys(email, from) });
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    const row = await this.store.get<PersonRow>('SELECT * FROM people WHERE email = $1', [email.toLowerCase()]);
    const isRight = await isPassword(password, row?.password);
    if (!isRight || row === undefined) throw new ApiError('AUTH_ERR_WRONG_PASSWORD');
    const token = await this.store.change(startSession, { row, from });
    return { personId: row.id, token };
  }

  async readLink(token: string): Promise<SignInLink> {
    const link = await readLink(this.store, token);
    if (link === undefined) throw new ApiError('ERR_LINK_NOT_FOUND');
    return link;
  }

  async useLink(use: LinkUse, from: SeenFrom): Promise<SignedIn> {
    // A quarter of a second of work is not done for a link that does not exist.
    const link = await this.readLink(use.token);
    checkPassword(use.password, link.email ?? use.email ?? '');
    const { password, ...rest } = use;
    return this.store.change(redeemSignInLink, { ...rest, hash: await hashPassword(password), from });
  }

  /** Whoever changes the password proves to know the old one; every other session ends. */
  async changePassword(
    who: By & { accountId: string; personId: string; sessionId: string; from: SeenFrom },
    current: string,
    password: string,
  ): Promise<void> {
    const row = await findPerson(this.store, who.accountId, who.personId);
    const waitMs = await this.store.change(countAttempt, { keys: attemptKeys(row.email, who.from) });
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    if (!(await isPassword(current, row.password))) throw badField('currentPassword', 'Is not your password.');
    checkPassword(password, row.email);
    const { from: _, ...by } = who;
    await this.store.change(setPassword, { ...by, hash: await hashPassword(password) });
  }
}

function tooManyAttempts(waitMs: number): ApiError {
  return new ApiError('AUTH_ERR_TOO_MANY_ATTEMPTS', { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } });
}

function checkPassword(password: string, email: string): void {
  if (password.toLowerCase() === email.toLowerCase())
    throw badField('password', 'Must not be your e-mail address. Choose another.');
}

interface AttemptKey {
  hash: string;
  max: number;
}

function attemptKeys(email: string, { address }: SeenFrom): AttemptKey[] {
  const person = email.toLowerCase();
  return [
    { hash: hashSecret(`pair ${person} ${address}`), max: attemptsMax.pair },
    { hash: hashSecret(`address ${address}`), max: attemptsMax.address },
    { hash: hashSecret(`person ${person}`), max: attemptsMax.person },
  ];
}

/** Counted before the password is looked at, so that a thousand attempts at once are a thousand. Answers how long to wait. */
export async function countAttempt(tx: Tx, { keys }: { keys: readonly AttemptKey[] }): Promise<number> {
  const from = tx.now - windowMs;
  await tx.run('DELETE FROM sign_in_attempts WHERE since <= $1', [from]);
  let waitMs = 0;
  for (const { hash, max } of keys) {
    const row = await tx.get<{ n: number; since: number }>(
      `INSERT INTO sign_in_attempts (key_hash, n, since) VALUES ($1, 1, $2)
       ON CONFLICT (key_hash) DO UPDATE SET n = sign_in_attempts.n + 1 RETURNING n, since`,
      [hash, tx.now],
    );
    if (row !== undefined && row.n > max) waitMs = Math.max(waitMs, row.since + windowMs - tx.now);
  }
  return waitMs;
}

export async function startSession(tx: Tx, { row, from }: { row: PersonRow; from: SeenFrom }): Promise<string> {
  // Only what was counted for this person from this address: the others would let an insider start over at will.
  const [pair] = attemptKeys(row.email, from);
  if (pair !== undefined) await tx.run('DELETE FROM sign_in_attempts WHERE key_hash = $1', [pair.hash]);
  await audit(tx, { accountId: row.account_id, actor: `person:${row.id}`, action: 'signIn', target: row.id });
  return openSession(tx, row.id, from);
}

export async function redeemSignInLink(
  tx: Tx,
  use: Omit<LinkUse, 'password'> & { hash: string; from: SeenFrom },
): Promise<SignedIn> {
  const link = await takeLink(tx, use.token);
  if (link === undefined) throw new ApiError('ERR_LINK_NOT_FOUND');
  const { account_id: accountId } = link;
  const personId = link.person_id ?? (await firstOwner(tx, accountId, use));
  await tx.run('UPDATE people SET password = $2, updated_at = $3 WHERE id = $1', [personId, use.hash, tx.now]);
  await endSessionsOf(tx, personId);
  await audit(tx, { accountId, actor: `person:${personId}`, action: 'redeemSignInLink', target: personId });
  return { personId, token: await openSession(tx, personId, use.from) };
}

async function firstOwner(tx: Tx, accountId: string, use: Omit<LinkUse, 'password'>): Promise<string> {
  await tx.lock(`people:${accountId}`);
  if (use.email === undefined) throw badField('email', 'Is needed: you will sign in with it.');
  if (await hasOwner(tx, accountId)) throw new ApiError('ERR_LINK_NOT_FOUND');
  const name = use.name ?? use.email;
  return (await insertPerson(tx, { accountId, email: use.email, name, role: 'owner' }, '')).id;
}

export async function setPassword(
  tx: Tx,
  input: By & { accountId: string; personId: string; sessionId: string; hash: string },
): Promise<void> {
  const { accountId, personId, sessionId, hash, actor } = input;
  await tx.run('UPDATE people SET password = $2, updated_at = $3 WHERE id = $1', [personId, hash, tx.now]);
  await endSessionsOf(tx, personId, sessionId);
  await audit(tx, { accountId, actor, action: 'changePassword', target: personId });
}
