import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { recordId } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Moderation } from './moderation.ts';
import { createReasonRequest, reasonAnswer, replaceReasonRequest } from './reasons.ts';

const tag = 'Review';
const on = ['app', 'mgmt'] as const;
const params = Type.Object({ id: recordId });
const oneReason = Type.Object({ data: reasonAnswer });
const example = {
  id: 'off-topic',
  name: 'Off topic',
  description: 'Does not belong here.',
  createdAt: 1767225600,
  updatedAt: 1767225600,
};

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });

export function reasonRoutes({ reasons }: Moderation): Operation[] {
  return [
    operation({
      id: 'listReasons',
      method: 'GET',
      path: '/moderation/reasons',
      on,
      tag,
      summary: 'List the reasons that users can give for flagging a message.',
      response: Type.Object({ data: Type.Array(reasonAnswer) }),
      example: { data: [example] },
      handle: async ({ appId }) => ({ data: await reasons.listReasons(appId) }),
    }),
    operation({
      id: 'createReason',
      method: 'POST',
      path: '/moderation/reasons',
      on,
      tag,
      summary: 'Make a reason.',
      body: createReasonRequest,
      response: oneReason,
      errors: ['ERR_REASON_ALREADY_EXISTS', 'ERR_REASON_LIMIT_REACHED'],
      example: { data: example },
      handle: async ({ caller, appId, body }) => ({ data: await reasons.createReason(target(caller, appId), body) }),
    }),
    operation({
      id: 'getReason',
      method: 'GET',
      path: '/moderation/reasons/:id',
      on,
      tag,
      summary: 'Get a reason.',
      params,
      response: oneReason,
      errors: ['ERR_REASON_NOT_FOUND'],
      example: { data: example },
      handle: async ({ appId, params: { id } }) => ({ data: await reasons.getReason(appId, id) }),
    }),
    operation({
      id: 'replaceReason',
      method: 'PUT',
      path: '/moderation/reasons/:id',
      on,
      tag,
      summary: 'Replace a reason.',
      params,
      body: replaceReasonRequest,
      response: oneReason,
      errors: ['ERR_REASON_NOT_FOUND'],
      example: { data: example },
      handle: async ({ caller, appId, params: { id }, body }) => ({
        data: await reasons.replaceReason(target(caller, appId), id, body),
      }),
    }),
    operation({
      id: 'deleteReason',
      method: 'DELETE',
      path: '/moderation/reasons/:id',
      on,
      tag,
      summary: 'Delete a reason; a built-in one returns to how it came.',
      params,
      response: success,
      errors: ['ERR_REASON_NOT_FOUND'],
      example: { data: { success: true, message: 'Reason with id off-topic has been deleted successfully.' } },
      handle: async ({ caller, appId, params: { id } }) => {
        await reasons.deleteReason(target(caller, appId), id);
        return { data: { success: true, message: `Reason with id ${id} has been deleted successfully.` } };
      },
    }),
  ];
}
