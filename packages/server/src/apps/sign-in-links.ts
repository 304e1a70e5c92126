import { randomBytes } from 'node:crypto';
import type { Role } from '../caller.ts';
import type { Reader, Tx } from '../store/store.ts';
import { hashSecret } from './secrets.ts';

/** A link that works once, for a day: it makes the first owner, or lets a person choose a password. */
const lifeMs = 24 * 3_600_000;

export interface SignInLink {
  /** The person it is for; without one it makes the first owner. */
  email?: string;
  name?: string;
  role: Role;
  expiresAt: number;
}

export type LinkRow = { account_id: string; person_id: string | null; expires_at: number };

export async function createOwnerLink(
  tx: Tx,
  { accountId }: { accountId: string },
): Promise<{ token: string; expiresAt: number }> {
  return makeLink(tx, accountId, null);
}

/** Of the links for one person only the newest works. */
export async function makeLink(
  tx: Tx,
  accountId: string,
  personId: string | null,
): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(24).toString('base64url');
  const expiresAt = tx.now + lifeMs;
  await tx.run('DELETE FROM sign_in_links WHERE expires_at <= $1', [tx.now]);
  if (personId === null)
    await tx.run('DELETE FROM sign_in_links WHERE account_id = $1 AND person_id IS NULL', [accountId]);
  else await tx.run('DELETE FROM sign_in_links WHERE person_id = $1', [personId]);
  await tx.run(
    'INSERT INTO sign_in_links (token_hash, account_id, person_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [hashSecret(token), accountId, personId, tx.now, expiresAt],
  );
  return { token, expiresAt };
}

export async function readLink(store: Reader, token: string): Promise<SignInLink | undefined> {
  const row = await store.get<LinkRow & { email: string | null; name: string | null; role: Role | null }>(
    `SELECT l.account_id, l.person_id, l.expires_at, p.email, p.name, p.role FROM sign_in_links l LEFT JOIN people p ON p.id = l.person_id
     WHERE l.token_hash = $1 AND l.expires_at > $2`,
    [hashSecret(token), Date.now()],
  );
  return (
    row && {
      ...(row.email !== null && { email: row.email }),
      ...(row.name !== null && { name: row.name }),
      role: row.role ?? 'owner',
      expiresAt: row.expires_at,
    }
  );
}

/** Part of the change that uses it. Whoever comes second finds nothing. */
export async function takeLink(tx: Tx, token: string): Promise<LinkRow | undefined> {
  const [row] = await tx.all<LinkRow>(
    'DELETE FROM sign_in_links WHERE token_hash = $1 AND expires_at > $2 RETURNING account_id, person_id, expires_at',
    [hashSecret(token), tx.now],
  );
  return row;
}
