import { randomBytes } from 'node:crypto';
import { audit, type By } from '../apps/audit.ts';
import { ApiError, badField } from '../errors.ts';
import { decodeCursor, page } from '../paging.ts';
import { Cache } from '../store/cache.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { builtInLists, builtInRules } from './builtins.ts';
import { listsOf, type Rule, type RuleBody, type RuleRequest, toRuleBody } from './rule.ts';

type RuleRow = { id: string; revision: number; built_in: number; body: string; created_at: number; updated_at: number };
type Target = By & { appId: string };

/** The rules of an app: the built-in ones, as changed by the app or as they come, and its own. */
export class Rules {
  private readonly store: Store;
  private readonly cache: Cache<Rule[]>;
  private readonly ownRulesMax: number;

  constructor(store: Store, options: { ownRulesMax: number }) {
    this.store = store;
    this.ownRulesMax = options.ownRulesMax;
    this.cache = new Cache(store, 'rules', (appId) => readRules(store, appId), 1000);
  }

  async listRules(appId: string, limit: number, cursor?: string) {
    const rules = (await this.cache.get(appId)) ?? [];
    const rest = cursor === undefined ? rules : after(rules, ...decodeCursor(cursor, ['number', 'string']));
    return page(rest.slice(0, limit + 1), limit, (rule) => [rule.createdAt, rule.id]);
  }

  async getRule(appId: string, id: string): Promise<Rule> {
    const rule = (await this.cache.get(appId))?.find((known) => known.id === id);
    if (rule === undefined) throw new ApiError('ERR_RULE_NOT_FOUND');
    return rule;
  }

  createRule(target: Target, { id, ...request }: RuleRequest & { id?: string }): Promise<Rule> {
    const body = toRuleBody(request);
    return this.store.change(createRule, {
      ...target,
      id: id ?? `rule-${randomBytes(4).toString('hex')}`,
      body,
      ownRulesMax: this.ownRulesMax,
    });
  }

  replaceRule(target: Target, id: string, request: RuleRequest): Promise<Rule> {
    return this.store.change(replaceRule, { ...target, id, body: toRuleBody(request) });
  }

  deleteRule(target: Target, id: string): Promise<void> {
    return this.store.change(deleteRule, { ...target, id });
  }

  async listRevisions(appId: string, id: string, limit: number, cursor?: string) {
    const current = await this.getRule(appId, id);
    const [before] = cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number']);
    const rows = await this.store.all<RuleRow>(
      `SELECT rule_id AS id, revision, built_in, body, created_at, updated_at FROM rule_revisions
       WHERE app_id = $1 AND rule_id = $2 AND revision < $3 ORDER BY revision DESC LIMIT $4`,
      [appId, id, before, limit + 1],
    );
    const revisions = rows
      .map((row) => toRule(appId, row))
      .map((rule) => ({ ...rule, active: rule.revisionId === current.revisionId }));
    const original = builtInRules.get(id);
    if (original !== undefined && before > 1 && revisions.length <= limit) {
      const first = toRule(appId, {
        id,
        revision: 1,
        built_in: 1,
        body: JSON.stringify(original),
        created_at: current.createdAt * 1000,
        updated_at: current.createdAt * 1000,
      });
      revisions.push({ ...first, active: first.revisionId === current.revisionId });
    }
    return page(revisions, limit, (rule) => [Number(rule.revisionId.split('_').at(-1))]);
  }
}

export async function createRule(
  tx: Tx,
  input: Target & { id: string; body: RuleBody; ownRulesMax: number },
): Promise<Rule> {
  const { appId, id, body } = input;
  await tx.lock(`rules:${appId}`);
  if (builtInRules.has(id) || (await findRow(tx, appId, id)) !== undefined)
    throw new ApiError('ERR_RULE_ALREADY_EXISTS');
  const count = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM rules WHERE app_id = $1 AND built_in = 0', [
    appId,
  ]);
  if (Number(count?.n) >= input.ownRulesMax) {
    throw new ApiError('ERR_RULE_LIMIT_REACHED', {
      message: `The app has ${input.ownRulesMax} rules of its own, its limit. Delete one first, or raise the limit.`,
    });
  }
  await checkLists(tx, appId, body);
  const row = {
    id,
    revision: await nextRevision(tx, appId, id),
    built_in: 0,
    body: JSON.stringify(body),
    created_at: tx.now,
    updated_at: tx.now,
  };
  await write(tx, appId, row);
  const rule = toRule(appId, row);
  await audit(tx, { appId, actor: input.actor, action: 'createRule', target: id, after: rule });
  return rule;
}

