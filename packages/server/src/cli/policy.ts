import type { CreateKeywordListBody, CreateReasonBody, CreateRuleBody, GatehouseClient } from '@gatehouse/client';
import { normalList, normalReason, normalRule } from './policy-normal.ts';

/** What decides over messages, apart from who runs it: rules, lists, reasons and settings, as they stand in files. */
export interface Policy {
  lists: Map<string, PolicyRecord>;
  reasons: Map<string, PolicyRecord>;
  rules: Map<string, PolicyRecord>;
  settings: PolicyRecord | undefined;
  /** `rules/<id>` and `lists/<id>` of what comes with every app and was never changed: it is there, and nobody's own. */
  untouched: Set<string>;
}

export function emptyPolicy(): Policy {
  return { lists: new Map(), reasons: new Map(), rules: new Map(), settings: undefined, untouched: new Set() };
}

export type PolicyRecord = Record<string, unknown>;
export type PolicyKind = 'lists' | 'reasons' | 'rules';

/** Rules name lists, so lists come first; and go last. */
export const policyKinds = ['lists', 'reasons', 'rules'] as const;

interface KindOfRecord {
  one: string;
  normal(record: PolicyRecord, id: string): PolicyRecord;
  create(client: GatehouseClient, id: string, record: PolicyRecord): Promise<unknown>;
  replace(client: GatehouseClient, id: string, record: PolicyRecord): Promise<unknown>;
  remove(client: GatehouseClient, id: string): Promise<unknown>;
}

// What a file holds is checked by the service, which says what to mend; until then its type is a claim.
export const kinds: Record<PolicyKind, KindOfRecord> = {
  lists: {
    one: 'list',
    normal: normalList,
    create: (client, id, record) => client.createKeywordList({ body: { ...record, id } as CreateKeywordListBody }),
    replace: (client, id, record) => client.replaceKeywordList({ id, body: record as CreateKeywordListBody }),
    remove: (client, id) => client.deleteKeywordList({ id }),
  },
  reasons: {
    one: 'reason',
    normal: normalReason,
    create: (client, id, record) => client.createReason({ body: { ...record, id } as CreateReasonBody }),
    replace: (client, id, record) => client.replaceReason({ id, body: { ...record, id } as CreateReasonBody }),
    remove: (client, id) => client.deleteReason({ id }),
  },
  rules: {
    one: 'rule',
    normal: normalRule,
    create: (client, id, record) => client.createRule({ body: { ...record, id } as CreateRuleBody }),
    replace: (client, ruleId, record) => client.replaceRule({ ruleId, body: record as CreateRuleBody }),
    remove: (client, ruleId) => client.deleteRule({ ruleId }),
  },
};

/** All that decides over the app's messages, with what comes with every app. */
export async function readPolicy(client: GatehouseClient): Promise<Policy> {
  const policy = emptyPolicy();
  for await (const { id, ...list } of client.all('listKeywordLists', { limit: 100, terms: false })) {
    if (isUntouched(list)) policy.untouched.add(`lists/${id}`);
    const { data } = await client.getKeywordList({ id });
    policy.lists.set(id, normalList({ ...data }, id));
  }
  for (const { id, ...reason } of (await client.listReasons()).data) {
    if (reason.default === true) policy.untouched.add(`reasons/${id}`);
    policy.reasons.set(id, normalReason(reason, id));
  }
  for await (const { id, ...rule } of client.all('listRules', { limit: 100 })) {
    if (isUntouched(rule)) policy.untouched.add(`rules/${id}`);
    policy.rules.set(id, normalRule(rule, id));
  }
  const { onError, customApi } = (await client.getModerationSettings()).data;
  policy.settings = { onError, customApi };
  return policy;
}

function isUntouched({ default: builtIn, revisionId }: { default?: boolean; revisionId: string }): boolean {
  return builtIn === true && revisionId.endsWith('_1');
}
