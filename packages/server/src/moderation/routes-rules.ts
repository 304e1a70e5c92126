import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { recordId } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Call, type Operation, operation } from '../http/operation.ts';
import { Written } from '../http/written.ts';
import { cursorQuery, limitQuery, listMeta } from '../paging.ts';
import { andThen } from '../soon.ts';
import { ifMatchOf } from './if-match.ts';
import { createRuleRequest, type Rule, replaceRuleRequest, ruleAnswer } from './rule.ts';
import type { Rules } from './rules.ts';

const tag = 'Moderation';
/** Served on the application host and on the management host alike. */
const both = ['app', 'mgmt'] as const;
const ruleParams = Type.Object({ ruleId: recordId });
const oneRule = Type.Object({ data: ruleAnswer });

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });
/** The rule that the path names, and the revision that the caller believes to be the current one. */
const onRule = ({ caller, appId, params, request }: Call<{ ruleId: string }, unknown, unknown>) => ({
  ...target(caller, appId),
  id: params.ruleId,
  ...ifMatchOf(request),
});

const exampleRule = {
  id: 'no-spoilers',
  name: 'No spoilers',
  description: 'Blocks the ending.',
  enabled: true,
  conditions: [
    {
      id: 1,
      isKeywordsReferencePresent: true,
      isMediaPresent: false,
      entity: 'message',
      operand: 'text',
      category: 'word',
      operator: 'contains',
      value: ['spoilers'],
    },
  ],
  action: ['blockMessage'],
  active: true,
  createdAt: 1767225600,
  updatedAt: 1767225600,
  revisionId: 'a1b2c3d4e5f60718_no-spoilers_1',
};

export function ruleRoutes(rules: Rules): Operation[] {
  const written = new Written();
  return [
    operation({
      id: 'listRules',
      method: 'GET',
      path: '/moderation/rules',
      on: both,
      tag,
      summary: 'List the moderation rules of an app, newest first.',
      query: Type.Object({ limit: limitQuery(100, 50), cursor: cursorQuery }),
      response: Type.Object({ data: Type.Array(ruleAnswer), meta: listMeta }),
      example: { data: [exampleRule], meta: { current: { limit: 50, count: 1 } } },
      handle: ({ appId, query: { limit, cursor }, reply }) => {
        const list = (current: readonly Rule[]) =>
          cursor === undefined
            ? written.answer(reply, current, String(limit), () => rules.listRules(current, limit))
            : rules.listRules(current, limit, cursor);
        return andThen(rules.currentRules(appId), list);
      },
    }),
    operation({
      id: 'createRule',
      method: 'POST',
      path: '/moderation/rules',
      on: both,
      tag,
      summary: 'Make a rule.',
      body: createRuleRequest,
      response: oneRule,
      errors: ['ERR_RULE_ALREADY_EXISTS', 'ERR_RULE_LIMIT_REACHED'],
      example: { data: exampleRule },
      handle: async ({ caller, appId, body }) => ({ data: await rules.createRule(target(caller, appId), body) }),
    }),
    operation({
      id: 'getRule',
      method: 'GET',
      path: '/moderation/rules/:ruleId',
      on: both,
      tag,
      summary: 'Get a rule.',
      params: ruleParams,
      response: oneRule,
      errors: ['ERR_RULE_NOT_FOUND'],
      example: { data: exampleRule },
      handle: async ({ appId, params, reply }) => {
        const data = await rules.getRule(appId, params.ruleId);
        reply.header('etag', `"${data.revisionId}"`);
        return { data };
      },
    }),
    operation({
      id: 'replaceRule',
      method: 'PUT',
      path: '/moderation/rules/:ruleId',
      on: both,
      tag,
      summary: 'Replace a rule. Makes a new revision. With If-Match only if that revision is still the current one.',
      params: ruleParams,
      body: replaceRuleRequest,
      response: oneRule,
      errors: ['ERR_RULE_NOT_FOUND', 'ERR_REVISION_CONFLICT'],
      example: { data: exampleRule },
      handle: async (call) => ({ data: await rules.replaceRule(onRule(call), call.body) }),
    }),
    operation({
      id: 'deleteRule',
      method: 'DELETE',
      path: '/moderation/rules/:ruleId',
      on: both,
      tag,
      summary:
        'Delete a rule; a built-in rule returns to how it came. With If-Match only if that revision is still the current one.',
      params: ruleParams,
      response: success,
      errors: ['ERR_RULE_NOT_FOUND', 'ERR_REVISION_CONFLICT'],
      example: { data: { success: true, message: 'Rule with id no-spoilers has been deleted successfully.' } },
      handle: async (call) => {
        await rules.deleteRule(onRule(call));
        const message = `Rule with id ${call.params.ruleId} has been deleted successfully.`;
        return { data: { success: true, message } };
      },
    }),
    operation({
      id: 'listRuleRevisions',
      method: 'GET',
      path: '/moderation/rules/:ruleId/revisions',
      on: both,
      tag,
      summary: 'List the revisions of a rule, newest first.',
      params: ruleParams,
      query: Type.Object({ limit: limitQuery(100, 10), cursor: cursorQuery }),
      response: Type.Object({ data: Type.Array(ruleAnswer), meta: listMeta }),
      errors: ['ERR_RULE_NOT_FOUND'],
      example: { data: [exampleRule], meta: { current: { limit: 10, count: 1 } } },
      handle: ({ appId, params, query }) => rules.listRevisions(appId, params.ruleId, query.limit, query.cursor),
    }),
    operation({
      id: 'restoreRule',
      method: 'POST',
      path: '/moderation/rules/:ruleId/revisions/:revision/restore',
      on: both,
      tag,
      summary: 'Roll a rule back to one of its revisions. The history only grows: it becomes a new revision.',
      params: Type.Object({
        ruleId: recordId,
        revision: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'The last part of a revisionId.' }),
      }),
      response: oneRule,
      errors: ['ERR_RULE_NOT_FOUND', 'ERR_REVISION_NOT_FOUND', 'ERR_REVISION_CONFLICT'],
      example: { data: exampleRule },
      handle: async (call) => ({ data: await rules.restoreRule(onRule(call), call.params.revision) }),
    }),
  ];
}
