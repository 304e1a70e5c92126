import { Type } from '#typebox';
import { actorOf } from '../caller.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';
import { customProviderId } from './custom-provider.ts';
import { healthAnswer, readHealth } from './health.ts';
import { providerIdField } from './provider.ts';
import type { Providers } from './providers.ts';
import type { Senders } from './senders.ts';
import { sendTest, testAnswer, testRequest } from './test-send.ts';

const tag = 'Push';
const base = '/notifications/push/v1/providers';
const on = ['app'] as const;
const at = '2026-01-31T12:00:00.000Z';
const params = Type.Object({
  kind: Type.Union([Type.Literal('apns'), Type.Literal('fcm'), Type.Literal('webpush'), Type.Literal('custom')]),
  providerId: providerIdField,
});

/** What an operator asks of a provider: is it well, does it work, go on. The custom provider is called `custom`. */
export function healthRoutes(store: Store, providers: Providers, senders: Senders): Operation[] {
  return [
    operation({
      id: 'listProviderHealth',
      method: 'GET',
      path: `${base}/health`,
      on,
      tag,
      summary: 'The health of every provider: last success, last error, paused and why, how much waits.',
      response: Type.Object({ data: Type.Array(healthAnswer) }),
      example: {
        data: [
          {
            kind: 'apns',
            providerId: 'apns-main',
            isPaused: true,
            pausedReason: '403 InvalidProviderToken',
            pausedAt: at,
            lastSuccessAt: at,
            lastErrorAt: at,
            lastError: 'InvalidProviderToken',
            lastStatus: 403,
            waiting: 120,
          },
        ],
      },
      handle: async ({ appId }) => ({ data: await readHealth(store, appId) }),
    }),
    operation({
      id: 'testProvider',
      method: 'POST',
      path: `${base}/:kind/:providerId/test`,
      on,
      tag,
      summary: "Send one push through a provider now, and answer with the vendor's own words.",
      params,
      body: testRequest,
      response: Type.Object({ data: testAnswer }),
      errors: ['ERR_PROVIDER_NOT_FOUND', 'ERR_TOKEN_NOT_FOUND'],
      example: {
        data: {
          success: false,
          outcome: 'pauseProvider',
          status: 403,
          reason: 'InvalidProviderToken',
          detail: '',
          id: '0b2f6c1e-7f5d-4c59-9d0a-3f0a1f2b4c5d',
          ms: 84,
        },
      },
      handle: async ({ appId, params: { kind, providerId }, body }) => ({
        data: await sendTest(store, senders, { appId, kind, providerId, ...body }),
      }),
    }),
    operation({
      id: 'resumeProvider',
      method: 'POST',
      path: `${base}/:kind/:providerId/resume`,
      on,
      tag,
      summary: `Go on with a paused provider after its cause was mended. The custom provider is called ${customProviderId}.`,
      params,
      response: success,
      errors: ['ERR_PROVIDER_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, appId, params: { kind, providerId } }) => {
        await providers.resumeProvider({ appId, actor: actorOf(caller) }, kind, providerId);
        return { data: { success: true } };
      },
    }),
  ];
}
