import { Readable } from 'node:stream';
import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { recordId } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { listBytesMax } from '../http/forms.ts';
import { type Call, type Operation, operation } from '../http/operation.ts';
import { bodyCheck } from '../http/validation.ts';
import { cursorQuery, limitQuery, listMeta } from '../paging.ts';
import { ifMatchOf } from './if-match.ts';
import { listAnswer, manyListsAsJson, oneListAsJson, termLines } from './list-answer.ts';
import { type ListRow, listRevisionId } from './list-record.ts';
import { type ListFields, listRequest, readListRequest, termsRequest } from './list-request.ts';
import type { Lists } from './lists.ts';
import { checkTerms } from './term-check.ts';

const tag = 'Moderation';
const both = ['app', 'mgmt'] as const;
const listParams = Type.Object({ id: recordId });
const oneList = Type.Object({ data: listAnswer });
const termsChanged = Type.Object({
  data: Type.Object({
    id: Type.String(),
    changed: Type.Integer({ description: 'How many entries were new, or were there to remove.' }),
    count: Type.Integer({ description: 'How many entries the list has now.' }),
    updatedAt: Type.Integer(),
    revisionId: Type.String(),
  }),
});
/** What one request adds or removes at most. */
const termsPerRequest = 10_000;

const checkFields = bodyCheck<ListFields>(listRequest);

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });
/** The list that the path names, and the revision that the caller believes to be the current one. */
const onList = ({ caller, appId, params, request }: Call<{ id: string }, unknown, unknown>) => ({
  ...target(caller, appId),
  id: params.id,
  ...ifMatchOf(request),
});
const ifMatchToo = 'With If-Match only if that revision is still the current one.';

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
const exampleChanged = {
  data: { id: 'spoilers', changed: 1, count: 3, updatedAt: 1767225600, revisionId: 'a1b2c3d4e5f60718_spoilers_2' },
};

export function listRoutes(lists: Lists): Operation[] {
  /** A list may hold a million terms: every answer that has them is streamed. */
  const stream = (
    { reply }: Pick<Call<unknown, unknown, unknown>, 'reply'>,
    text: AsyncIterable<string>,
    type: string,
  ) => {
    reply.type(`${type}; charset=utf-8`);
    return Readable.from(text, { objectMode: false });
  };
  const json = (call: Pick<Call<unknown, unknown, unknown>, 'reply' | 'appId'>, row: ListRow) => {
    call.reply.header('etag', `"${listRevisionId(call.appId, row)}"`);
    return stream(call, oneListAsJson(call.appId, row, lists.streamTerms(call.appId, row)), 'application/json');
  };
  return [...readRoutes(lists, stream, json), ...writeRoutes(lists, json), ...termRoutes(lists)];
}

type ToStream = (
  call: Pick<Call<unknown, unknown, unknown>, 'reply'>,
  text: AsyncIterable<string>,
  type: string,
) => Readable;
type ToJson = (call: Pick<Call<unknown, unknown, unknown>, 'reply' | 'appId'>, row: ListRow) => Readable;

function readRoutes(lists: Lists, stream: ToStream, json: ToJson): Operation[] {
  return [
    operation({
      id: 'listKeywordLists',
      method: 'GET',
      path: '/moderation/keywords',
      on: both,
      tag,
      summary: 'List the keyword lists of an app, newest first.',
      query: Type.Object({
        limit: limitQuery(100, 10),
        cursor: cursorQuery,
        terms: Type.Boolean({ default: true, description: 'false leaves out the terms of each list.' }),
      }),
      response: Type.Object({ data: Type.Array(listAnswer), meta: listMeta }),
      example: { data: [exampleList], meta: { current: { limit: 10, count: 1 } } },
      handle: async (call) => {
        const { appId, query } = call;
        const { data, meta } = await lists.listKeywordLists(appId, query.limit, query.cursor);
        const termsOf = (row: ListRow) => (query.terms ? lists.streamTerms(appId, row) : []);
        return stream(call, manyListsAsJson(appId, data, meta, termsOf), 'application/json');
      },
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
      handle: async (call) => json(call, await lists.getKeywordList(call.appId, call.params.id)),
    }),
    operation({
      id: 'exportKeywordList',
      method: 'GET',
      path: '/moderation/keywords/:id/export',
      on: both,
      tag,
      summary: 'Export the terms of a list: text/csv, or one JSON string a line (application/x-ndjson).',
      params: listParams,
      query: Type.Object({ format: Type.Enum(['csv', 'jsonl'], { default: 'csv' }) }, { additionalProperties: false }),
      response: Type.String(),
      contentTypes: ['text/csv', 'application/x-ndjson'],
      errors: ['ERR_KEYWORD_NOT_FOUND'],
      example: 'butler\r\nit was a dream\r\n',
      handle: async (call) => {
        const { appId, params, query, reply } = call;
        const row = await lists.getKeywordList(appId, params.id);
        reply.header('content-disposition', `attachment; filename="${row.id}.${query.format}"`);
        const type = query.format === 'csv' ? 'text/csv' : 'application/x-ndjson';
        return stream(call, termLines(lists.streamTerms(appId, row), query.format), type);
      },
    }),
  ];
}

