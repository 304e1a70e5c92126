import { randomBytes } from 'node:crypto';
import type { By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { decodeCursor, page } from '../paging.ts';
import { andThen, type Soon } from '../soon.ts';
import { Cache } from '../store/cache.ts';
import type { Store } from '../store/store.ts';
import { builtInRules } from './builtins.ts';
import type { ActsAtOnce } from './lists.ts';
import { type Rule, type RuleRequest, toRuleBody } from './rule.ts';
import { createRule, deleteRule, replaceRule, restoreRule } from './rule-changes.ts';
import { type RuleRow, readRules, toRule } from './rule-record.ts';

type Target = By & { appId: string };
type OnRule = Target & { id: string; ifMatch?: string };

/** The rules of an app: the built-in ones, as changed by the app or as they come, and its own. */
export class Rules {
  private readonly store: Store;
  private readonly judges: ActsAtOnce;
  private readonly cache: Cache<Rule[]>;
  private readonly ownRulesMax: number;

  constructor(store: Store, judges: ActsAtOnce, options: { ownRulesMax: number }) {
    this.store = store;
    this.judges = judges;
    this.ownRulesMax = options.ownRulesMax;
    this.cache = new Cache(store, 'rules', (appId) => readRules(store, appId), 1000);
  }

  /** Newest first. The same array until something changes; without a promise when it is remembered. */
  currentRules(appId: string): Soon<readonly Rule[]> {
    return andThen(this.cache.get(appId), (rules) => rules ?? []);
  }

  listRules(rules: readonly Rule[], limit: number, cursor?: string) {
    const rest = cursor === undefined ? rules : after(rules, ...decodeCursor(cursor, ['number', 'string']));
    return page(rest.slice(0, limit + 1), limit, (rule) => [rule.createdAt, rule.id]);
  }

  async getRule(appId: string, id: string): Promise<Rule> {
    const rule = (await this.cache.get(appId))?.find((known) => known.id === id);
    if (rule === undefined) throw new ApiError('ERR_RULE_NOT_FOUND');
    return rule;
  }

  createRule(target: Target, { id, ...request }: RuleRequest & { id?: string }): Promise<Rule> {
    const body = toRuleBody(request);
    return this.acting(
      target.appId,
      this.store.change(createRule, {
        ...target,
        id: id ?? `rule-${randomBytes(4).toString('hex')}`,
        body,
        ownRulesMax: this.ownRulesMax,
      }),
    );
  }

  replaceRule(on: OnRule, request: RuleRequest): Promise<Rule> {
    return this.acting(on.appId, this.store.change(replaceRule, { ...on, body: toRuleBody(request) }));
  }

  restoreRule(on: OnRule, revision: number): Promise<Rule> {
    return this.acting(on.appId, this.store.change(restoreRule, { ...on, revision }));
  }

  deleteRule(on: OnRule): Promise<void> {
    return this.acting(on.appId, this.store.change(deleteRule, on));
  }

  async listRevisions(appId: string, id: string, limit: number, cursor?: string) {
    const current = await this.getRule(appId, id);
    const [before] = cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number']);
    const rows = await this.store.all<RuleRow>(
      `SELECT rule_id AS id, revision, built_in, body, created_at, updated_at FROM rule_revisions
       WHERE app_id = $1 AND rule_id = $2 AND revision < $3 ORDER BY revision DESC LIMIT $4`,
      [appId, id, before, limit + 1],
    );
    const original = builtInRules.get(id);
    if (original !== undefined && before > 1 && rows.length <= limit) {
      const createdAt = current.createdAt * 1000;
      const body = JSON.stringify(original);
      rows.push({ id, revision: 1, built_in: 1, body, created_at: createdAt, updated_at: createdAt });
    }
    const revisions = rows
      .map((row) => toRule(appId, row))
      .map((rule) => ({ ...rule, active: rule.revisionId === current.revisionId }));
    return page(revisions, limit, (rule) => [Number(rule.revisionId.split('_').at(-1))]);
  }

  /** The answer of a change comes when the next message will be judged by it. */
  private async acting<T>(appId: string, change: Promise<T>): Promise<T> {
    const result = await change;
    await this.judges.refresh(appId);
    return result;
  }
}

function after(rules: readonly Rule[], createdAt: number, id: string): Rule[] {
  return rules.filter((rule) => rule.createdAt < createdAt || (rule.createdAt === createdAt && rule.id > id));
}
