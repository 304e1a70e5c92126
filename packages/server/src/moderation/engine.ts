import type {
  List,
  Match,
  Message,
  OutsideCondition,
  Problem,
  Rule,
  RuleAction,
  Ruleset,
  Verdict,
} from '@gatehouse/judge';

/** Stands in for the engine of packages/judge until it is there. */
export interface SerialisedJudge {
  ruleset: Ruleset;
}
export class Judge {
  readonly outside: readonly OutsideCondition[];
  private readonly ruleset: Ruleset;
  constructor(ruleset: Ruleset) {
    this.ruleset = ruleset;
    this.outside = ruleset.rules.flatMap((rule) =>
      rule.conditions
        .filter((c) => c.category !== 'word' && c.category !== 'pattern')
        .map((c) => ({
          ruleId: rule.id,
          conditionId: c.id,
          operand: c.operand,
          category: c.category,
          value: [c.value].flat(),
        })),
    );
  }
  static from(serialised: SerialisedJudge): Judge {
    return new Judge(serialised.ruleset);
  }
  serialise(): SerialisedJudge {
    return { ruleset: this.ruleset };
  }
  judge(message: Message): Verdict {
    const matches: Match[] = [];
    const shadow: Match[] = [];
    const actions = new Set<RuleAction>();
    for (const rule of this.ruleset.rules) {
      if (!rule.enabled) continue;
      for (const c of rule.conditions) {
        const text =
          c.operand === 'text'
            ? message.text
            : c.operand === 'custom' && message.customData !== undefined
              ? JSON.stringify(message.customData)
              : undefined;
        if (text === undefined) continue;
        const refs = c.isKeywordsReferencePresent === true || c.isListReferencePresent === true;
        const entries = refs
          ? [c.value]
              .flat()
              .flatMap((id) =>
                this.ruleset.lists
                  .filter((l) => l.id === id)
                  .flatMap((l) => l.terms.map((term) => ({ term, listId: id }))),
              )
          : [c.value].flat().map((term) => ({ term, listId: undefined }));
        for (const { term, listId } of entries) {
          const at =
            c.category === 'pattern'
              ? text.search(new RegExp(term.replace('(?i)', ''), 'iu'))
              : text.toLowerCase().indexOf(term.toLowerCase());
          if (at < 0) continue;
          const end = at + term.length;
          const match: Match = {
            ruleId: rule.id,
            ...(rule.revisionId && { revisionId: rule.revisionId }),
            conditionId: c.id,
            ...(listId && { listId }),
            entry: term,
            operand: c.operand,
            field: c.operand,
            start: at,
            end,
            text: text.slice(at, end),
            normalised: term,
          };
          (rule.shadow === true ? shadow : matches).push(match);
          if (rule.shadow !== true) for (const action of rule.action) actions.add(action);
          break;
        }
      }
    }
    const all = [...actions];
    const action = all.includes('dropMessage')
      ? 'drop'
      : all.includes('blockMessage')
        ? 'block'
        : all.includes('flagMessage')
          ? 'flag'
          : 'allow';
    return { action, actions: all, matches, shadow };
  }
}
export function compile(ruleset: Ruleset): Judge {
  return new Judge(ruleset);
}
export function checkRule(rule: Rule, _lists?: readonly List[]): Problem[] {
  return rule.conditions.flatMap((c): Problem[] => {
    if (c.category !== 'pattern') return [];
    return [c.value].flat().flatMap((p) => {
      try {
        new RegExp(p.replace('(?i)', ''));
        return [];
      } catch (error) {
        return [{ conditionId: c.id, reason: String(error) }];
      }
    });
  });
}
export function checkList(list: List): Problem[] {
  if (list.category !== 'pattern') return [];
  return list.terms.flatMap((p, position) => {
    try {
      new RegExp(p.replace('(?i)', ''));
      return [];
    } catch (error) {
      return [{ position, reason: String(error) }];
    }
  });
}
