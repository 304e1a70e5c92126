import { audit, type By } from '../apps/audit.ts';
import { ApiError, Problems } from '../errors.ts';
import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import { builtInRules } from './builtins.ts';
import { currentList } from './list-record.ts';
import { listsOf, type Rule, type RuleBody } from './rule.ts';
import { currentRule, findRule, nextRevision, type RuleRow, ruleRevisionId, toRule, writeRule } from './rule-record.ts';

type Target = By & { appId: string };
/** `ifMatch` is the revision that the caller believes to be the current one. */
type OnRule = Target & { id: string; ifMatch?: string };

export async function createRule(
  tx: Tx,
  { appId, actor, id, body, ownRulesMax }: Target & { id: string; body: RuleBody; ownRulesMax: number },
): Promise<Rule> {
  await tx.lock(`rules:${appId}`);
  if (builtInRules.has(id) || (await findRule(tx, appId, id)) !== undefined)
    throw new ApiError('ERR_RULE_ALREADY_EXISTS');
  const count = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM rules WHERE app_id = $1 AND built_in = 0', [
    appId,
  ]);
  if (Number(count?.n) >= ownRulesMax) {
    throw new ApiError('ERR_RULE_LIMIT_REACHED', {
      message: `The app has ${ownRulesMax} rules of its own, its limit. Delete one first, or raise the limit.`,
    });
  }
  const fresh = { id, revision: 0, built_in: 0, body: '', created_at: tx.now, updated_at: tx.now };
  return revise(tx, { appId, actor }, 'createRule', undefined, fresh, body);
}

export async function replaceRule(tx: Tx, { appId, actor, body, ...on }: OnRule & { body: RuleBody }): Promise<Rule> {
  const before = await expectedRule(tx, { appId, actor, ...on });
  return revise(tx, { appId, actor }, 'replaceRule', before, before, body);
}

/** Makes a past revision the current one again, as a new revision: the history only grows. */
export async function restoreRule(tx: Tx, { appId, actor, revision, ...on }: OnRule & { revision: number }) {
  const before = await expectedRule(tx, { appId, actor, ...on });
  const original = revision === 1 ? builtInRules.get(on.id) : undefined;
  const past = await tx.get<{ body: string }>(
    'SELECT body FROM rule_revisions WHERE app_id = $1 AND rule_id = $2 AND revision = $3',
    [appId, on.id, revision],
  );
  const body = past === undefined ? original : (JSON.parse(past.body) as RuleBody);
  if (body === undefined) throw new ApiError('ERR_REVISION_NOT_FOUND');
  return revise(tx, { appId, actor }, 'restoreRule', before, before, body);
}

/** Deleting a built-in rule takes back the app's changes to it: the rule as it comes stands again. */
export async function deleteRule(tx: Tx, { appId, actor, ...on }: OnRule): Promise<void> {
  const before = await expectedRule(tx, { appId, actor, ...on });
  await tx.run('DELETE FROM rules WHERE app_id = $1 AND id = $2', [appId, on.id]);
  const rule = toRule(appId, before);
  await audit(tx, { appId, actor, action: 'deleteRule', target: on.id, before: rule });
  await announce(tx, { appId, trigger: 'rule_changed', data: { change: 'deleteRule', rule, by: actor } });
  tx.touch(`rules:${appId}`);
}

export interface Runaway {
  appId: string;
  ruleId: string;
  revisionId: string;
  /** How many of the last messages it caught, and the share it used to catch. */
  caught: number;
  judged: number;
  usualShare: number;
}

/** A rule gone wild goes on watching and stops acting. Nothing happens if somebody changed it meanwhile. */
export async function putInShadow(tx: Tx, { appId, ruleId, revisionId, ...seen }: Runaway): Promise<boolean> {
  await tx.lock(`rules:${appId}`);
  const before = await currentRule(tx, appId, ruleId);
  if (before === undefined || ruleRevisionId(appId, before) !== revisionId) return false;
  const body = JSON.parse(before.body) as RuleBody;
  if (body.shadow === true) return false;
  // Somebody who switched it on again within a day is believed.
  const done = await tx.get(
    "SELECT id FROM audit WHERE app_id = $1 AND at > $2 AND action = 'putInShadow' AND target = $3 LIMIT 1",
    [appId, tx.now - 86_400_000, ruleId],
  );
  if (done !== undefined) return false;
  const rule = await revise(tx, { appId, actor: 'guard' }, 'putInShadow', before, before, { ...body, shadow: true });
  await announce(tx, { appId, trigger: 'rule_put_in_shadow', data: { rule, ...seen } });
  return true;
}

async function expectedRule(tx: Tx, { appId, id, ifMatch }: OnRule): Promise<RuleRow> {
  await tx.lock(`rules:${appId}`);
  const row = await currentRule(tx, appId, id);
  if (row === undefined) throw new ApiError('ERR_RULE_NOT_FOUND');
  if (ifMatch !== undefined && ifMatch !== ruleRevisionId(appId, row)) throw new ApiError('ERR_REVISION_CONFLICT');
  return row;
}

async function revise(
  tx: Tx,
  { appId, actor }: Target,
  action: string,
  before: RuleRow | undefined,
  base: RuleRow,
  body: RuleBody,
): Promise<Rule> {
  await checkLists(tx, appId, body);
  const revision = await nextRevision(tx, appId, base.id);
  const row = { ...base, revision, body: JSON.stringify(body), updated_at: tx.now };
  await writeRule(tx, appId, row);
  const rule = toRule(appId, row);
  const was = before && { before: toRule(appId, before) };
  await audit(tx, { appId, actor, action, target: base.id, ...was, after: rule });
  await announce(tx, { appId, trigger: 'rule_changed', data: { change: action, rule, by: actor } });
  return rule;
}

/** Every list must be there and hold what its condition looks for. */
async function checkLists(tx: Tx, appId: string, body: RuleBody): Promise<void> {
  const problems = new Problems();
  for (const [i, condition] of body.conditions.entries()) {
    for (const id of listsOf({ conditions: [condition] })) {
      const list = await currentList(tx, appId, id);
      const field = `conditions.${i}.value`;
      if (list === undefined) problems.add(field, `There is no keyword list "${id.slice(0, 100)}". Make it first.`);
      else if (list.category !== condition.category)
        problems.add(
          field,
          `The list "${id}" holds ${list.category} entries, and the condition asks for ${condition.category}.`,
        );
    }
  }
  problems.throwIfAny();
}
