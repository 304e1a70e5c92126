import { isoTime } from '../fields.ts';
import { orderedUuid } from '../ordered-uuid.ts';
import { decodeCursor, page } from '../paging.ts';
import type { Reader, Tx } from '../store/store.ts';

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

const written = ['id', 'at', 'account_id', 'app_id', 'actor', 'action', 'target', 'before', 'after'] as const;

/** Written in the transaction of the change itself: there is no change without its row, and no row without its change. */
export async function audit(tx: Tx, ...entries: readonly AuditEntry[]): Promise<void> {
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  await tx.insertMany(
    'audit',
    written,
    entries.map(({ accountId, appId, actor, action, target, before, after }) => [
      orderedUuid(tx.now),
      tx.now,
      accountId ?? null,
      appId ?? null,
      actor,
      action,
      target,
      json(before),
      json(after),
    ]),
  );
}

export interface AuditFilter {
  action?: string;
  actor?: string;
  target?: string;
}

type AuditRow = {
  id: string;
  at: number;
  app_id: string | null;
  actor: string;
  action: string;
  target: string;
  before: string | null;
  after: string | null;
  actor_name: string | null;
};

/** The name of who did it is looked up now: it is not part of the record. */
const listing = (column: 'app_id' | 'account_id'): string =>
  `SELECT a.id, a.at, a.app_id, a.actor, a.action, a.target, a.before, a.after, COALESCE(p.name, k.name, q.name) AS actor_name
   FROM audit a LEFT JOIN people p ON a.actor = 'person:' || p.id LEFT JOIN api_keys k ON a.actor = 'apiKey:' || k.id
     LEFT JOIN key_pairs q ON a.actor = 'keyPair:' || q.id
   WHERE a.${column} = $1 AND (a.at < $2 OR (a.at = $2 AND a.id < $3)) AND ($4 = '' OR a.action = $4) AND ($5 = '' OR a.actor = $5)
     AND ($6 = '' OR a.target = $6)
   ORDER BY a.at DESC, a.id DESC LIMIT $7`;
const listings = { app_id: listing('app_id'), account_id: listing('account_id') };

export async function listAudit(
  store: Reader,
  of: { column: 'app_id' | 'account_id'; id: string },
  { action = '', actor = '', target = '' }: AuditFilter,
  limit: number,
  cursor?: string,
) {
  const [at, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor(cursor, ['number', 'string']);
  const rows = await store.all<AuditRow>(listings[of.column], [of.id, at, id, action, actor, target, limit + 1]);
  const { data, meta } = page(rows, limit, (row) => [row.at, row.id]);
  return { data: data.map(toEntry), meta };
}

function toEntry(row: AuditRow) {
  return {
    id: row.id,
    at: isoTime(row.at),
    actor: row.actor,
    ...(row.actor_name !== null && { actorName: row.actor_name }),
    action: row.action,
    target: row.target,
    ...(row.app_id !== null && { appId: row.app_id }),
    ...(row.before !== null && { before: JSON.parse(row.before) as unknown }),
    ...(row.after !== null && { after: JSON.parse(row.after) as unknown }),
  };
}
