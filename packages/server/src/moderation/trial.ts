import { ApiError, badField } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Judges, Snapshot } from './judges.ts';
import { readLists } from './list-record.ts';
import { listsOf, type Rule, type RuleRequest, toRuleBody } from './rule.ts';
import { toRuleset } from './ruleset.ts';

/** How many sets an app may have in the making; each may take seconds of a compiler. */
const trialsMax = 4;
export const rulesPerTrial = 25;

/** Rules that are compiled to be tried and never act. They may refer to the app's stored lists. */
export class Trials {
  private readonly store: Store;
  private readonly judges: Judges;
  private readonly running = new Map<string, number>();

  constructor(store: Store, judges: Judges) {
    this.store = store;
    this.judges = judges;
  }

  async compile(appId: string, requests: readonly (RuleRequest & { id?: string })[]): Promise<Snapshot> {
    const rules = requests.map((request, i) => toTried(appId, request, i));
    const ids = new Set(rules.map(({ id }) => id));
    if (ids.size < rules.length) throw badField('rules', 'Two of the rules have the same id.');
    return this.compileRules(appId, rules);
  }

  /** `at` is where the caller wrote a rule, for what is told of it. */
  async compileRules(appId: string, rules: readonly Rule[], at = inRules): Promise<Snapshot> {
    const lists = await readLists(this.store, appId);
    for (const [i, { conditions }] of rules.entries())
      for (const condition of conditions)
        for (const id of listsOf({ conditions: [condition] })) {
          const category = lists.find((list) => list.id === id)?.category;
          if (category === undefined)
            throw badField(`${at(i)}conditions`, `There is no keyword list "${id.slice(0, 100)}".`);
          if (category !== condition.category)
            throw badField(
              `${at(i)}conditions`,
              `The list "${id}" holds ${category} entries, and the condition asks for ${condition.category}.`,
            );
        }
    const running = this.running.get(appId) ?? 0;
    if (running >= trialsMax)
      throw new ApiError('ERR_TOO_MANY_REQUESTS', {
        message: `The app is trying ${trialsMax} sets of rules already. Wait for one of them.`,
        headers: { 'retry-after': '1' },
      });
    this.running.set(appId, running + 1);
    try {
      return await this.judges.compile(toRuleset(appId, rules, lists));
    } finally {
      const left = (this.running.get(appId) ?? 1) - 1;
      if (left === 0) this.running.delete(appId);
      else this.running.set(appId, left);
    }
  }
}

const inRules = (i: number): string => `rules.${i}.`;

/** A rule that was never stored has revision 0. */
export function toTried(
  appId: string,
  { id: sent, ...request }: RuleRequest & { id?: string },
  i: number,
  at = inRules,
): Rule {
  const id = sent ?? `rule-${i + 1}`;
  const now = Math.floor(Date.now() / 1000);
  const body = toRuleBody(request, at(i));
  return { id, ...body, active: false, createdAt: now, updatedAt: now, revisionId: `${appId}_${id}_0` };
}
