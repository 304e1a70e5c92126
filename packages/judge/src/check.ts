import { keyOf } from './entry.ts';
import { FOLD_KINDS } from './fold.ts';
import { parseThreshold } from './media.ts';
import { checkPattern } from './patterns.ts';
import type { Condition, Filter, List, Problem, Rule } from './types.ts';

/** The checks behind `compile`, usable alone at the moment a rule or a list is written. All input is doubted. */

const ACTIONS = new Set(['flagMessage', 'blockMessage', 'dropMessage', 'block', 'kick', 'ban', 'deactivate']);
const OPERANDS = new Set(['text', 'custom', 'image', 'video']);
const CATEGORIES = new Set(['word', 'pattern', 'toxicity', 'sentence-similarity', 'custom-api']);
const USER_OPERANDS = new Set(['uid', 'name', 'role', 'tags', 'createdAt']);
const GROUP_OPERANDS = new Set(['guid', 'name', 'type', 'tags', 'createdAt']);
const FILTER_OPERATORS = new Set([
  'equals',
  'notEquals',
  'in',
  'notIn',
  'startsWith',
  'endsWith',
  'lessThan',
  'greaterThan',
]);
const TERM_MAX = 100;

export function isOutside(condition: Condition): boolean {
  return condition.category !== 'word' && condition.category !== 'pattern';
}

export function isMedia(condition: Condition): boolean {
  return condition.operand === 'image' || condition.operand === 'video';
}

export function namesLists(condition: Condition): boolean {
  return (
    condition.isKeywordsReferencePresent === true ||
    condition.isKeywordReferencePresent === true ||
    condition.isListReferencePresent === true
  );
}

export function valuesOf(condition: Condition): readonly string[] {
  return typeof condition.value === 'string' ? [condition.value] : condition.value;
}

/** What is wrong with one term, or nothing. */
export function checkTerm(term: unknown, category: string): { position?: number; reason: string } | undefined {
  if (typeof term !== 'string') return { reason: 'a term must be a text' };
  if (category === 'pattern') return checkPattern(term);
  if (category !== 'word') return undefined;
  if (term.trim() === '') return { reason: 'an empty keyword would match nothing' };
  if (term.length > TERM_MAX)
    return { reason: `a keyword may have ${TERM_MAX} characters at most; this one has ${term.length}` };
  // A letter or digit is enough; only terms without one are looked at closely.
  if (!/[\p{L}\p{N}]/u.test(term) && keyOf(term) === undefined)
    return { reason: `"${term}" holds no letter, digit or picture to look for` };
  return undefined;
}

export function checkList(list: List): Problem[] {
  const listId = String(list.id);
  const problems: Problem[] = [];
  const tell = (reason: string, position?: number): void => {
    problems.push(position === undefined ? { listId, reason } : { listId, position, reason });
  };
  if (typeof list.id !== 'string' || list.id === '') tell('a list needs an id');
  if (!['word', 'pattern', 'sentence-similarity'].includes(list.category)) {
    tell(`"${String(list.category)}" is no kind of list: use word, pattern or sentence-similarity`);
  }
  if (!Array.isArray(list.terms)) {
    tell('a list needs an array of terms');
    return problems;
  }
  list.terms.forEach((term: unknown, index) => {
    const problem = checkTerm(term, list.category);
    if (problem !== undefined) tell(withTerm(problem, term, list.category), index);
  });
  for (const term of list.allow ?? []) {
    const problem = checkTerm(term, 'word');
    if (problem !== undefined) tell(`allowed term: ${problem.reason}`);
  }
  for (const kind of Object.keys(list.fold ?? {})) {
    if (!FOLD_KINDS.some((known) => known === kind))
      tell(`"${kind}" is no kind of folding: use ${FOLD_KINDS.join(', ')}`);
  }
  return problems;
}

function withTerm(problem: { position?: number; reason: string }, term: unknown, category: string): string {
  if (category !== 'pattern' || problem.position === undefined) return problem.reason;
  return `${problem.reason} (character ${problem.position} of "${String(term).slice(0, 60)}")`;
}

