import { Type } from 'typebox';
import { actorOf, type Caller } from '../caller.ts';
import { recordId } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import { listBytesMax } from '../http/server.ts';
import { cursorQuery, limitQuery, listMeta } from '../paging.ts';
import { listRequest, readListRequest } from './list-request.ts';
import { type Lists, listAnswer } from './lists.ts';
import { createRuleRequest, replaceRuleRequest, ruleAnswer } from './rule.ts';
import type { Rules } from './rules.ts';

const tag = 'Moderation';
/** Served on the application host and on the management host alike. */
const both = ['app', 'mgmt'] as const;
const ruleParams = Type.Object({ ruleId: recordId });
const listParams = Type.Object({ id: recordId });
const oneRule = Type.Object({ data: ruleAnswer });
const oneList = Type.Object({ data: listAnswer });

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });

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
const exampleList = {
  id: 'spoilers',
  name: 'Spoilers',
  description: '',
  category: 'word',
  isCSV: false,
  searchTerms: ['butler', 'it was a dream'],
  createdAt: 1767225600,
  updatedAt: 1767225600,
  revisionId: 'a1b2c3d4e5f60718_spoilers_1',
  active: true,
};

export function moderationRoutes(rules: Rules, lists: Lists): Operation[] {
  return [...ruleRoutes(rules), ...listRoutes(lists)];
}

function ruleRoutes(rules: Rules): Operation[] {
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
      handle: ({ appId, query }) => rules.listRules(appId, query.limit, query.cursor),
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
      handle: async ({ appId, params }) => ({ data: await rules.getRule(appId, params.ruleId) }),
    }),
    operation({
      id: 'replaceRule',
      method: 'PUT',
      path: '/moderation/rules/:ruleId',
      on: both,
      tag,
      summary: 'Replace a rule. Makes a new revision.',
      params: ruleParams,
      body: replaceRuleRequest,
      response: oneRule,
      errors: ['ERR_RULE_NOT_FOUND'],
      example: { data: exampleRule },
      handle: async ({ caller, appId, params, body }) => ({
        data: await rules.replaceRule(target(caller, appId), params.ruleId, body),
      }),
    }),
    operation({
      id: 'deleteRule',
      method: 'DELETE',
      path: '/moderation/rules/:ruleId',
      on: both,
      tag,
      summary: 'Delete a rule; a built-in rule returns to how it came.',
      params: ruleParams,
      response: success,
      errors: ['ERR_RULE_NOT_FOUND'],
      example: { data: { success: true, message: 'Rule with id no-spoilers has been deleted successfully.' } },
      handle: async ({ caller, appId, params }) => {
        await rules.deleteRule(target(caller, appId), params.ruleId);
        return { data: { success: true, message: `Rule with id ${params.ruleId} has been deleted successfully.` } };
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
  ];
}

function listRoutes(lists: Lists): Operation[] {
  return [
    operation({
      id: 'listKeywordLists',
      method: 'GET',
      path: '/moderation/keywords',
      on: both,
      tag,
      summary: 'List the keyword lists of an app, newest first.',
      query: Type.Object({ limit: limitQuery(100, 10), cursor: cursorQuery }),
      response: Type.Object({ data: Type.Array(listAnswer), meta: listMeta }),
      example: { data: [exampleList], meta: { current: { limit: 10, count: 1 } } },
      handle: ({ appId, query }) => lists.listKeywordLists(appId, query.limit, query.cursor),
    }),
    operation({
      id: 'createKeywordList',
      method: 'POST',
      path: '/moderation/keywords',
      on: both,
      tag,
      summary: 'Make a keyword list from JSON, form fields or a CSV file.',
      body: listRequest,
      multipart: true,
      bodyLimitBytes: listBytesMax,
      response: oneList,
      errors: ['ERR_KEYWORD_ALREADY_EXISTS', 'ERR_KEYWORD_LIMIT_REACHED'],
      example: { data: exampleList },
      handle: async ({ caller, appId, body, request }) => ({
        data: await lists.createKeywordList(target(caller, appId), await readListRequest(request, body)),
      }),
    }),
    operation({
      id: 'getKeywordList',
      method: 'GET',
      path: '/moderation/keywords/:id',
      on: both,
      tag,
      summary: 'Get a keyword list with its terms.',
      params: listParams,
      response: oneList,
      errors: ['ERR_KEYWORD_NOT_FOUND'],
      example: { data: exampleList },
      handle: async ({ appId, params }) => ({ data: await lists.getKeywordList(appId, params.id) }),
    }),
    operation({
      id: 'replaceKeywordList',
      method: 'PUT',
      path: '/moderation/keywords/:id',
      on: both,
      tag,
      summary: 'Replace a keyword list.',
      params: listParams,
      body: listRequest,
      multipart: true,
      bodyLimitBytes: listBytesMax,
      response: oneList,
      errors: ['ERR_KEYWORD_NOT_FOUND'],
      example: { data: exampleList },
      handle: async ({ caller, appId, params, body, request }) => ({
        data: await lists.replaceKeywordList(target(caller, appId), params.id, await readListRequest(request, body)),
      }),
    }),
    operation({
      id: 'deleteKeywordList',
      method: 'DELETE',
      path: '/moderation/keywords/:id',
      on: both,
      tag,
      summary: 'Delete a keyword list that no rule uses.',
      params: listParams,
      response: success,
      errors: ['ERR_KEYWORD_NOT_FOUND', 'ERR_KEYWORD_IN_USE'],
      example: { data: { success: true, message: 'Keyword list with id spoilers has been deleted successfully.' } },
      handle: async ({ caller, appId, params }) => {
        await lists.deleteKeywordList(target(caller, appId), params.id);
        return { data: { success: true, message: `Keyword list with id ${params.id} has been deleted successfully.` } };
      },
    }),
  ];
}
