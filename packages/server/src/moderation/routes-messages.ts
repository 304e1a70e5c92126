import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { badField, Problems } from '../errors.ts';
import { recordId } from '../fields.ts';
import { answerJson } from '../http/answer.ts';
import { type Operation, operation } from '../http/operation.ts';
import { andThen, type Soon } from '../soon.ts';
import { backtestAnswer, backtestRequest } from './backtest.ts';
import type { Snapshot } from './judges.ts';
import { type MessageRequest, messageData, messageIdField, messageRequest } from './message.ts';
import { listMessages, messageListQuery } from './message-list.ts';
import type { Moderation } from './moderation.ts';
import { createRuleRequest } from './rule.ts';
import { rulesPerTrial } from './trial.ts';
import type { Judged } from './verdict.ts';
import { judgedAsJson, verdictFields } from './verdict.ts';

const tag = 'Moderation';
const both = ['app', 'mgmt'] as const;
/** A text of a million characters, or a thousand usual messages. */
const messageBytesMax = 4 * 1024 * 1024;
const batchMax = 1000;

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });
const messageParams = Type.Object({ id: messageIdField });

const moderationField = Type.Object({
  status: Type.Enum(['pending', 'approved', 'disapproved']),
  rule: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
});
const { id: _id, sentAt: _sentAt, ...requestFields } = messageRequest.properties;
const messageFields = {
  id: Type.String(),
  ...requestFields,
  sentAt: Type.Integer(),
  updatedAt: Type.Optional(Type.Integer()),
  moderation: moderationField,
};
const oneMessage = Type.Object({ data: Type.Object(messageFields) });
const judgedMessage = Type.Object({ data: Type.Object({ ...messageFields, ...verdictFields }) });
const verdictAnswer = Type.Object(verdictFields);

const exampleMatch = {
  ruleId: 'no-spoilers',
  revisionId: 'a1b2c3d4e5f60718_no-spoilers_1',
  conditionId: 1,
  listId: 'spoilers',
  entry: 'butler',
  start: 4,
  end: 10,
  text: 'Butl3r',
  normalised: 'butler',
  field: 'text',
};
const exampleVerdict = { verdict: 'block', actions: ['blockMessage'], matches: [exampleMatch], shadow: [] };
const exampleMessage = {
  id: '0mcf3k2a1b2c3d4e5f60718',
  sender: 'ada',
  receiver: 'grace',
  receiverType: 'user',
  category: 'message',
  type: 'text',
  data: { text: 'The Butl3r did it' },
  sentAt: 1767225600,
  moderation: { status: 'disapproved', rule: { id: 'no-spoilers', name: 'No spoilers' } },
};

const checkRequest = Type.Object({
  ...Type.Partial(messageRequest).properties,
  messages: Type.Optional(Type.Array(messageRequest, { minItems: 1, maxItems: batchMax })),
  rules: Type.Optional(
    Type.Array(createRuleRequest, {
      minItems: 1,
      maxItems: rulesPerTrial,
      description: 'Tried instead of the stored rules. They may refer to stored lists.',
    }),
  ),
});
const editRequest = Type.Object({ ...Type.Partial(messageRequest).properties, data: messageData });

export function messageRoutes(moderation: Moderation): Operation[] {
  return [...judgeRoutes(moderation), ...storedRoutes(moderation)];
}

function judgeRoutes({ judging, trials, messages, backtest }: Moderation): Operation[] {
  return [
    operation({
      id: 'checkMessages',
      role: 'viewer',
      method: 'POST',
      path: '/moderation/check',
      on: both,
      tag,
      summary: `Judge a message, or up to ${batchMax} in "messages", and store nothing.`,
      body: checkRequest,
      bodyLimitBytes: messageBytesMax,
      response: Type.Object({ data: Type.Union([verdictAnswer, Type.Array(verdictAnswer)]) }),
      example: { data: exampleVerdict },
      handle: ({ appId, body, reply }) => {
        const snapshot = body.rules === undefined ? judging.snapshot(appId) : trials.compile(appId, body.rules);
        const judge = (held: Snapshot): Soon<Judged | Judged[]> =>
          body.messages === undefined
            ? judging.judge(appId, asWhole(body), held)
            : judging.judgeMany(appId, body.messages, held);
        return andThen(andThen(snapshot, judge), (judged) => answerJson(reply, asJson(judged)));
      },
    }),
    operation({
      id: 'judgeMessage',
      method: 'POST',
      path: '/moderation/messages',
      on: both,
      tag,
      summary: 'Judge a message and store the outcome. A blocked message is a 200 with a verdict.',
      body: messageRequest,
      bodyLimitBytes: messageBytesMax,
      response: judgedMessage,
      example: { data: { ...exampleMessage, ...exampleVerdict } },
      handle: ({ appId, body, reply }) =>
        andThen(messages.judgeMessageAsJson(appId, body), (data) => answerJson(reply, `{"data":${data}}`)),
    }),
    operation({
      id: 'backtestRule',
      role: 'moderator',
      method: 'POST',
      path: '/moderation/rules/:ruleId/backtest',
      on: both,
      tag,
      summary: 'Try a rule, stored or sent along, on the messages of the last days. It does not act.',
      params: Type.Object({ ruleId: recordId }),
      body: Type.Optional(backtestRequest),
      response: backtestAnswer,
      errors: ['ERR_RULE_NOT_FOUND', 'ERR_BACKTEST_OFF'],
      example: {
        data: {
          ruleId: 'no-spoilers',
          judged: 5120,
          caught: 12,
          newlyCaught: 9,
          from: 1767225600,
          isComplete: true,
          examples: [],
        },
      },
      handle: async ({ appId, params, body }) => ({ data: await backtest.run(appId, params.ruleId, body ?? {}) }),
    }),
  ];
}

