import { randomUUID } from 'node:crypto';
import type { Tx } from '../store/store.ts';

/** Who asked for a change, as every change is told. */
export interface By {
  actor: string;
}

export interface AuditEntry {
  appId?: string;
  accountId?: string;
  actor: string;
  /** The operation's own name. */
  action: string;
  target: string;
  /** What may be shown of the record before and after; never a secret. */
  before?: unknown;
  after?: unknown;
}

/** Written in the transaction of the change itself: there is no change without its row, and no row without its change. */
export async function audit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.run(
    'INSERT INTO audit (id, at, account_id, app_id, actor, action, target, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    [
      randomUUID(),
      tx.now,
      entry.accountId ?? null,
      entry.appId ?? null,
      entry.actor,
      entry.action,
      entry.target,
      entry.before === undefined ? null : JSON.stringify(entry.before),
      entry.after === undefined ? null : JSON.stringify(entry.after),
    ],
  );
}
