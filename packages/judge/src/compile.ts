import { checkList, checkRule, isMedia, isOutside, namesLists, valuesOf } from './check.ts';
import { buildKeywords, type KeywordTables } from './keywords.ts';
import { type Requirement, requirementOf } from './literals.ts';
import { parseThreshold, type Threshold } from './media.ts';
import {
  CompileError,
  type Condition,
  type Filter,
  type List,
  type Operand,
  type OutsideCondition,
  type Problem,
  type Rule,
  type RuleAction,
  type Ruleset,
} from './types.ts';

/** A compiled ruleset: plain data over shared buffers, ready to be posted to another thread. */
export interface SerialisedJudge {
  version: 1;
  keywords: KeywordTables;
  /** Who asks for each word list, by its number. */
  wordUses: readonly (readonly Use[])[];
  patterns: readonly PatternPlan[];
  media: readonly MediaPlan[];
  outside: readonly OutsideCondition[];
  rules: readonly RulePlan[];
  readsText: boolean;
  readsCustom: boolean;
}

export interface RulePlan {
  id: string;
  revisionId: string | undefined;
  shadow: boolean;
  actions: readonly RuleAction[];
  filters: readonly Filter[];
}

/** A condition that asks for a list, a pattern or a threshold. */
export interface Use {
  rule: number;
  conditionId: number;
  operand: Operand;
  equals: boolean;
  listId: string | undefined;
}

export interface PatternPlan {
  source: string;
  requirement: Requirement;
  uses: Use[];
}

export interface MediaPlan {
  threshold: Threshold;
  entry: string;
  use: Use;
}

export function findProblems(ruleset: Ruleset): Problem[] {
  const problems: Problem[] = [];
  if (!Array.isArray(ruleset?.rules) || !Array.isArray(ruleset?.lists)) {
    return [{ reason: 'a ruleset needs an array of rules and an array of lists' }];
  }
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
  if (!ruleset.rules.every(isObject) || !ruleset.lists.every(isObject))
    return [{ reason: 'every rule and every list must be an object' }];
  const lists = new Set<string>();
  for (const list of ruleset.lists) {
    if (lists.has(list.id)) problems.push({ listId: list.id, reason: 'two lists have this id' });
    lists.add(list.id);
    problems.push(...checkList(list));
  }
  const rules = new Set<string>();
  for (const rule of ruleset.rules) {
    if (rules.has(rule.id)) problems.push({ ruleId: rule.id, reason: 'two rules have this id' });
    rules.add(rule.id);
    problems.push(...checkRule(rule, ruleset.lists));
  }
  return problems;
}

export function plan(ruleset: Ruleset): SerialisedJudge {
  const problems = findProblems(ruleset);
  if (problems.length > 0) throw new CompileError(problems);
  return new Planner(ruleset).plan();
}

/** Gathers what the enabled rules ask for; lists that no rule names cost nothing. */
class Planner {
  readonly #lists: ReadonlyMap<string, List>;
  readonly #rules: readonly Rule[];
  readonly #wordLists: List[] = [];
  readonly #wordUses: Use[][] = [];
  readonly #listIndex = new Map<string, number>();
  readonly #patterns = new Map<string, PatternPlan>();
  readonly #media: MediaPlan[] = [];
  readonly #outside: OutsideCondition[] = [];

  constructor(ruleset: Ruleset) {
    this.#lists = new Map(ruleset.lists.map((list) => [list.id, list]));
    this.#rules = ruleset.rules.filter((rule) => rule.enabled);
  }

  plan(): SerialisedJudge {
    this.#rules.forEach((rule, index) => {
      for (const condition of rule.conditions) this.#condition(condition, index, rule.id);
    });
    const patterns = [...this.#patterns.values()];
    const uses = [...this.#wordUses.flat(), ...patterns.flatMap((pattern) => pattern.uses)];
    return {
      version: 1,
      keywords: buildKeywords(this.#wordLists),
      wordUses: this.#wordUses,
      patterns,
      media: this.#media,
      outside: this.#outside,
      rules: this.#rules.map((rule) => ({
        id: rule.id,
        revisionId: rule.revisionId,
        shadow: rule.shadow === true,
        actions: [...rule.action],
        filters: (rule.filters ?? []).map((filter) => ({ ...filter })),
      })),
      readsText: uses.some((use) => use.operand === 'text'),
      readsCustom: uses.some((use) => use.operand === 'custom'),
    };
  }

  #condition(condition: Condition, rule: number, ruleId: string): void {
    const values = valuesOf(condition);
    const { operand, category } = condition;
    if (isOutside(condition)) {
      this.#outside.push({ ruleId, conditionId: condition.id, operand, category, value: values });
      return;
    }
    const use: Use = {
      rule,
      conditionId: condition.id,
      operand,
      equals: condition.operator === 'equals',
      listId: undefined,
    };
    if (isMedia(condition)) {
      for (const entry of values) {
        const threshold = parseThreshold(entry);
        if (!('reason' in threshold)) this.#media.push({ threshold, entry, use });
      }
      return;
    }
    if (!namesLists(condition)) {
      if (category === 'pattern') for (const source of values) this.#pattern(source, use);
      else this.#words({ id: '', category: 'word', terms: values }, use);
      return;
    }
    for (const id of values) {
      const list = this.#lists.get(id);
      if (list === undefined) continue;
      const named = { ...use, listId: id };
      if (list.category === 'pattern') for (const source of list.terms) this.#pattern(source, named);
      else this.#namedWords(list, named);
    }
  }

  #namedWords(list: List, use: Use): void {
    const known = this.#listIndex.get(list.id);
    if (known !== undefined) {
      this.#wordUses[known]?.push(use);
      return;
    }
    this.#listIndex.set(list.id, this.#wordLists.length);
    this.#words(list, use);
  }

  #words(list: List, use: Use): void {
    this.#wordLists.push(list);
    this.#wordUses.push([use]);
  }

  #pattern(source: string, use: Use): void {
    const known = this.#patterns.get(source);
    if (known !== undefined) known.uses.push(use);
    else this.#patterns.set(source, { source, requirement: requirementOf(source), uses: [use] });
  }
}
