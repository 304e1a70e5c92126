import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';
import { revokeAuthToken } from './auth-tokens.ts';

type Device = Extract<Caller, { kind: 'device' }>;

const tag = 'Devices';
const me = Type.Object({
  data: Type.Object({
    uid: Type.String(),
    name: Type.String(),
    role: Type.String(),
    status: Type.String(),
    authToken: Type.String(),
    createdAt: Type.Integer(),
  }),
});

/**
 * What the platform's own SDK asks before and after it registers a push token: who am I, where is everything, goodbye. The
 * rest of what it can do is a chat server's.
 */
export function deviceRoutes(store: Store): Operation[] {
  return [
    operation({
      id: 'identifyDevice',
      method: 'PUT',
      path: '/me',
      on: ['app'],
      access: 'device',
      tag,
      summary: 'Who is this auth token? The first call of an SDK that signs in with one.',
      body: Type.Optional(Type.Object({})),
      response: me,
      example: { data: { ...exampleUser, authToken: 'ada_1767225600000d41d8cd98f00b204e98' } },
      handle: async ({ caller }) => {
        const { uid, authToken } = deviceOf(caller);
        return {
          data: { uid, name: uid, role: 'default', status: 'offline', authToken, createdAt: madeAt(authToken) },
        };
      },
    }),
    operation({
      id: 'signOutDevice',
      method: 'DELETE',
      path: '/me',
      on: ['app'],
      access: 'device',
      tag,
      summary: 'Sign a device out: its auth token and its push tokens are forgotten.',
      response: success,
      errors: ['ERR_AUTH_TOKEN_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, appId }) => {
        const { uid, authToken } = deviceOf(caller);
        await store.change(revokeAuthToken, { appId, uid, authToken, actor: actorOf(caller) });
        return { data: { success: true } };
      },
    }),
    operation({
      id: 'getClientSettings',
      method: 'GET',
      path: '/settings',
      on: ['app'],
      access: 'device',
      tag,
      summary: 'Where an SDK finds the API: at the host that it asked.',
      response: Type.Object({
        data: Type.Object({
          CHAT_API_VERSION: Type.String(),
          CLIENT_API_HOST: Type.String(),
          ADMIN_API_HOST: Type.String(),
        }),
      }),
      example: {
        data: {
          CHAT_API_VERSION: 'v3',
          CLIENT_API_HOST: 'a1b2c3d4e5f60718.api-eu.chat.example.org',
          ADMIN_API_HOST: 'a1b2c3d4e5f60718.api-eu.chat.example.org',
        },
      },
      handle: async ({ request }) => ({
        data: { CHAT_API_VERSION: 'v3', CLIENT_API_HOST: request.host, ADMIN_API_HOST: request.host },
      }),
    }),
  ];
}

const exampleUser = { uid: 'ada', name: 'ada', role: 'default', status: 'offline', createdAt: 1_767_225_600 };

function deviceOf(caller: Caller): Device {
  if (caller.kind !== 'device') throw new ApiError('AUTH_ERR_AUTH_TOKEN_NOT_FOUND');
  return caller;
}

/** An auth token carries the time it was made; one that was taken over from elsewhere may not. */
function madeAt(authToken: string): number {
  const [, ms] = /_(\d{13})[0-9a-f]*$/.exec(authToken) ?? [];
  return ms === undefined ? 0 : Math.floor(Number(ms) / 1000);
}
