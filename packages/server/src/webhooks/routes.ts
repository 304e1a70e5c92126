import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { recordId } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import { cursorQuery, limitQuery, listMeta } from '../paging.ts';
import type { Deliveries } from './deliver.ts';
import { deliveryAnswer } from './delivery.ts';
import {
  changeEndpointRequest,
  createEndpointRequest,
  endpointAnswer,
  endpointWithSecret,
  rotateSecretRequest,
} from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';

const tag = 'Webhooks';
const both = ['app', 'mgmt'] as const;
const params = Type.Object({ webhookId: recordId });
const deliveryParams = Type.Object({ webhookId: recordId, eventId: recordId });
const one = Type.Object({ data: endpointAnswer });
const oneWithSecret = Type.Object({ data: endpointWithSecret });
const errors = ['ERR_WEBHOOK_NOT_FOUND'] as const;

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });

const example = {
  id: 'audit-trail',
  url: 'https://chat.example.org/hooks/gatehouse',
  description: 'Keeps the moderators informed.',
  triggers: ['moderation_engine_blocked', 'message_flagged'],
  status: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const exampleTry = { at: '2026-01-01T00:00:00.000Z', ms: 41, status: 200, excerpt: 'ok' };
const exampleDelivery = {
  eventId: 'evt_0mk1p2q3r4a1b2c3d4e5f60718',
  trigger: 'moderation_engine_blocked',
  status: 'delivered',
  tries: 1,
  answers: [exampleTry],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const tryAnswer = deliveryAnswer.properties.answers.items;

export function webhookRoutes(endpoints: Endpoints, deliveries: Deliveries): Operation[] {
  return [...endpointRoutes(endpoints), ...stateRoutes(endpoints, deliveries), ...deliveryRoutes(endpoints)];
}

function endpointRoutes(endpoints: Endpoints): Operation[] {
  return [
    operation({
      id: 'listWebhooks',
      method: 'GET',
      path: '/webhooks',
      on: both,
      tag,
      summary: 'List the endpoints that are told of events.',
      response: Type.Object({ data: Type.Array(endpointAnswer) }),
      example: { data: [example] },
      handle: async ({ appId }) => ({ data: await endpoints.listWebhooks(appId) }),
    }),
    operation({
      id: 'createWebhook',
      method: 'POST',
      path: '/webhooks',
      on: both,
      tag,
      summary: 'Add an endpoint. The answer holds its secret, this once.',
      body: createEndpointRequest,
      response: oneWithSecret,
      errors: ['ERR_WEBHOOK_ALREADY_EXISTS', 'ERR_WEBHOOK_LIMIT_REACHED'],
      example: { data: { ...example, secret: 'whsec_...' } },
      handle: async ({ caller, appId, body }) => ({ data: await endpoints.createWebhook(target(caller, appId), body) }),
    }),
    operation({
      id: 'getWebhook',
      method: 'GET',
      path: '/webhooks/:webhookId',
      on: both,
      tag,
      summary: 'Get an endpoint.',
      params,
      response: one,
      errors,
      example: { data: example },
      handle: async ({ appId, params }) => ({ data: await endpoints.getWebhook(appId, params.webhookId) }),
    }),
    operation({
      id: 'changeWebhook',
      method: 'PATCH',
      path: '/webhooks/:webhookId',
      on: both,
      tag,
      summary: 'Change the address, the description or the choice of events of an endpoint.',
      params,
      body: changeEndpointRequest,
      response: one,
      errors,
      example: { data: example },
      handle: async ({ caller, appId, params, body }) => ({
        data: await endpoints.changeWebhook(target(caller, appId), params.webhookId, body),
      }),
    }),
    operation({
      id: 'deleteWebhook',
      method: 'DELETE',
      path: '/webhooks/:webhookId',
      on: both,
      tag,
      summary: 'Delete an endpoint, with what it has not been told yet.',
      params,
      response: success,
      errors,
      example: { data: { success: true, message: 'Webhook with id audit-trail has been deleted successfully.' } },
      handle: async ({ caller, appId, params }) => {
        await endpoints.deleteWebhook(target(caller, appId), params.webhookId);
        return {
          data: { success: true, message: `Webhook with id ${params.webhookId} has been deleted successfully.` },
        };
      },
    }),
  ];
}

function stateRoutes(endpoints: Endpoints, deliveries: Deliveries): Operation[] {
  return [
    operation({
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: '/webhooks/:webhookId/rotate-secret',
      on: both,
      tag,
      summary: 'Make a new secret. For a while requests are signed with both.',
      params,
      body: rotateSecretRequest,
      response: oneWithSecret,
      errors,
      example: { data: { ...example, previousSecretUntil: '2026-01-02T00:00:00.000Z', secret: 'whsec_...' } },
      handle: async ({ caller, appId, params, body }) => ({
        data: await endpoints.rotateWebhookSecret(target(caller, appId), params.webhookId, body.overlapHours),
      }),
    }),
    operation({
      id: 'testWebhook',
      method: 'POST',
      path: '/webhooks/:webhookId/test',
      on: both,
      tag,
      summary: 'Send a test event at once and answer what came back. Works on a paused endpoint too.',
      params,
      response: Type.Object({ data: tryAnswer }),
      errors,
      example: { data: exampleTry },
      handle: async ({ appId, params }) => ({ data: await deliveries.testWebhook(appId, params.webhookId) }),
    }),
    operation({
      id: 'pauseWebhook',
      method: 'POST',
      path: '/webhooks/:webhookId/pause',
      on: both,
      tag,
      summary: 'Send nothing to an endpoint until it is resumed. Events wait for it, as long as events are kept.',
      params,
      response: one,
      errors,
      example: { data: { ...example, status: 'paused', pausedReason: 'Paused by apiKey:1.' } },
      handle: async ({ caller, appId, params }) => ({
        data: await endpoints.pauseWebhook(target(caller, appId), params.webhookId),
      }),
    }),
    operation({
      id: 'resumeWebhook',
      method: 'POST',
      path: '/webhooks/:webhookId/resume',
      on: both,
      tag,
      summary: 'Send to an endpoint again, beginning with what waited.',
      params,
      response: one,
      errors,
      example: { data: example },
      handle: async ({ caller, appId, params }) => ({
        data: await endpoints.resumeWebhook(target(caller, appId), params.webhookId),
      }),
    }),
  ];
}

function deliveryRoutes(endpoints: Endpoints): Operation[] {
  return [
    operation({
      id: 'listWebhookDeliveries',
      method: 'GET',
      path: '/webhooks/:webhookId/deliveries',
      on: both,
      tag,
      summary: 'List what an endpoint was told, newest first, with every answer it gave.',
      params,
      query: Type.Object({
        status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
        limit: limitQuery(100, 50),
        cursor: cursorQuery,
      }),
      response: Type.Object({ data: Type.Array(deliveryAnswer), meta: listMeta }),
      errors,
      example: { data: [exampleDelivery], meta: { current: { limit: 50, count: 1 } } },
      handle: ({ appId, params, query }) =>
        endpoints.listDeliveries(appId, params.webhookId, query.status, query.limit, query.cursor),
    }),
    operation({
      id: 'redeliverWebhook',
      method: 'POST',
      path: '/webhooks/:webhookId/deliveries/:eventId/redeliver',
      on: both,
      tag,
      summary: 'Send an event to an endpoint once more, with the same id.',
      params: deliveryParams,
      response: success,
      errors: [...errors, 'ERR_DELIVERY_NOT_FOUND'],
      example: { data: { success: true, message: 'The event is on its way again.' } },
      handle: async ({ caller, appId, params }) => {
        await endpoints.redeliver(target(caller, appId), params.webhookId, params.eventId);
        return { data: { success: true, message: 'The event is on its way again.' } };
      },
    }),
  ];
}
