import type { Rule as JudgeRule, List } from '@gatehouse/judge';
import type { Reader } from '../store/store.ts';
import { builtInRules } from './builtins.ts';
import { type ListOptions, type ListRow, readLists } from './list-record.ts';
import { listsOf, type Rule, toJudgeRule } from './rule.ts';
import { readRules } from './rule-record.ts';

/** A list as the compiler takes it: what it is, and where its terms are read. */
export interface ListSource {
  id: string;
  category: List['category'];
  options: ListOptions;
  /** Empty for the built-in list as it comes. */
  upload: string;
  count: number;
}

/** Everything an app's messages are judged by, as it stands in the store. */
export interface AppRuleset {
  appId: string;
  /** Two rulesets with the same fingerprint judge alike. */
  fingerprint: string;
  rules: readonly Rule[];
  lists: readonly ListSource[];
  /** It is the set of every app that changed nothing. */
  asItComes: boolean;
}

/** The rules that are switched on and the lists they refer to; undefined when there is no such app. */
export async function readRuleset(store: Reader, appId: string): Promise<AppRuleset | undefined> {
  const rules = await readRules(store, appId);
  if (rules === undefined) return undefined;
  return toRuleset(
    appId,
    rules.filter(({ enabled }) => enabled),
    await readLists(store, appId),
  );
}

/** `rules` with the lists they need: the stored rules, or some that are only tried. */
export function toRuleset(appId: string, rules: readonly Rule[], lists: readonly ListRow[]): AppRuleset {
  const used = new Set(rules.flatMap(listsOf));
  const sources = lists.filter(({ id }) => used.has(id)).map(toSource);
  const versions = lists.filter(({ id }) => used.has(id)).map((list) => `${list.id}:${list.upload}:${list.revision}`);
  const fingerprint = JSON.stringify([rules.map(({ revisionId }) => revisionId), versions]);
  const asItComes =
    rules.length === onAsItComes.size && rules.every(isOnAsItComes) && sources.every(({ upload }) => upload === '');
  return { appId, fingerprint, rules, lists: sources, asItComes };
}

export function sizeOf({ lists }: AppRuleset): number {
  return lists.reduce((sum, { count }) => sum + count, 0);
}

/** The judge is told nothing that differs between apps: who compiled it does not matter. */
export function judgeRules({ rules }: AppRuleset): JudgeRule[] {
  return rules.map(({ id, name, description, enabled, conditions, action, filters, shadow }) =>
    toJudgeRule(id, {
      name,
      description,
      enabled,
      conditions,
      action,
      ...(filters && { filters }),
      ...(shadow && { shadow }),
    }),
  );
}

/** The built-in rules that are on in an app that changed nothing. */
const onAsItComes = new Set([...builtInRules].filter(([, { enabled }]) => enabled).map(([id]) => id));

function isOnAsItComes({ id, revisionId }: Rule): boolean {
  return onAsItComes.has(id) && revisionId.endsWith(`_${id}_1`);
}

function toSource(row: ListRow): ListSource {
  return {
    id: row.id,
    category: row.category === 'pattern' || row.category === 'sentence-similarity' ? row.category : 'word',
    options: JSON.parse(row.options) as ListOptions,
    upload: row.upload,
    count: row.terms_count,
  };
}
