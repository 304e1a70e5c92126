import { Type } from '#typebox';
import { badField } from '../errors.ts';
import { timeMs } from '../fields.ts';
import { type Operation, operation } from '../http/operation.ts';
import { limitQuery } from '../paging.ts';
import { logAnswer, type PushLogs } from './logs.ts';

const place = Type.Object({ affix: Type.String(), logId: Type.String() });
const name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
const time = Type.Optional(timeMs('Milliseconds.'));

export function logRoutes(logs: PushLogs): Operation[] {
  return [
    operation({
      id: 'listNotificationLogs',
      method: 'GET',
      path: '/notifications/v1/logs',
      on: ['app'],
      tag: 'Push',
      summary: 'What became of every push, newest first.',
      query: Type.Object({
        messageId: name,
        notificationId: Type.Optional(
          Type.String({ pattern: '^[0-9a-f-]{36}$', description: 'The id that sending a notification answered with.' }),
        ),
        from: time,
        to: time,
        receiver: name,
        receiverType: Type.Optional(Type.Enum(['user', 'group'])),
        sender: name,
        channel: Type.Optional(Type.Enum(['push', 'email', 'sms'])),
        provider: Type.Optional(Type.Enum(['apns', 'fcm', 'webpush', 'custom'])),
        notificationTriggered: Type.Optional(Type.Boolean()),
        reason: name,
        success: Type.Optional(Type.Boolean()),
        affix: Type.Optional(Type.Enum(['append', 'prepend'])),
        logId: Type.Optional(
          Type.String({
            pattern: '^[0-9a-z]{9,40}-[0-9]{1,6}$',
            description: 'The _id of a log, as meta.next gives it.',
          }),
        ),
        limit: limitQuery(100, 50),
      }),
      response: Type.Object({
        data: Type.Array(logAnswer),
        meta: Type.Object({
          current: Type.Object({ limit: Type.Integer(), count: Type.Integer() }),
          previous: Type.Optional(place),
          next: Type.Optional(place),
        }),
      }),
      example: {
        data: [
          {
            _id: '0mkq3v1r2a1b2c3d4e5f6-0',
            processingStartedAtMS: 1_769_860_800_000,
            processingEndedAtMS: 1_769_860_800_042,
            totalProcessingTimeInMS: 42,
            component: 'gatehouse',
            channel: 'push',
            provider: 'apns',
            providerId: 'apns-main',
            trigger: 'message_sent',
            notificationId: '0b2f6c1e-7f5d-4c59-9d0a-3f0a1f2b4c5d',
            member: 'grace',
            tokenType: 'apns_ios_device',
            notificationTriggered: true,
            success: true,
            outcome: 'sent',
            status: 200,
            reason: '',
            vendorId: '5c2f0c1e-7f5d-4c59-9d0a-3f0a1f2b4c5d',
            messageId: '4711',
            sender: 'ada',
            receiver: 'grace',
            receiverType: 'user',
          },
        ],
        meta: { current: { limit: 50, count: 1 } },
      },
      handle: async ({ appId, query: { affix, logId, limit, channel, ...filter } }) => {
        if (affix !== undefined && logId === undefined) throw badField('logId', 'An affix needs a logId.');
        // Other channels have no logs here.
        if (channel !== undefined && channel !== 'push') return { data: [], meta: { current: { limit, count: 0 } } };
        return logs.listLogs(
          appId,
          filter,
          limit,
          logId === undefined ? undefined : { affix: affix ?? 'append', logId },
        );
      },
    }),
  ];
}
