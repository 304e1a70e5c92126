import { type Static, Type } from '#typebox';
import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { line, recordId, text } from '../fields.ts';
import type { Reader, Store, Tx } from '../store/store.ts';

/** Why a user flags a message. */
export const createReasonRequest = Type.Object({
  id: recordId,
  name: line(100),
  description: Type.Optional(text(255)),
});
export const replaceReasonRequest = Type.Object({ name: line(100), description: Type.Optional(text(255)) });
export const reasonAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  default: Type.Optional(Type.Boolean()),
});

type Request = Static<typeof replaceReasonRequest>;
type Reason = Static<typeof reasonAnswer>;
type Target = By & { appId: string };
type ReasonRow = {
  id: string;
  built_in: number;
  name: string;
  description: string;
  created_at: number;
  updated_at: number;
};

const builtIn: ReadonlyMap<string, { name: string; description: string }> = new Map([
  ['spam', { name: 'Spam', description: 'Advertising, scams, or the same thing again and again.' }],
  ['sexual', { name: 'Sexual', description: 'Sexual content that does not belong here.' }],
  ['harassment', { name: 'Harassment', description: 'Insults, threats or bullying.' }],
]);
const columns = 'id, built_in, name, description, created_at, updated_at';

export class Reasons {
  private readonly store: Store;
  private readonly ownReasonsMax: number;

  constructor(store: Store, options: { ownReasonsMax: number }) {
    this.store = store;
    this.ownReasonsMax = options.ownReasonsMax;
  }

  /** All of them, newest first: there are few. */
  async listReasons(appId: string): Promise<Reason[]> {
    const rows = await this.store.all<ReasonRow>(`SELECT ${columns} FROM reasons WHERE app_id = $1`, [appId]);
    const stored = new Set(rows.map(({ id }) => id));
    for (const id of builtIn.keys()) {
      const row = stored.has(id) ? undefined : await findReason(this.store, appId, id);
      if (row !== undefined) rows.push(row);
    }
    return rows.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1)).map(toReason);
  }

  async getReason(appId: string, id: string): Promise<Reason> {
    const row = await findReason(this.store, appId, id);
    if (row === undefined) throw new ApiError('ERR_REASON_NOT_FOUND');
    return toReason(row);
  }

  createReason(target: Target, request: Request & { id: string }): Promise<Reason> {
    return this.store.change(createReason, { ...target, ...request, ownReasonsMax: this.ownReasonsMax });
  }

  replaceReason(target: Target, id: string, request: Request): Promise<Reason> {
    return this.store.change(replaceReason, { ...target, ...request, id });
  }

  deleteReason(target: Target, id: string): Promise<void> {
    return this.store.change(deleteReason, { ...target, id });
  }
}

export async function createReason(
  tx: Tx,
  input: Target & Request & { id: string; ownReasonsMax: number },
): Promise<Reason> {
  const { appId, actor, id } = input;
  await tx.lock(`reasons:${appId}`);
  if ((await findReason(tx, appId, id)) !== undefined) throw new ApiError('ERR_REASON_ALREADY_EXISTS');
  const count = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM reasons WHERE app_id = $1 AND built_in = 0', [
    appId,
  ]);
  if (Number(count?.n) >= input.ownReasonsMax) throw new ApiError('ERR_REASON_LIMIT_REACHED');
  const row = { ...fieldsOf(input), built_in: 0, created_at: tx.now, updated_at: tx.now };
  await write(tx, appId, row);
  await audit(tx, { appId, actor, action: 'createReason', target: id, after: toReason(row) });
  return toReason(row);
}

export async function replaceReason(tx: Tx, input: Target & Request & { id: string }): Promise<Reason> {
  const { appId, actor, id } = input;
  await tx.lock(`reasons:${appId}`);
  const before = await findReason(tx, appId, id);
  if (before === undefined) throw new ApiError('ERR_REASON_NOT_FOUND');
  const row = { ...before, ...fieldsOf(input), updated_at: tx.now };
  await write(tx, appId, row);
  const change = { before: toReason(before), after: toReason(row) };
  await audit(tx, { appId, actor, action: 'replaceReason', target: id, ...change });
  return toReason(row);
}

/** A built-in reason returns to how it came. */
export async function deleteReason(tx: Tx, { appId, actor, id }: Target & { id: string }): Promise<void> {
  await tx.lock(`reasons:${appId}`);
  const before = await findReason(tx, appId, id);
  if (before === undefined) throw new ApiError('ERR_REASON_NOT_FOUND');
  await tx.run('DELETE FROM reasons WHERE app_id = $1 AND id = $2', [appId, id]);
  await audit(tx, { appId, actor, action: 'deleteReason', target: id, before: toReason(before) });
}

export async function findReason(store: Reader, appId: string, id: string): Promise<ReasonRow | undefined> {
  const row = await store.get<ReasonRow>(`SELECT ${columns} FROM reasons WHERE app_id = $1 AND id = $2`, [appId, id]);
  const original = builtIn.get(id);
  if (row !== undefined || original === undefined) return row;
  const app = await store.get<{ created_at: number }>('SELECT created_at FROM apps WHERE id = $1', [appId]);
  return app && { id, built_in: 1, ...original, created_at: app.created_at, updated_at: app.created_at };
}

function fieldsOf({ id, name, description }: Request & { id: string }) {
  return { id, name, description: description ?? '' };
}

async function write(tx: Tx, appId: string, row: ReasonRow): Promise<void> {
  await tx.run(
    `INSERT INTO reasons (app_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (app_id, id) DO UPDATE SET name = excluded.name, description = excluded.description, updated_at = excluded.updated_at`,
    [appId, row.id, row.built_in, row.name, row.description, row.created_at, row.updated_at],
  );
}

function toReason(row: ReasonRow): Reason {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: Math.floor(row.created_at / 1000),
    updatedAt: Math.floor(row.updated_at / 1000),
    ...(row.built_in === 1 && { default: true }),
  };
}
