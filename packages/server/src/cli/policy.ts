import type {
  ChangeModerationSettingsBody,
  CreateKeywordListBody,
  CreateReasonBody,
  CreateRuleBody,
  GatehouseClient,
  UpdateNotificationSettingsBody,
} from '@gatehouse/client';
import { CliError } from './output.ts';
import { normalList, normalReason, normalRule } from './policy-normal.ts';

export type PolicyRecord = Record<string, unknown>;
export type PolicyKind = 'lists' | 'reasons' | 'rules' | 'settings';

/** What decides over messages, apart from who runs it, as it stands in files: records by their id, kind by kind. */
export interface Policy extends Record<PolicyKind, Map<string, PolicyRecord>> {
  /** `rules/<id>` and so on of what comes with every app and was never changed: it is there, and nobody's own. */
  untouched: Set<string>;
}

/** Rules name lists, so lists come first; and go last. */
export const policyKinds = ['lists', 'reasons', 'rules', 'settings'] as const;

export function emptyPolicy(): Policy {
  return { lists: new Map(), reasons: new Map(), rules: new Map(), settings: new Map(), untouched: new Set() };
}

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
  settings: {
    one: 'settings',
    normal: (record) => record,
    create: (_, id) =>
      Promise.reject(new CliError(`There are no settings called ${id}: only moderation and notifications.`)),
    replace: (client, id, record) =>
      id === 'moderation'
        ? client.changeModerationSettings({ body: record as ChangeModerationSettingsBody })
        : client.updateNotificationSettings({ body: record as UpdateNotificationSettingsBody }),
    remove: () => Promise.resolve(),
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
  policy.settings.set('moderation', { onError, customApi });
  policy.settings.set('notifications', { ...(await client.getNotificationSettings()).data });
  return policy;
}

function isUntouched({ default: builtIn, revisionId }: { default?: boolean; revisionId: string }): boolean {
  return builtIn === true && revisionId.endsWith('_1');
}
