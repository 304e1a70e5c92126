import { ApiError } from '../errors.ts';
import type { Tx } from '../store/store.ts';
import { builtInRules } from './builtins.ts';
import { listsOf, type RuleBody } from './rule.ts';

/** A list that a rule refers to stays: without it the rule would silently catch nothing. */
export async function refuseIfUsed(tx: Tx, appId: string, id: string): Promise<void> {
  const rules = await tx.all<{ id: string; body: string }>('SELECT id, body FROM rules WHERE app_id = $1', [appId]);
  const bodies = new Map([
    ...builtInRules,
    ...rules.map((rule): [string, RuleBody] => [rule.id, JSON.parse(rule.body) as RuleBody]),
  ]);
  const users = [...bodies].filter(([, body]) => listsOf(body).includes(id)).map(([ruleId]) => ruleId);
  if (users.length > 0)
    throw new ApiError('ERR_KEYWORD_IN_USE', {
      message: `The rules ${users.join(', ')} use this list. Change them first.`,
      details: { rules: users },
    });
}
