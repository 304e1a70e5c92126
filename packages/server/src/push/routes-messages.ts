import { Type } from '#typebox';
import { actorOf } from '../caller.ts';
import { idempotencyOf } from '../http/idempotency.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Rings } from './messages.ts';
import { ringRequest } from './ring-request.ts';

const answer = Type.Object({
  data: Type.Object({
    id: Type.String(),
    sender: Type.String(),
    receiver: Type.String(),
    receiverType: Type.String(),
    moderation: Type.Object({
      status: Type.String(),
      rule: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
    }),
    notification: Type.Optional(Type.Object({ id: Type.String(), state: Type.String() })),
  }),
});

/** One call for a chat back end: may this be said, and if so, ring. */
export function messageRoutes(rings: Rings): Operation[] {
  return [
    operation({
      id: 'sendMessage',
      method: 'POST',
      path: '/messages',
      on: ['app'],
      tag: 'Push',
      summary:
        'Judge a message and, if it may pass, notify its receiver or the listed receivers. A blocked or dropped message notifies nobody. Calls, edits, deletions, reactions and what befalls the members of a group ring in the same way.',
      body: ringRequest,
      response: answer,
      errors: ['ERR_IDEMPOTENCY_KEY_REUSED'],
      bodyLimitBytes: 2 * 1024 * 1024,
      example: {
        data: {
          id: '4711',
          sender: 'ada',
          receiver: 'grace',
          receiverType: 'user',
          moderation: { status: 'approved' },
          notification: { id: '0b2f6c1e-7f5d-4c59-9d0a-3f0a1f2b4c5d', state: 'sending' },
        },
      },
      handle: async ({ caller, appId, body, request }) => {
        const { judged, notification } = await rings.sendMessage(
          { appId, actor: actorOf(caller) },
          body,
          idempotencyOf(request),
        );
        const { id, moderation } = judged;
        const { sender, receiver, receiverType } = body;
        return { data: { id, sender, receiver, receiverType, moderation, ...(notification && { notification }) } };
      },
    }),
  ];
}