/** Checks a rule. Without `lists` it is not asked whether the lists it names exist. */
export function checkRule(rule: Rule, lists?: readonly List[]): Problem[] {
  const ruleId = String(rule.id);
  const problems: Problem[] = [];
  const tell = (reason: string, conditionId?: number, position?: number): void => {
    const problem: Problem = { ruleId, reason };
    if (conditionId !== undefined) problem.conditionId = conditionId;
    if (position !== undefined) problem.position = position;
    problems.push(problem);
  };
  if (typeof rule.id !== 'string' || rule.id === '') tell('a rule needs an id');
  if (typeof rule.enabled !== 'boolean') tell('a rule must say whether it is enabled: true or false');
  if (!Array.isArray(rule.action)) tell('a rule needs an array of actions');
  else {
    for (const action of rule.action) {
      if (!ACTIONS.has(action)) tell(`"${String(action)}" is no action: use ${[...ACTIONS].join(', ')}`);
    }
  }
  for (const filter of rule.filters ?? []) {
    const reason = checkFilter(filter);
    if (reason !== undefined) tell(reason);
  }
  if (!Array.isArray(rule.conditions) || rule.conditions.length === 0) {
    tell('a rule needs at least one condition');
    return problems;
  }
  for (const condition of rule.conditions) {
    if (typeof condition !== 'object' || condition === null) tell('a condition must be an object');
    else checkCondition(condition, lists, (reason, position) => tell(reason, condition.id, position));
  }
  return problems;
}

function checkFilter(filter: Filter): string | undefined {
  if (filter.type !== 'sender' && filter.type !== 'receiver') {
    return `a filter is about the sender or the receiver, not "${String(filter.type)}"`;
  }
  if (filter.entity !== 'user' && filter.entity !== 'group')
    return `a filter looks at a user or a group, not "${String(filter.entity)}"`;
  if (filter.type === 'sender' && filter.entity === 'group')
    return 'the sender is always a user: a filter on a sending group can never hold';
  const operands = filter.entity === 'user' ? USER_OPERANDS : GROUP_OPERANDS;
  if (!operands.has(filter.operand)) {
    return `a ${filter.entity} has no "${String(filter.operand)}": use ${[...operands].join(', ')}`;
  }
  if (!FILTER_OPERATORS.has(filter.operator))
    return `"${String(filter.operator)}" is no operator: use ${[...FILTER_OPERATORS].join(', ')}`;
  const values: readonly unknown[] = Array.isArray(filter.value) ? filter.value : [filter.value];
  const usable = values.length > 0 && values.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return usable ? undefined : 'a filter needs a value to compare with';
}

type Tell = (reason: string, position?: number) => void;

function checkCondition(condition: Condition, lists: readonly List[] | undefined, tell: Tell): void {
  if (!Number.isInteger(condition.id)) tell('a condition needs a whole number as its id');
  if (!OPERANDS.has(condition.operand))
    tell(`"${String(condition.operand)}" is nothing to look at: use ${[...OPERANDS].join(', ')}`);
  if (!CATEGORIES.has(condition.category)) {
    tell(`"${String(condition.category)}" is no kind of condition: use ${[...CATEGORIES].join(', ')}`);
  }
  if (condition.operator !== 'contains' && condition.operator !== 'equals') {
    tell(`"${String(condition.operator)}" is no operator: use contains or equals`);
  }
  const values: unknown = typeof condition.value === 'string' ? [condition.value] : condition.value;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    tell('the value of a condition must be a text or an array of texts');
    return;
  }
  if (isOutside(condition)) return;
  if (values.length === 0) tell('the condition has nothing to look for');
  for (const value of values) checkValue(condition, value, lists, tell);
}

function checkValue(condition: Condition, value: string, lists: readonly List[] | undefined, tell: Tell): void {
  if (isMedia(condition)) {
    const threshold = parseThreshold(value);
    if ('reason' in threshold) tell(threshold.reason, threshold.position);
    return;
  }
  if (!namesLists(condition)) {
    const problem = checkTerm(value, condition.category);
    if (problem !== undefined) tell(problem.reason, problem.position);
    return;
  }
  if (lists === undefined) return;
  const list = lists.find((candidate) => candidate.id === value);
  if (list === undefined) tell(`there is no list "${value}"`);
  else if (list.category !== condition.category) {
    tell(`the list "${value}" holds ${list.category} terms, the condition asks for ${condition.category}`);
  }
}
