import { Readable } from 'node:stream';
import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { badField } from '../errors.ts';
import { authTokenField, uidField } from '../fields.ts';
import { answerJson } from '../http/answer.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import { cursorQuery, listMeta } from '../paging.ts';
import type { Outside } from '../webhooks/outside.ts';
import { anyToken, appleToken } from './device-token.ts';
import { tokenFields } from './platforms.ts';
import { providerIdField } from './provider.ts';
import { checkTimezone } from './timezone.ts';
import { kindOf, type PushToken, pushTokenAnswer, type Tokens } from './tokens.ts';
import { readSubscription, subscriptionField } from './web-push-subscription.ts';

const tag = 'Push';
const base = '/notifications/push/v1';
const on = ['app'] as const;
const at = '2026-01-31T12:00:00.000Z';

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });

const exampleToken = {
  authToken: 'ada_1767225600000d41d8cd98f00b204e98',
  pushTokenType: 'chat',
  createdAt: at,
  updatedAt: at,
  platform: 'fcm_android',
  providerId: 'fcm-main',
  pushToken: 'dGhpcyBpcyBhIHRva2Vu',
  uid: 'ada',
};

const tokenList = Type.Object({
  data: Type.Object({ pushTokens: Type.Array(pushTokenAnswer) }),
  meta: Type.Optional(listMeta),
});
const removedTokens = Type.Object({
  data: Type.Object({ pushTokens: Type.Array(pushTokenAnswer), success: Type.Boolean() }),
});
const ownerBody = Type.Optional(Type.Object({ authToken: Type.Optional(authTokenField) }));

export function tokenRoutes(tokens: Tokens, outside: Outside): Operation[] {
  return [
    operation({
      id: 'listPushTokens',
      role: 'owner',
      method: 'GET',
      path: `${base}/tokens`,
      on,
      tag,
      summary: 'List the push tokens of an auth token, of a user, or of the whole app.',
      query: Type.Object({
        authToken: Type.Optional(authTokenField),
        uid: Type.Optional(uidField),
        all: Type.Optional(Type.Boolean({ description: 'Every token of the app, as without a filter.' })),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 1000,
            description: 'Page size. Without it the whole answer is streamed.',
          }),
        ),
        cursor: cursorQuery,
      }),
      response: tokenList,
      example: { data: { pushTokens: [exampleToken] } },
      handle: ({ appId, query, reply }) => {
        const filter = { authToken: query.authToken, uid: query.uid };
        if (query.limit !== undefined) return tokens.listPushTokens(appId, filter, query.limit, query.cursor);
        if (query.cursor !== undefined) throw badField('limit', 'A cursor needs a limit.');
        // A user has few tokens: one read answers.
        if (filter.uid !== undefined) return tokens.listPushTokens(appId, filter, 1000).then(({ data }) => ({ data }));
        if (filter.authToken !== undefined)
          return tokens.listTokensOf(appId, filter.authToken, (json) => answerJson(reply, json));
        reply.type('application/json; charset=utf-8');
        const serialize = reply.getSerializationFunction('200', 'application/json');
        return Readable.from(asJson(tokens.streamPushTokens(appId, filter), serialize), { objectMode: false });
      },
    }),
    operation({
      id: 'registerPushToken',
      method: 'POST',
      path: `${base}/tokens`,
      on,
      access: 'device',
      tag,
      summary: "Register a device's push token.",
      body: Type.Object({
        fcmToken: Type.Optional(anyToken),
        deviceToken: Type.Optional(appleToken),
        voipToken: Type.Optional(appleToken),
        webPushSubscription: Type.Optional(subscriptionField),
        platform: Type.String({ minLength: 1, maxLength: 100 }),
        providerId: Type.Optional(providerIdField),
        authToken: Type.Optional(authTokenField),
        timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      }),
      response: success,
      example: { data: { success: true } },
      handle: async ({ caller, appId, body, request }) => {
        const kind = kindOf(body.platform);
        const field = tokenFields[kind];
        const sent = body[field];
        if (sent === undefined) throw badField(field, `The platform ${body.platform} needs this field.`);
        const token = typeof sent === 'string' ? { pushToken: sent } : readSubscription(sent, outside);
        await tokens.registerPushToken({
          ...target(caller, appId),
          ...token,
          kind,
          platform: body.platform,
          providerId: body.providerId ?? 'default',
          authToken: ownerOf(caller, body.authToken ?? headerToken(request.headers.authtoken)),
          ...(body.timezone !== undefined && { timezone: checkTimezone(body.timezone) }),
        });
        return { data: { success: true } };
      },
    }),
    operation({
      id: 'deletePushTokens',
      method: 'DELETE',
      path: `${base}/tokens`,
      on,
      access: 'device',
      tag,
      summary: 'Delete the push tokens of an auth token, or with all=true of its user.',
      query: Type.Object({ all: Type.Optional(Type.Boolean({ default: false })) }),
      body: ownerBody,
      response: removedTokens,
      example: { data: { pushTokens: [exampleToken], success: true } },
      handle: async ({ caller, appId, query, body, request }) => {
        const authToken = ownerOf(caller, body?.authToken ?? headerToken(request.headers.authtoken));
        return {
          data: {
            pushTokens: await tokens.deletePushTokens(target(caller, appId), authToken, query.all ?? false),
            success: true,
          },
        };
      },
    }),
    operation({
      id: 'deletePushToken',
      method: 'DELETE',
      path: `${base}/tokens/:pushToken`,
      on,
      access: 'device',
      tag,
      summary: 'Delete one push token.',
      params: Type.Object({ pushToken: anyToken }),
      body: ownerBody,
      response: removedTokens,
      errors: ['ERR_TOKEN_NOT_FOUND'],
      example: { data: { pushTokens: [exampleToken], success: true } },
      handle: async ({ caller, appId, params, body }) => {
        // A device may only remove what is its own; a key may name the owner or leave it out.
        const authToken = caller.kind === 'device' ? ownerOf(caller, body?.authToken) : body?.authToken;
        return {
          data: {
            pushTokens: await tokens.deletePushToken(target(caller, appId), params.pushToken, { authToken }),
            success: true,
          },
        };
      },
    }),
  ];
}

/** The answer of the schema, cut open in the middle: each batch goes through the same serialiser as a small answer would. */
async function* asJson(
  batches: AsyncGenerator<PushToken[]>,
  serialize: (answer: { [key: string]: unknown }) => string = JSON.stringify,
): AsyncGenerator<string> {
  const [head, tail] = ['{"data":{"pushTokens":[', ']}}'];
  let separator = head;
  for await (const pushTokens of batches) {
    yield separator + serialize({ data: { pushTokens } }).slice(head.length, -tail.length);
    separator = ',';
  }
  yield separator === head ? head + tail : tail;
}

/** A device acts for itself, whatever it writes; a key says for whom. */
function ownerOf(caller: Caller, authToken: string | undefined): string {
  if (caller.kind !== 'device') {
    if (authToken === undefined)
      throw badField('authToken', 'Say whose token it is: an auth token in the body or in the header authToken.');
    return authToken;
  }
  if (authToken !== undefined && authToken !== caller.authToken)
    throw badField('authToken', 'Differs from the auth token in the header.');
  return caller.authToken;
}

export function headerToken(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
