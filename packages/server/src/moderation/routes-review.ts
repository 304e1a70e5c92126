import { Readable } from 'node:stream';
import { type TSchema, Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { badField } from '../errors.ts';
import { recordId, text, timeMs, uidField } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Call, type Operation, operation } from '../http/operation.ts';
import { cursorQuery, limitQuery, listMeta } from '../paging.ts';
import { aroundAnswer } from './around.ts';
import { messageIdField, messageRequest } from './message.ts';
import type { Moderation } from './moderation.ts';
import type { Queue, ReviewFilter } from './review.ts';
import { exportLines } from './review-export.ts';
import { actionName } from './rule.ts';
import { failureAnswer } from './verdict.ts';

const tag = 'Review';
const both = ['app', 'mgmt'] as const;

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });
const messageParams = Type.Object({ messageId: messageIdField });

const filterFields = {
  from: Type.Optional(timeMs('Seconds or milliseconds since 1970; from this on.')),
  to: Type.Optional(timeMs('Seconds or milliseconds since 1970; up to this.')),
  ruleId: Type.Optional(recordId),
  sender: Type.Optional(uidField),
  receiver: Type.Optional(uidField),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A piece of the text, in any case.' })),
  status: Type.Optional(Type.Enum(['pending', 'approved', 'rejected', 'disapproved'])),
  action: Type.Optional(actionName),
};

const match = Type.Object({}, { additionalProperties: true });
const anyMessage = Type.Object({ id: Type.String() }, { additionalProperties: true });
const flag = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  reasonId: Type.String(),
  reasonName: Type.String(),
  description: Type.String(),
  remark: Type.String(),
  flaggedAt: Type.Integer(),
});
const blockedEntry = Type.Object({
  ruleId: Type.String(),
  ruleName: Type.String(),
  revisionId: Type.String(),
  condition: Type.Unsafe<unknown>({ description: 'The condition that matched, with its weight.' }),
  message: anyMessage,
  action: Type.Array(Type.String()),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  status: Type.String(),
  reviewed: Type.Boolean(),
  matches: Type.Array(match),
  failures: Type.Optional(
    Type.Array(failureAnswer, {
      description: 'What could not be judged, and why; of a dropped message without addresses.',
    }),
  ),
  reviewedBy: Type.Optional(Type.String()),
  flaggedBy: Type.Optional(Type.Array(flag)),
  flaggedCount: Type.Optional(Type.Integer()),
});
const flaggedEntry = Type.Object(
  { id: Type.String(), flaggedBy: Type.Array(flag), flaggedCount: Type.Integer() },
  { additionalProperties: true },
);

const exampleMessage = {
  id: '4711',
  sender: 'ada',
  receiver: 'grace',
  receiverType: 'user',
  category: 'message',
  type: 'text',
  data: { text: 'The butler did it' },
  sentAt: 1767225600,
};
const exampleBlocked = {
  ruleId: 'no-spoilers',
  ruleName: 'No spoilers',
  revisionId: 'a1b2c3d4e5f60718_no-spoilers_1',
  condition: {
    id: 1,
    isKeywordsReferencePresent: true,
    isMediaPresent: false,
    entity: 'message',
    operand: 'text',
    category: 'word',
    operator: 'contains',
    value: ['spoilers'],
    weight: 1,
  },
  message: {
    ...exampleMessage,
    moderation: { status: 'disapproved', rule: { id: 'no-spoilers', name: 'No spoilers' } },
  },
  action: ['blockMessage'],
  createdAt: 1767225600,
  updatedAt: 1767225600,
  status: 'pending',
  reviewed: false,
  matches: [],
};
const exampleFlagged = {
  ...exampleMessage,
  flaggedBy: [
    {
      uid: 'linus',
      name: 'Linus',
      reasonId: 'spam',
      reasonName: 'Spam',
      description: '',
      remark: 'Again!',
      flaggedAt: 1767225600,
    },
  ],
  flaggedCount: 1,
};

export function reviewRoutes(moderation: Moderation): Operation[] {
  return [
    ...queueRoutes(moderation, 'blocked', blockedEntry, exampleBlocked),
    ...queueRoutes(moderation, 'flagged', flaggedEntry, exampleFlagged),
    ...queueRoutes(moderation, 'reviewed', blockedEntry, exampleBlocked),
    ...decisionRoutes(moderation),
    aroundRoute(moderation),
    flagRoute(moderation),
  ];
}

function queueRoutes({ review }: Moderation, queue: Queue, entry: TSchema, example: unknown): Operation[] {
  const name = `${queue.charAt(0).toUpperCase()}${queue.slice(1)}`;
  const shared = { method: 'GET', on: both, tag } as const;
  return [
    operation({
      ...shared,
      id: `list${name}Messages`,
      path: `/moderation/${queue}-messages`,
      summary: `List the ${queue} messages, newest first.`,
      query: Type.Object({ limit: limitQuery(1000, 50), cursor: cursorQuery, ...filterFields }),
      response: Type.Object({ data: Type.Array(entry), meta: listMeta }),
      example: { data: [example], meta: { current: { limit: 50, count: 1 } } },
      handle: ({ appId, query: { limit, cursor, ...filter } }) => review.list(appId, queue, filter, limit, cursor),
    }),
    operation({
      ...shared,
      id: `export${name}Messages`,
      path: `/moderation/${queue}-messages/export`,
      summary: `Export the ${queue} messages: text/csv, or one JSON object a line (application/x-ndjson).`,
      query: Type.Object(
        { format: Type.Enum(['csv', 'jsonl'], { default: 'csv' }), ...filterFields },
        { additionalProperties: false },
      ),
      response: Type.String(),
      contentTypes: ['text/csv', 'application/x-ndjson'],
      example: 'createdAt,messageId,ruleId\r\n',
      handle: async ({ appId, query: { format, ...filter }, reply }) => {
        reply.type(`${format === 'csv' ? 'text/csv' : 'application/x-ndjson'}; charset=utf-8`);
        reply.header('content-disposition', `attachment; filename="${queue}-messages.${format}"`);
        const entries = review.stream(appId, queue, filter satisfies ReviewFilter);
        return Readable.from(exportLines(entries, format), { objectMode: false });
      },
    }),
  ];
}

