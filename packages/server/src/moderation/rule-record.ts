import type { Reader, Tx } from '../store/store.ts';
import { builtInRules } from './builtins.ts';
import type { Rule, RuleBody } from './rule.ts';

export type RuleRow = {
  id: string;
  revision: number;
  built_in: number;
  body: string;
  created_at: number;
  updated_at: number;
};

/** Newest first, then by id: the order of the listing. The built-in rules are as old as the app. */
export async function readRules(store: Reader, appId: string): Promise<Rule[] | undefined> {
  const app = await store.get<{ created_at: number }>('SELECT created_at FROM apps WHERE id = $1', [appId]);
  if (app === undefined) return undefined;
  const rows = await store.all<RuleRow>(
    'SELECT id, revision, built_in, body, created_at, updated_at FROM rules WHERE app_id = $1',
    [appId],
  );
  const stored = new Set(rows.map(({ id }) => id));
  for (const id of builtInRules.keys()) if (!stored.has(id)) rows.push(builtInRow(id, app.created_at));
  return rows.map((row) => toRule(appId, row)).sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

export async function findRule(store: Reader, appId: string, id: string): Promise<RuleRow | undefined> {
  return store.get<RuleRow>(
    'SELECT id, revision, built_in, body, created_at, updated_at FROM rules WHERE app_id = $1 AND id = $2',
    [appId, id],
  );
}

export async function currentRule(store: Reader, appId: string, id: string): Promise<RuleRow | undefined> {
  const row = await findRule(store, appId, id);
  if (row !== undefined || !builtInRules.has(id)) return row;
  const app = await store.get<{ created_at: number }>('SELECT created_at FROM apps WHERE id = $1', [appId]);
  return app && builtInRow(id, app.created_at);
}

function builtInRow(id: string, createdAt: number): RuleRow {
  return {
    id,
    revision: 1,
    built_in: 1,
    body: JSON.stringify(builtInRules.get(id)),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** A number is never used twice, not even by a rule that is deleted and made again: a verdict names the revision it came from. */
export async function nextRevision(tx: Tx, appId: string, id: string): Promise<number> {
  const newest = await tx.get<{ n: number | null }>(
    'SELECT MAX(revision) AS n FROM rule_revisions WHERE app_id = $1 AND rule_id = $2',
    [appId, id],
  );
  return Math.max(Number(newest?.n ?? 0), builtInRules.has(id) ? 1 : 0) + 1;
}

export async function writeRule(tx: Tx, appId: string, row: RuleRow): Promise<void> {
  const values = [appId, row.id, row.revision, row.built_in, row.body, row.created_at, row.updated_at];
  await tx.run(
    `INSERT INTO rules (app_id, id, revision, built_in, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (app_id, id) DO UPDATE SET revision = excluded.revision, body = excluded.body, updated_at = excluded.updated_at`,
    values,
  );
  await tx.run(
    'INSERT INTO rule_revisions (app_id, rule_id, revision, built_in, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    values,
  );
  tx.touch(`rules:${appId}`);
}

export function toRule(appId: string, row: RuleRow): Rule {
  const { name, description, enabled, conditions, action, filters, shadow } = JSON.parse(row.body) as RuleBody;
  return {
    id: row.id,
    name,
    description,
    enabled,
    conditions,
    action,
    active: true,
    createdAt: Math.floor(row.created_at / 1000),
    updatedAt: Math.floor(row.updated_at / 1000),
    revisionId: ruleRevisionId(appId, row),
    ...(row.built_in === 1 && { default: true }),
    ...(filters && { filters }),
    ...(shadow === true && { shadow }),
  };
}

export function ruleRevisionId(appId: string, row: Pick<RuleRow, 'id' | 'revision'>): string {
  return `${appId}_${row.id}_${row.revision}`;
}
