import type { Rule as JudgeRule } from '@gatehouse/judge';
import { checkRule, whyNeverHolds } from '@gatehouse/judge';
import { type Static, Type } from '#typebox';
import { Problems } from '../errors.ts';
import { line, recordId, text } from '../fields.ts';

/** The shape of a rule: what a caller may send, what is stored, and what is answered, in the contract's order. */
export const actionName = Type.Enum([
  'blockMessage',
  'dropMessage',
  'flagMessage',
  'block',
  'kick',
  'ban',
  'deactivate',
]);

const conditionRequest = Type.Object({
  id: Type.Optional(Type.Integer()),
  isKeywordsReferencePresent: Type.Optional(Type.Boolean()),
  isKeywordReferencePresent: Type.Optional(Type.Boolean()),
  isListReferencePresent: Type.Optional(Type.Boolean()),
  isMediaPresent: Type.Optional(Type.Boolean()),
  entity: Type.Optional(Type.Literal('message')),
  operand: Type.Enum(['text', 'image', 'video', 'custom']),
  category: Type.Enum(['word', 'pattern', 'toxicity', 'sentence-similarity', 'custom-api']),
  operator: Type.Optional(Type.Enum(['contains', 'equals'])),
  value: Type.Union([text(10_000), Type.Array(text(10_000), { minItems: 1, maxItems: 1000 })]),
  message: Type.Optional(Type.Union([text(1000), Type.Array(text(1000), { maxItems: 10 })])),
});

const scalar = Type.Union([text(1000), Type.Number(), Type.Boolean()]);

const filter = Type.Object({
  type: Type.Enum(['sender', 'receiver']),
  entity: Type.Enum(['user', 'group']),
  operand: Type.Enum(['uid', 'guid', 'name', 'role', 'type', 'tags', 'createdAt']),
  operator: Type.Enum(['equals', 'notEquals', 'in', 'notIn', 'startsWith', 'endsWith', 'lessThan', 'greaterThan']),
  value: Type.Union([scalar, Type.Array(scalar, { minItems: 1, maxItems: 1000 })]),
});

const common = {
  name: line(100),
  description: Type.Optional(text(255)),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  shadow: Type.Optional(Type.Boolean({ description: 'Reports what it would have done and does not act.' })),
  action: Type.Array(actionName, { minItems: 1, maxItems: 7 }),
  filters: Type.Optional(Type.Array(filter, { maxItems: 10 })),
  conditions: Type.Array(conditionRequest, { minItems: 1, maxItems: 10 }),
};

export const createRuleRequest = Type.Object({ id: Type.Optional(recordId), ...common });
export const replaceRuleRequest = Type.Object(common);

const conditionTail = {
  isMediaPresent: Type.Boolean(),
  entity: Type.String(),
  operand: Type.String(),
  category: Type.String(),
  operator: Type.String(),
  value: Type.Array(Type.String()),
  message: Type.Optional(Type.Array(Type.String())),
};

/** Two shapes, not two optional fields: the serialiser writes optional fields last, and the contract has an order. */
const condition = Type.Union([
  Type.Object({ id: Type.Integer(), isKeywordsReferencePresent: Type.Boolean(), ...conditionTail }),
  Type.Object({ id: Type.Integer(), isListReferencePresent: Type.Boolean(), ...conditionTail }),
]);

export const ruleAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  conditions: Type.Array(condition),
  action: Type.Array(Type.String()),
  active: Type.Boolean(),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  revisionId: Type.String(),
  default: Type.Optional(Type.Boolean()),
  filters: Type.Optional(Type.Array(filter)),
  shadow: Type.Optional(Type.Boolean()),
});

export type Rule = Static<typeof ruleAnswer>;
export type Condition = Static<typeof condition>;
export type RuleRequest = Static<typeof replaceRuleRequest>;

/** What is stored of a revision. Everything else is known from where it is stored. */
export type RuleBody = Pick<Rule, 'name' | 'description' | 'enabled' | 'conditions' | 'action' | 'filters' | 'shadow'>;

/** Turns what a caller sent, in any of its spellings, into the contract's form; throws with every mistake named, `at` where it stands. */
export function toRuleBody(request: RuleRequest, at = ''): RuleBody {
  const problems = new Problems();
  const conditions = request.conditions.map((sent, i) => toCondition(sent, i, at, problems));
  problems.throwIfAny();
  const body: RuleBody = {
    name: request.name,
    description: request.description ?? '',
    enabled: request.enabled ?? true,
    conditions,
    action: [...new Set(request.action)],
    ...(request.filters && request.filters.length > 0 && { filters: request.filters }),
    ...(request.shadow === true && { shadow: true }),
  };
  checkAgainstJudge(body, at, problems);
  problems.throwIfAny();
  return body;
}

/** What the judge cannot run is refused when it is written, in words for the person who wrote it. */
function checkAgainstJudge(body: RuleBody, at: string, problems: Problems): void {
  const rule = toJudgeRule('rule', body);
  for (const { conditionId, position, reason } of checkRule(rule)) {
    const field = conditionId === undefined ? `${at}filters` : `${at}conditions.${conditionId - 1}.value`;
    problems.add(field, sentenceOf(reason, position));
  }
  // A rule with such a filter from before can still be switched off.
  for (const [i, filter] of (rule.enabled ? (rule.filters ?? []) : []).entries()) {
    const reason = whyNeverHolds(filter);
    if (reason !== undefined) problems.add(`${at}filters.${i}.value`, `${reason}.`);
  }
}

/** The judge speaks in half sentences, for logs; people get whole ones. */
export function sentenceOf(reason: string, position?: number): string {
  const place = position === undefined ? '' : ` (at character ${position + 1})`;
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${place}.`;
}

/** The same rule in the judge's types: the schemas have checked the words. */
export function toJudgeRule(id: string, body: RuleBody): JudgeRule {
  return { id, ...body } as JudgeRule;
}

function toCondition(
  sent: RuleRequest['conditions'][number],
  index: number,
  at: string,
  problems: Problems,
): Condition {
  const isMediaPresent = sent.operand === 'image' || sent.operand === 'video';
  const value = [sent.value].flat();
  // A client may send every spelling and set the one that it means.
  const refersToList =
    sent.isKeywordsReferencePresent === true ||
    sent.isKeywordReferencePresent === true ||
    sent.isListReferencePresent === true;
  const isCustomWordList = sent.operand === 'custom' && sent.category === 'word' && refersToList;
  if (value.some((entry) => entry === ''))
    problems.add(`${at}conditions.${index}.value`, 'Must not hold an empty entry.');
  return {
    id: index + 1,
    ...(isCustomWordList
      ? { isListReferencePresent: true }
      : { isKeywordsReferencePresent: refersToList && !isMediaPresent }),
    isMediaPresent,
    entity: 'message',
    operand: sent.operand,
    category: sent.category,
    operator: sent.operator ?? 'contains',
    value,
    ...(sent.message !== undefined && { message: [sent.message].flat() }),
  };
}

/** The names of the keyword lists that a rule refers to. */
export function listsOf(body: Pick<RuleBody, 'conditions'>): string[] {
  return body.conditions
    .filter((c) => ('isListReferencePresent' in c ? c.isListReferencePresent : c.isKeywordsReferencePresent))
    .flatMap((c) => c.value);
}