function decisionRoutes({ review }: Moderation): Operation[] {
  return [
    operation({
      id: 'reviewBlockedMessage',
      role: 'moderator',
      method: 'PATCH',
      path: '/moderation/blocked-messages/:messageId',
      on: both,
      tag,
      summary: 'Approve or reject a blocked message. Either can be taken back.',
      params: messageParams,
      body: Type.Object({
        status: Type.Enum(['approved', 'rejected']),
        reviewed: Type.Optional(Type.Boolean({ default: true })),
      }),
      response: success,
      errors: ['ERR_MESSAGE_ID_NOT_FOUND'],
      example: { data: { success: true, message: 'Message with id 4711 has been approved successfully.' } },
      handle: async ({ caller, appId, params, body }) => {
        await review.reviewBlocked(target(caller, appId), params.messageId, body.status, body.reviewed ?? true);
        return done(params.messageId, body.status);
      },
    }),
    operation({
      id: 'reviewFlaggedMessage',
      role: 'moderator',
      method: 'PATCH',
      path: '/moderation/flagged-messages/:messageId',
      on: both,
      tag,
      summary: 'Approve or disapprove a flagged message. Either can be taken back.',
      params: messageParams,
      body: Type.Object({ status: Type.Enum(['approved', 'disapproved']) }),
      response: success,
      errors: ['ERR_MESSAGE_ID_NOT_FOUND'],
      example: { data: { success: true, message: 'Message with id 4711 has been approved successfully.' } },
      handle: async ({ caller, appId, params, body }) => {
        await review.reviewFlagged(target(caller, appId), params.messageId, body.status);
        return done(params.messageId, body.status);
      },
    }),
  ];
}

const aroundCount = Type.Integer({ minimum: 0, maximum: 100, default: 10 });

function aroundRoute({ review }: Moderation): Operation {
  const { data: _data, category: _category, ...parties } = exampleMessage;
  return operation({
    id: 'listMessagesAround',
    method: 'GET',
    path: '/moderation/messages/:messageId/around',
    on: both,
    tag,
    summary: 'What was said before and after a message in its conversation, as far as it is kept.',
    params: messageParams,
    query: Type.Object({ before: aroundCount, after: aroundCount }, { additionalProperties: false }),
    response: Type.Object({ data: aroundAnswer }),
    errors: ['ERR_MESSAGE_ID_NOT_FOUND'],
    example: {
      data: {
        before: [{ ...parties, outcome: 'delivered', text: 'Who did it?', isCut: false, attachmentsCount: 0 }],
        after: [],
        hasMoreBefore: false,
        hasMoreAfter: false,
        deliveredKeptHours: 24,
      },
    },
    handle: async ({ appId, params, query }) => ({ data: await review.listAround({ appId, ...params, ...query }) }),
  });
}

function done(id: string, what: string) {
  return { data: { success: true, message: `Message with id ${id} has been ${what} successfully.` } };
}

function flagRoute({ flags }: Moderation): Operation {
  return operation({
    id: 'flagMessage',
    method: 'POST',
    path: '/messages/:messageId/flagged',
    on: ['app'],
    access: 'device',
    tag,
    summary: 'Tell the moderators of a message, as the user of the auth token or on behalf of one (header onBehalfOf).',
    params: messageParams,
    body: Type.Object({
      reasonId: Type.Optional(recordId),
      id: Type.Optional(recordId),
      remark: Type.Optional(text(1000)),
      name: Type.Optional(text(100)),
      message: Type.Optional(messageRequest),
    }),
    response: Type.Object({
      success: Type.Boolean(),
      message: Type.String(),
      data: Type.Object({ success: Type.Boolean(), message: Type.String() }),
    }),
    errors: ['ERR_MESSAGE_ID_NOT_FOUND', 'ERR_REASON_NOT_FOUND'],
    example: {
      success: true,
      message: 'Message with id 4711 has been flagged successfully.',
      data: { success: true, message: 'Message with id 4711 has been flagged successfully.' },
    },
    handle: async ({ caller, appId, params, body, request }) => {
      const reasonId = body.reasonId ?? body.id;
      if (reasonId === undefined) throw badField('reasonId', 'This field is required.');
      const uid = reporterOf(caller, request);
      await flags.flagMessage({
        ...target(caller, appId),
        messageId: params.messageId,
        uid,
        name: body.name ?? uid,
        reasonId,
        remark: body.remark ?? '',
        // A device must not put words into somebody else's mouth.
        ...(body.message && caller.kind !== 'device' && { message: body.message }),
      });
      const { data } = done(params.messageId, 'flagged');
      return { ...data, data };
    },
  });
}

function reporterOf(caller: Caller, request: Call<unknown, unknown, unknown>['request']): string {
  if (caller.kind === 'device') return caller.uid;
  const sent = request.headers.onbehalfof;
  if (typeof sent !== 'string' || !/^[A-Za-z0-9_.@:-]{1,100}$/.test(sent))
    throw badField('onBehalfOf', 'The header onBehalfOf must name the user who flags the message.');
  return sent;
}