export async function replaceRule(
  tx: Tx,
  { appId, id, body, actor }: Target & { id: string; body: RuleBody },
): Promise<Rule> {
  await tx.lock(`rules:${appId}`);
  const before = await currentRow(tx, appId, id);
  if (before === undefined) throw new ApiError('ERR_RULE_NOT_FOUND');
  await checkLists(tx, appId, body);
  const row = {
    ...before,
    revision: await nextRevision(tx, appId, id),
    body: JSON.stringify(body),
    updated_at: tx.now,
  };
  await write(tx, appId, row);
  const rule = toRule(appId, row);
  await audit(tx, { appId, actor, action: 'replaceRule', target: id, before: toRule(appId, before), after: rule });
  return rule;
}

/** Deleting a built-in rule takes back the app's changes to it: the rule as it comes stands again. */
export async function deleteRule(tx: Tx, { appId, id, actor }: Target & { id: string }): Promise<void> {
  await tx.lock(`rules:${appId}`);
  const before = await currentRow(tx, appId, id);
  if (before === undefined) throw new ApiError('ERR_RULE_NOT_FOUND');
  await tx.run('DELETE FROM rules WHERE app_id = $1 AND id = $2', [appId, id]);
  await audit(tx, { appId, actor, action: 'deleteRule', target: id, before: toRule(appId, before) });
  tx.touch(`rules:${appId}`);
}

/** Newest first, then by id: the order of the listing. The built-in rules are as old as the app. */
async function readRules(store: Reader, appId: string): Promise<Rule[] | undefined> {
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

function after(rules: readonly Rule[], createdAt: number, id: string): Rule[] {
  return rules.filter((rule) => rule.createdAt < createdAt || (rule.createdAt === createdAt && rule.id > id));
}

async function findRow(store: Reader, appId: string, id: string): Promise<RuleRow | undefined> {
  return store.get<RuleRow>(
    'SELECT id, revision, built_in, body, created_at, updated_at FROM rules WHERE app_id = $1 AND id = $2',
    [appId, id],
  );
}

async function currentRow(store: Reader, appId: string, id: string): Promise<RuleRow | undefined> {
  const row = await findRow(store, appId, id);
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
async function nextRevision(tx: Tx, appId: string, id: string): Promise<number> {
  const newest = await tx.get<{ n: number | null }>(
    'SELECT MAX(revision) AS n FROM rule_revisions WHERE app_id = $1 AND rule_id = $2',
    [appId, id],
  );
  return Math.max(Number(newest?.n ?? 0), builtInRules.has(id) ? 1 : 0) + 1;
}

async function write(tx: Tx, appId: string, row: RuleRow): Promise<void> {
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

async function checkLists(tx: Tx, appId: string, body: RuleBody): Promise<void> {
  for (const id of listsOf(body)) {
    if (builtInLists.has(id)) continue;
    const found = await tx.get('SELECT id FROM keyword_lists WHERE app_id = $1 AND id = $2', [appId, id]);
    if (found === undefined)
      throw badField('conditions', `There is no keyword list "${id.slice(0, 100)}". Make it first.`);
  }
}

function toRule(appId: string, row: RuleRow): Rule {
  const { name, description, enabled, conditions, action, filters } = JSON.parse(row.body) as RuleBody;
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
    revisionId: `${appId}_${row.id}_${row.revision}`,
    ...(row.built_in === 1 && { default: true }),
    ...(filters && { filters }),
  };
}
