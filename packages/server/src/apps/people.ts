import { randomUUID } from 'node:crypto';
import type { Role } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { Reader, Tx } from '../store/store.ts';
import { audit, type By } from './audit.ts';
import { endSessionsOf, forgetSessionsOf } from './sessions.ts';
import { makeLink } from './sign-in-links.ts';

/** Somebody who signs in to the dashboard. */
export interface Person {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Has not used their first link yet. */
  isInvited: boolean;
  createdAt: number;
}

export type PersonRow = {
  id: string;
  account_id: string;
  email: string;
  name: string;
  role: Role;
  password: string;
  created_at: number;
  updated_at: number;
};

type InAccount = By & { accountId: string };

export async function listPeople(store: Reader, accountId: string): Promise<Person[]> {
  const rows = await store.all<PersonRow>('SELECT * FROM people WHERE account_id = $1 ORDER BY created_at, id', [
    accountId,
  ]);
  return rows.map(toPerson);
}

export async function findPerson(store: Reader, accountId: string, id: string): Promise<PersonRow> {
  const row = await store.get<PersonRow>('SELECT * FROM people WHERE account_id = $1 AND id = $2', [accountId, id]);
  if (row === undefined) throw new ApiError('ERR_PERSON_NOT_FOUND');
  return row;
}

/** Nobody can sign in while this is false: the next start prints a link for the first owner. */
export async function hasOwner(store: Reader, accountId: string): Promise<boolean> {
  const row = await store.get(
    "SELECT id FROM people WHERE account_id = $1 AND role = 'owner' AND password <> '' LIMIT 1",
    [accountId],
  );
  return row !== undefined;
}

export interface Invited {
  person: Person;
  /** Shown once: whoever has it chooses the person's password. */
  token: string;
  expiresAt: number;
}

export async function invitePerson(
  tx: Tx,
  input: InAccount & { email: string; name: string; role: Role },
): Promise<Invited> {
  const row = await insertPerson(tx, input, '');
  const person = toPerson(row);
  await audit(tx, {
    accountId: input.accountId,
    actor: input.actor,
    action: 'invitePerson',
    target: row.id,
    after: shown(row),
  });
  return { person, ...(await makeLink(tx, input.accountId, row.id)) };
}

/** A link with which the person chooses a new password. Those made before stop working. */
export async function createSignInLink(
  tx: Tx,
  { accountId, id, actor }: InAccount & { id: string },
): Promise<{ token: string; expiresAt: number }> {
  await findPerson(tx, accountId, id);
  await audit(tx, { accountId, actor, action: 'createSignInLink', target: id });
  return makeLink(tx, accountId, id);
}

export async function changePerson(
  tx: Tx,
  input: InAccount & { id: string; name?: string; role?: Role },
): Promise<Person> {
  const { accountId, id, actor } = input;
  await tx.lock(`people:${accountId}`);
  const row = await findPerson(tx, accountId, id);
  const changed = { ...row, name: input.name ?? row.name, role: input.role ?? row.role, updated_at: tx.now };
  if (row.role === 'owner' && changed.role !== 'owner') await checkAnotherOwner(tx, accountId, id);
  await tx.run('UPDATE people SET name = $2, role = $3, updated_at = $4 WHERE id = $1', [
    id,
    changed.name,
    changed.role,
    tx.now,
  ]);
  await forgetSessionsOf(tx, id);
  await audit(tx, { accountId, actor, action: 'changePerson', target: id, before: shown(row), after: shown(changed) });
  return toPerson(changed);
}

export async function removePerson(tx: Tx, { accountId, id, actor }: InAccount & { id: string }): Promise<void> {
  await tx.lock(`people:${accountId}`);
  const row = await findPerson(tx, accountId, id);
  if (row.role === 'owner') await checkAnotherOwner(tx, accountId, id);
  await endSessionsOf(tx, id);
  await tx.run('DELETE FROM people WHERE id = $1', [id]);
  await audit(tx, { accountId, actor, action: 'removePerson', target: id, before: shown(row) });
}

/** Part of the changes that bring a new person. The address is unique, whatever its case. */
export async function insertPerson(
  tx: Tx,
  input: { accountId: string; email: string; name: string; role: Role },
  password: string,
): Promise<PersonRow> {
  const email = input.email.toLowerCase();
  await tx.lock(`person:${email}`);
  if ((await tx.get('SELECT id FROM people WHERE email = $1', [email])) !== undefined)
    throw new ApiError('ERR_PERSON_ALREADY_EXISTS');
  const row: PersonRow = {
    id: randomUUID(),
    account_id: input.accountId,
    email,
    name: input.name,
    role: input.role,
    password,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await tx.run(
    'INSERT INTO people (id, account_id, email, name, role, password, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)',
    [row.id, row.account_id, row.email, row.name, row.role, password, tx.now],
  );
  return row;
}

/** An owner who can sign in, beside this one. */
async function checkAnotherOwner(tx: Tx, accountId: string, id: string): Promise<void> {
  const other = await tx.get(
    "SELECT id FROM people WHERE account_id = $1 AND role = 'owner' AND password <> '' AND id <> $2 LIMIT 1",
    [accountId, id],
  );
  if (other === undefined) throw new ApiError('ERR_LAST_OWNER');
}

export function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    isInvited: row.password === '',
    createdAt: row.created_at,
  };
}

/** What the audit keeps of a person. */
function shown({ email, name, role }: PersonRow) {
  return { email, name, role };
}