function storedRoutes({ messages, store, kept }: Moderation): Operation[] {
  return [
    operation({
      id: 'listMessages',
      method: 'GET',
      path: '/moderation/messages',
      on: both,
      tag,
      summary: 'List the messages that are kept, by the time they were sent.',
      query: messageListQuery,
      response: Type.Object({
        data: Type.Array(Type.Object(messageFields)),
        meta: Type.Object({
          current: Type.Object({ limit: Type.Integer(), count: Type.Integer() }),
          next: Type.Optional(Type.Object({ affix: Type.String(), sentAt: Type.Integer(), id: Type.String() })),
        }),
      }),
      example: { data: [exampleMessage], meta: { current: { limit: 100, count: 1 } } },
      handle: async ({ appId, query }) => {
        const { limit, affix, sentAt, id, ...filter } = query;
        if ((sentAt === undefined) !== (id === undefined))
          throw badField('id', 'Goes with sentAt, and sentAt with id.');
        const page = { limit, affix, ...(sentAt !== undefined && { sentAt }), ...(id !== undefined && { id }) };
        return listMessages(store, kept, appId, filter, page);
      },
    }),
    operation({
      id: 'getMessage',
      method: 'GET',
      path: '/moderation/messages/:id',
      on: both,
      tag,
      summary: 'Get a message as it stands.',
      params: messageParams,
      response: oneMessage,
      errors: ['ERR_MESSAGE_ID_NOT_FOUND'],
      example: { data: exampleMessage },
      handle: async ({ appId, params }) => ({ data: await messages.getMessage(appId, params.id) }),
    }),
    operation({
      id: 'editMessage',
      method: 'PUT',
      path: '/moderation/messages/:id',
      on: both,
      tag,
      summary: 'Judge an edit. A blocked edit leaves the clean version standing.',
      params: messageParams,
      body: editRequest,
      bodyLimitBytes: messageBytesMax,
      response: judgedMessage,
      errors: ['ERR_MESSAGE_ID_NOT_FOUND'],
      example: { data: { ...exampleMessage, ...exampleVerdict } },
      handle: async ({ appId, params, body }) => ({ data: await messages.editMessage(appId, params.id, body) }),
    }),
    operation({
      id: 'deleteMessage',
      method: 'DELETE',
      path: '/moderation/messages/:id',
      on: both,
      tag,
      summary: 'Delete a message as it stands. What moderators were shown of it stays in their queues until it is old.',
      params: messageParams,
      response: oneMessage,
      errors: ['ERR_MESSAGE_ID_NOT_FOUND'],
      example: { data: exampleMessage },
      handle: async ({ caller, appId, params }) => ({
        data: await messages.deleteMessage(target(caller, appId), params.id),
      }),
    }),
  ];
}

/** A message without "messages" around it: then who wrote to whom is required. */
function asWhole(body: Partial<MessageRequest>): MessageRequest {
  if (isWhole(body)) return body;
  const problems = new Problems();
  for (const field of ['sender', 'receiver', 'receiverType'] as const)
    if (body[field] === undefined) problems.add(field, 'This field is required.');
  problems.throwIfAny();
  throw new Error('A field is missing, and none of them.');
}

function isWhole(body: Partial<MessageRequest>): body is MessageRequest {
  return body.sender !== undefined && body.receiver !== undefined && body.receiverType !== undefined;
}

function asJson(judged: Judged | Judged[]): string {
  return `{"data":${Array.isArray(judged) ? `[${judged.map(judgedAsJson).join(',')}]` : judgedAsJson(judged)}}`;
}
