import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { badField } from '../errors.ts';
import { authTokenField } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { idempotencyOf } from '../http/idempotency.ts';
import { type Operation, operation } from '../http/operation.ts';
import { cursorQuery, limitQuery, listMeta } from '../paging.ts';
import { notificationAnswer, sendRequest } from './notification.ts';
import { listedNotification } from './notification-list.ts';
import type { Notifications } from './notifications.ts';
import { headerToken } from './routes-tokens.ts';

const tag = 'Push';
const path = '/notifications/push/v1/notifications';
const on = ['app'] as const;
const at = '2026-01-31T12:00:00.000Z';
const id = '0b2f6c1e-7f5d-4c59-9d0a-3f0a1f2b4c5d';

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });
const params = Type.Object({
  notificationId: Type.String({ pattern: '^[0-9a-f-]{36}$', description: 'The id that sending answered with.' }),
});
const accepted = Type.Union([
  Type.Object({ id: Type.String(), state: Type.String() }),
  Type.Object({ dryRun: Type.Boolean(), devices: Type.Integer() }),
]);
const example = {
  data: {
    id,
    state: 'finished',
    title: 'Tonight at eight',
    createdAt: at,
    sendAt: at,
    finishedAt: at,
    counts: { queued: 0, sent: 2, failed: 1, droppedTokens: 1, skipped: 1, cancelled: 0, acknowledged: 1 },
    failedByReason: { Unregistered: 1 },
    skippedByReason: { DND_PREFERENCE: 1 },
  },
};

const { failedByReason: _failed, skippedByReason: _skipped, ...shortExample } = example.data;

export function notificationRoutes(notifications: Notifications): Operation[] {
  return [
    operation({
      id: 'sendNotification',
      method: 'POST',
      path,
      on,
      tag,
      status: 202,
      summary:
        'Send a notification to users, devices or everybody, now, at a time or at an hour of each user. With the header Idempotency-Key a repetition within a day is not sent twice.',
      body: sendRequest,
      response: Type.Object({ data: accepted }),
      errors: ['ERR_IDEMPOTENCY_KEY_REUSED'],
      example: { data: { id, state: 'sending' } },
      bodyLimitBytes: 2 * 1024 * 1024,
      handle: ({ caller, appId, body, request }) =>
        notifications.sendNotification(target(caller, appId), body, idempotencyOf(request)),
    }),
    operation({
      id: 'listNotifications',
      method: 'GET',
      path,
      on,
      tag,
      summary: 'List the notifications that were composed, newest first. Those of chat messages are in the logs.',
      query: Type.Object({ limit: limitQuery(100, 50), cursor: cursorQuery }, { additionalProperties: false }),
      response: Type.Object({ data: Type.Array(listedNotification), meta: listMeta }),
      example: {
        data: [{ ...shortExample, pushType: 'alert' }],
        meta: { current: { limit: 50, count: 1 } },
      },
      handle: ({ appId, query }) => notifications.listNotifications(appId, query.limit, query.cursor),
    }),
    operation({
      id: 'getNotification',
      method: 'GET',
      path: `${path}/:notificationId`,
      on,
      tag,
      summary: 'How far a notification has come, with counts.',
      params,
      response: Type.Object({ data: notificationAnswer }),
      errors: ['ERR_NOTIFICATION_NOT_FOUND'],
      example,
      handle: async ({ appId, params: { notificationId } }) => ({
        data: await notifications.getNotification(appId, notificationId),
      }),
    }),
    operation({
      id: 'cancelNotification',
      method: 'DELETE',
      path: `${path}/:notificationId`,
      on,
      tag,
      summary: 'Call back what has not left yet.',
      params,
      response: Type.Object({ data: notificationAnswer }),
      errors: ['ERR_NOTIFICATION_NOT_FOUND'],
      example,
      handle: async ({ caller, appId, params: { notificationId } }) => ({
        data: await notifications.cancelNotification(target(caller, appId), notificationId),
      }),
    }),
    operation({
      id: 'acknowledgeNotification',
      method: 'POST',
      path: `${path}/:notificationId/ack`,
      on,
      access: 'device',
      tag,
      summary: 'A device says that it got the notification. Counted once a device.',
      params,
      body: Type.Optional(Type.Object({ authToken: Type.Optional(authTokenField) }, { additionalProperties: false })),
      response: success,
      errors: ['ERR_NOTIFICATION_NOT_FOUND', 'ERR_AUTH_TOKEN_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, appId, params: { notificationId }, body, request }) => {
        const named = body?.authToken ?? headerToken(request.headers.authtoken);
        const authToken = caller.kind === 'device' ? caller.authToken : named;
        if (authToken === undefined)
          throw badField('authToken', 'Say which device got it: an auth token in the body or in the header authToken.');
        await notifications.acknowledgeNotification(appId, notificationId, authToken);
        return { data: { success: true } };
      },
    }),
  ];
}
