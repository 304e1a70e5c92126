import { type Condition, compile, type Judge, type List, type Rule, type Ruleset } from '../src/index.ts';

/** Short ways to make rules for the tests. */
export function condition(change: Partial<Condition>): Condition {
  return { id: 1, entity: 'message', operand: 'text', category: 'word', operator: 'contains', value: [], ...change };
}

export function rule(change: Partial<Rule>): Rule {
  return {
    id: 'rule',
    name: 'A rule',
    enabled: true,
    action: ['blockMessage'],
    filters: [],
    conditions: [],
    ...change,
  };
}

export function listRuleset(list: Partial<List> & { terms: readonly string[] }): Ruleset {
  const whole: List = { id: 'list', category: 'word', ...list };
  const conditions = [condition({ isKeywordsReferencePresent: true, category: 'word', value: [whole.id] })];
  return { lists: [whole], rules: [rule({ conditions })] };
}

export function judgeFor(terms: readonly string[], more: Partial<List> = {}): Judge {
  return compile(listRuleset({ terms, ...more }));
}

/** What was found in a text, as the reader would underline it. */
export function found(judge: Judge, text: string): string[] {
  return judge.judge({ text }).matches.map((match) => match.text);
}