function writeRoutes(lists: Lists, json: ToJson): Operation[] {
  return [
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
      errors: ['ERR_KEYWORD_ALREADY_EXISTS', 'ERR_KEYWORD_LIMIT_REACHED', 'ERR_KEYWORD_NOT_FOUND'],
      example: { data: exampleList },
      handle: async (call) => {
        const { caller, appId, body, request } = call;
        return json(
          call,
          await lists.createKeywordList(target(caller, appId), await readListRequest(request, body, checkFields)),
        );
      },
    }),
    operation({
      id: 'replaceKeywordList',
      method: 'PUT',
      path: '/moderation/keywords/:id',
      on: both,
      tag,
      summary: `Replace a keyword list. ${ifMatchToo}`,
      params: listParams,
      body: listRequest,
      multipart: true,
      bodyLimitBytes: listBytesMax,
      response: oneList,
      errors: ['ERR_KEYWORD_NOT_FOUND', 'ERR_KEYWORD_IN_USE', 'ERR_REVISION_CONFLICT'],
      example: { data: exampleList },
      handle: async (call) => {
        const content = await readListRequest(call.request, call.body, checkFields);
        return json(call, await lists.replaceKeywordList(onList(call), content));
      },
    }),
    operation({
      id: 'deleteKeywordList',
      method: 'DELETE',
      path: '/moderation/keywords/:id',
      on: both,
      tag,
      summary: `Delete a keyword list that no rule uses. ${ifMatchToo}`,
      params: listParams,
      response: success,
      errors: ['ERR_KEYWORD_NOT_FOUND', 'ERR_KEYWORD_IN_USE', 'ERR_REVISION_CONFLICT'],
      example: { data: { success: true, message: 'Keyword list with id spoilers has been deleted successfully.' } },
      handle: async (call) => {
        await lists.deleteKeywordList(onList(call));
        return {
          data: { success: true, message: `Keyword list with id ${call.params.id} has been deleted successfully.` },
        };
      },
    }),
  ];
}

function termRoutes(lists: Lists): Operation[] {
  const changed = (appId: string, { row, changed: n }: { row: ListRow; changed: number }) => ({
    data: {
      id: row.id,
      changed: n,
      count: row.terms_count,
      updatedAt: Math.floor(row.updated_at / 1000),
      revisionId: listRevisionId(appId, row),
    },
  });
  const common = {
    path: '/moderation/keywords/:id/terms',
    on: both,
    tag,
    params: listParams,
    body: termsRequest,
    response: termsChanged,
    errors: ['ERR_KEYWORD_NOT_FOUND', 'ERR_REVISION_CONFLICT'],
    example: exampleChanged,
  } as const;
  return [
    operation({
      ...common,
      id: 'addKeywordTerms',
      method: 'POST',
      summary: `Add up to ${termsPerRequest} entries to a keyword list without sending the whole list. ${ifMatchToo}`,
      handle: async (call) => {
        const { category } = await lists.getKeywordList(call.appId, call.params.id);
        const terms = await checkTerms(
          call.body.searchTerms,
          category === 'pattern' ? category : 'word',
          {},
          termsPerRequest,
        );
        return changed(call.appId, await lists.addTerms(onList(call), terms));
      },
    }),
    operation({
      ...common,
      id: 'removeKeywordTerms',
      method: 'DELETE',
      summary: `Remove up to ${termsPerRequest} entries from a keyword list. ${ifMatchToo}`,
      handle: async (call) => {
        // Whatever stands in a list may be removed from it: only the form is checked.
        const terms = await checkTerms(call.body.searchTerms, 'sentence-similarity', {}, termsPerRequest);
        return changed(call.appId, await lists.removeTerms(onList(call), terms));
      },
    }),
  ];
}
