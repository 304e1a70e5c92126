import type { CreateRuleBody, ListRulesOfAppItem, ReplaceRuleBody } from '@gatehouse/client';
import { type ActionName, actionNames } from '../words.ts';

export type Rule = ListRulesOfAppItem;
export type FilterDraft = NonNullable<ReplaceRuleBody['filters']>[number];
type ConditionBody = ReplaceRuleBody['conditions'][number];

/** What a condition looks for, in the words of the editor. */
export const conditionKinds = {
  lists: 'holds an entry of your lists',
  words: 'holds one of these words',
  pattern: 'matches one of these patterns',
  similar: 'means much the same as one of these sentences',
  toxicity: 'is toxic',
  api: 'is refused by your own moderation API',
  media: 'has a picture or video that looks like',
} as const;
export type ConditionKind = keyof typeof conditionKinds;

/** A condition as the editor holds it: what is typed, not yet what is sent. */
export interface ConditionDraft {
  /** Stays the same while one types. */
  key: number;
  kind: ConditionKind;
  operand: 'text' | 'image' | 'video' | 'custom';
  operator: 'contains' | 'equals';
  /** One a line. */
  values: string;
  lists: string[];
  reason: string;
}

export interface RuleDraft {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
  shadow: boolean;
  action: ActionName[];
  filters: FilterDraft[];
  conditions: ConditionDraft[];
}

let lastKey = 0;

export function newCondition(): ConditionDraft {
  return { key: ++lastKey, kind: 'words', operand: 'text', operator: 'contains', values: '', lists: [], reason: '' };
}

export function newDraft(): RuleDraft {
  return {
    id: '',
    name: '',
    description: '',
    enabled: true,
    shadow: false,
    action: ['blockMessage'],
    filters: [],
    conditions: [newCondition()],
  };
}

export function draftOf(rule: Rule): RuleDraft {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    enabled: rule.enabled,
    shadow: rule.shadow ?? false,
    action: actionNames.filter((name) => rule.action.includes(name)),
    filters: rule.filters ?? [],
    conditions: rule.conditions.map(conditionOf),
  };
}

export function refersToLists(condition: Rule['conditions'][number]): boolean {
  return 'isListReferencePresent' in condition
    ? condition.isListReferencePresent
    : condition.isKeywordsReferencePresent;
}

function conditionOf(condition: Rule['conditions'][number]): ConditionDraft {
  const kind = kindOf(condition);
  return {
    key: ++lastKey,
    kind,
    operand: oneOf(condition.operand, ['text', 'image', 'video', 'custom'], 'text'),
    operator: condition.operator === 'equals' ? 'equals' : 'contains',
    values: kind === 'lists' ? '' : condition.value.join('\n'),
    lists: kind === 'lists' ? condition.value : [],
    reason: condition.message?.[0] ?? '',
  };
}

function kindOf(condition: Rule['conditions'][number]): ConditionKind {
  if (condition.operand === 'image' || condition.operand === 'video') return 'media';
  if (refersToLists(condition)) return 'lists';
  const kinds: Readonly<Record<string, ConditionKind>> = {
    pattern: 'pattern',
    toxicity: 'toxicity',
    'sentence-similarity': 'similar',
    'custom-api': 'api',
  };
  return kinds[condition.category] ?? 'words';
}

const categories = {
  lists: 'word',
  words: 'word',
  pattern: 'pattern',
  similar: 'sentence-similarity',
  toxicity: 'toxicity',
  api: 'custom-api',
  media: 'word',
} as const satisfies Record<ConditionKind, ConditionBody['category']>;

function bodyOfCondition(draft: ConditionDraft, i: number): ConditionBody {
  const isMedia = draft.kind === 'media';
  const isList = draft.kind === 'lists';
  const typed = draft.values
    .split('\n')
    .map((line) => (draft.kind === 'pattern' ? line : line.trim()))
    .filter((line) => line.trim() !== '');
  return {
    id: i + 1,
    ...(draft.operand === 'custom' && isList
      ? { isListReferencePresent: true }
      : { isKeywordsReferencePresent: isList }),
    isMediaPresent: isMedia,
    entity: 'message',
    operand: isMedia ? (draft.operand === 'video' ? 'video' : 'image') : draft.operand === 'custom' ? 'custom' : 'text',
    category: categories[draft.kind],
    operator: draft.operator,
    value: isList ? draft.lists : typed.length === 0 && draft.kind === 'api' ? ['custom-api'] : typed,
    ...(draft.reason !== '' && { message: [draft.reason] }),
  };
}

export function bodyOf(draft: RuleDraft): ReplaceRuleBody {
  return {
    name: draft.name,
    description: draft.description,
    enabled: draft.enabled,
    shadow: draft.shadow,
    action: draft.action,
    filters: draft.filters,
    conditions: draft.conditions.map(bodyOfCondition),
  };
}

/** To try a rule it needs no name, and it acts whether or not it is switched on. */
export function trialOf(draft: RuleDraft): CreateRuleBody {
  return { ...bodyOf(draft), id: draft.id || 'new-rule', name: draft.name || 'New rule', enabled: true, shadow: false };
}

/** Nothing to try yet. */
export function isBare(draft: RuleDraft): boolean {
  return (
    draft.action.length === 0 ||
    draft.conditions.every(({ values, lists, kind }) => values.trim() === '' && lists.length === 0 && kind !== 'api')
  );
}

function oneOf<const T extends string>(text: string, known: readonly T[], otherwise: T): T {
  return known.find((one) => one === text) ?? otherwise;
}
