import { actionWord } from '../words.ts';
import { type FilterDraft, type Rule, refersToLists } from './rule-draft.ts';

const shownMax = 60;

function short(values: readonly string[]): string {
  const all = values.map((value) => `“${value}”`).join(', ');
  return all.length <= shownMax ? all : `${all.slice(0, shownMax)}…`;
}

/** A threshold of the interface, such as nudity_greaterThan_80, in words. */
export function thresholdWords(value: string): string {
  const [, label, percent] = /^(.+)_greaterThan_(\d+(?:\.\d+)?)$/.exec(value) ?? [];
  return label === undefined ? value : `${label === 'AnyOf' ? 'anything unsafe' : label} above ${percent} %`;
}

function conditionWords(condition: Rule['conditions'][number], listNames: ReadonlyMap<string, string>): string {
  const { operand, category, operator, value } = condition;
  if (operand === 'image' || operand === 'video') return `${operand}: ${value.map(thresholdWords).join(', ')}`;
  const where = operand === 'custom' ? 'custom data' : 'text';
  const verb = operator === 'equals' ? 'is exactly' : 'holds';
  if (refersToLists(condition))
    return `${where} ${verb} an entry of ${value.map((id) => listNames.get(id) ?? id).join(', ')}`;
  if (category === 'pattern')
    return `${where} matches ${value.length === 1 ? 'a pattern' : `one of ${value.length} patterns`}`;
  if (category === 'custom-api') return `${where} is refused by your own API`;
  if (category === 'toxicity') return `${where} is toxic`;
  if (category === 'sentence-similarity') return `${where} means much the same as ${short(value)}`;
  return `${where} ${verb} ${short(value)}`;
}

/** The whole rule as one sentence. */
export function ruleWords(rule: Rule, listNames: ReadonlyMap<string, string>): string {
  const when = rule.conditions.map((condition) => conditionWords(condition, listNames)).join('; or ');
  return `${rule.action.map(actionWord).join(' and ')} when ${when}`;
}

export const operandWords = {
  uid: 'user id',
  guid: 'group id',
  name: 'name',
  role: 'role',
  type: 'type',
  tags: 'tags',
  createdAt: 'time of creation (seconds since 1970)',
} as const satisfies Record<FilterDraft['operand'], string>;

export const operatorWords = {
  equals: 'is',
  notEquals: 'is not',
  in: 'is one of',
  notIn: 'is none of',
  startsWith: 'starts with',
  endsWith: 'ends with',
  lessThan: 'is less than',
  greaterThan: 'is more than',
} as const satisfies Record<FilterDraft['operator'], string>;
