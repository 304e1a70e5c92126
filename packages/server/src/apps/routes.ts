import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { appIdField, authTokenField, isoTime, line, recordId, uidField } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { type App, createApp, deleteApp, findApp, listApps } from './apps.ts';
import { type AuthToken, createAuthToken, listAuthTokens, revokeAuthToken } from './auth-tokens.ts';
import { createKeyPair, type KeyPair, listKeyPairs, revokeKeyPair } from './key-pairs.ts';

const tag = 'Apps and keys';
const strict = { additionalProperties: false };

const app = Type.Object({
  id: Type.String(),
  name: Type.String(),
  region: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
const apiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scope: Type.String(),
  hint: Type.String(),
  createdAt: Type.String(),
});
const keyPair = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String(),
  apps: Type.Optional(Type.Array(Type.String())),
  createdAt: Type.String(),
});
const authToken = Type.Object({ uid: Type.String(), authToken: Type.String(), createdAt: Type.Integer() });
const scope = Type.Enum(['fullAccess', 'authOnly']);

const at = '2026-01-31T12:00:00.000Z';
const exampleApp = { id: 'a1b2c3d4e5f60718', name: 'Demo', region: 'eu', createdAt: at, updatedAt: at };
const exampleKey = {
  id: '0e8bb4a2-3f0c-4dd0-9a55-0a4a8f2d4a11',
  name: 'back end',
  scope: 'fullAccess',
  hint: '…1f3a',
  createdAt: at,
};
const examplePair = { id: '5a1f9a52-64a5-4a9e-8f0e-1f3a5b7c9d11', name: 'operations', hint: '…9c0d', createdAt: at };
const exampleToken = {
  uid: 'ada',
  authToken: 'ada_1767225600000d41d8cd98f00b204e9800998ecf8427e',
  createdAt: 1767225600,
};

export function appRoutes(store: Store, region: string): Operation[] {
  const shownApp = ({ id, name, createdAt, updatedAt }: App) => ({
    id,
    name,
    region,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  });

  return [
    operation({
      id: 'listApps',
      method: 'GET',
      path: '/apps',
      on: ['account'],
      tag,
      summary: 'List the apps of the account.',
      response: Type.Object({ data: Type.Array(app) }),
      example: { data: [exampleApp] },
      handle: async ({ caller }) => ({ data: (await listApps(store, ...accountOf(caller))).map(shownApp) }),
    }),
    operation({
      id: 'createApp',
      method: 'POST',
      path: '/apps',
      on: ['account'],
      tag,
      summary: 'Make an app, with the built-in rules.',
      body: Type.Object({ name: line(100), id: Type.Optional(appIdField) }, strict),
      response: Type.Object({ data: app }),
      errors: ['ERR_APP_ALREADY_EXISTS', 'AUTH_ERR_NO_ACCESS'],
      example: { data: exampleApp },
      handle: async ({ caller, body }) => ({
        data: shownApp(
          await store.change(createApp, { ...body, accountId: wholeAccount(caller), actor: actorOf(caller) }),
        ),
      }),
    }),
    operation({
      id: 'getApp',
      method: 'GET',
      path: '',
      on: ['mgmt'],
      tag,
      summary: 'Get an app.',
      response: Type.Object({ data: app }),
      example: { data: exampleApp },
      handle: async ({ appId }) => {
        const found = await findApp(store, appId);
        if (found === undefined) throw new ApiError('ERR_APP_NOT_FOUND');
        return { data: shownApp(found) };
      },
    }),
    operation({
      id: 'deleteApp',
      method: 'DELETE',
      path: '',
      on: ['mgmt'],
      tag,
      summary: 'Delete an app with everything in it.',
      response: success,
      errors: ['AUTH_ERR_NO_ACCESS'],
      example: { data: { success: true, message: 'App a1b2c3d4e5f60718 has been deleted.' } },
      handle: async ({ caller, appId }) => {
        wholeAccount(caller);
        await store.change(deleteApp, { id: appId, actor: actorOf(caller) });
        return { data: { success: true, message: `App ${appId} has been deleted.` } };
      },
    }),
    ...apiKeyRoutes(store),
    ...keyPairRoutes(store),
    ...authTokenRoutes(store),
  ];
}

function apiKeyRoutes(store: Store): Operation[] {
  const shown = (key: ApiKey) => ({ ...key, createdAt: isoTime(key.createdAt) });
  return [
    operation({
      id: 'listApiKeys',
      method: 'GET',
      path: '/apikeys',
      on: ['mgmt'],
      tag,
      summary: 'List the API keys of an app. The keys themselves are not shown again.',
      response: Type.Object({ data: Type.Array(apiKey) }),
      example: { data: [exampleKey] },
      handle: async ({ appId }) => ({ data: (await listApiKeys(store, appId)).map(shown) }),
    }),
    operation({
      id: 'createApiKey',
      method: 'POST',
      path: '/apikeys',
      on: ['mgmt'],
      tag,
      summary: 'Make an API key. This answer is the only one that shows it.',
      body: Type.Object({ name: line(100), scope }, strict),
      response: Type.Object({ data: Type.Object({ ...apiKey.properties, apiKey: Type.String() }) }),
      example: { data: { ...exampleKey, apiKey: '<shown once>' } },
      handle: async ({ caller, appId, body }) => ({
        data: shown(await store.change(createApiKey, { ...body, appId, actor: actorOf(caller) })),
      }),
    }),
    operation({
      id: 'revokeApiKey',
      method: 'DELETE',
      path: '/apikeys/:keyId',
      on: ['mgmt'],
      tag,
      summary: 'Revoke an API key. It stops working at once.',
      params: Type.Object({ keyId: recordId }),
      response: success,
      errors: ['ERR_KEY_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, appId, params }) => {
        await store.change(revokeApiKey, { appId, id: params.keyId, actor: actorOf(caller) });
        return { data: { success: true } };
      },
    }),
  ];
}

function keyPairRoutes(store: Store): Operation[] {
  const shown = (pair: KeyPair) => ({ ...pair, createdAt: isoTime(pair.createdAt) });
  return [
    operation({
      id: 'listKeyPairs',
      method: 'GET',
      path: '/keypairs',
      on: ['account'],
      tag,
      summary: 'List the pairs of key and secret of the account.',
      response: Type.Object({ data: Type.Array(keyPair) }),
      errors: ['AUTH_ERR_NO_ACCESS'],
      example: { data: [examplePair] },
      handle: async ({ caller }) => ({ data: (await listKeyPairs(store, wholeAccount(caller))).map(shown) }),
    }),
    operation({
      id: 'createKeyPair',
      method: 'POST',
      path: '/keypairs',
      on: ['account'],
      tag,
      summary: 'Make a pair of key and secret, for all apps or for some. Shown once.',
      body: Type.Object(
        { name: line(100), apps: Type.Optional(Type.Array(appIdField, { minItems: 1, maxItems: 1000 })) },
        strict,
      ),
      response: Type.Object({
        data: Type.Object({ ...keyPair.properties, key: Type.String(), secret: Type.String() }),
      }),
      errors: ['AUTH_ERR_NO_ACCESS'],
      example: { data: { ...examplePair, key: '<shown once>', secret: '<shown once>' } },
      handle: async ({ caller, body }) => ({
        data: shown(
          await store.change(createKeyPair, { ...body, accountId: wholeAccount(caller), actor: actorOf(caller) }),
        ),
      }),
    }),
    operation({
      id: 'revokeKeyPair',
      method: 'DELETE',
      path: '/keypairs/:keyId',
      on: ['account'],
      tag,
      summary: 'Revoke a pair of key and secret.',
      params: Type.Object({ keyId: recordId }),
      response: success,
      errors: ['ERR_KEY_NOT_FOUND', 'AUTH_ERR_NO_ACCESS'],
      example: { data: { success: true } },
      handle: async ({ caller, params }) => {
        await store.change(revokeKeyPair, {
          accountId: wholeAccount(caller),
          id: params.keyId,
          actor: actorOf(caller),
        });
        return { data: { success: true } };
      },
    }),
  ];
}

function authTokenRoutes(store: Store): Operation[] {
  const both = ['app', 'mgmt'] as const;
  const shown = (token: AuthToken) => ({ ...token, createdAt: Math.floor(token.createdAt / 1000) });
  return [
    operation({
      id: 'createAuthToken',
      method: 'POST',
      path: '/users/:uid/auth_tokens',
      on: both,
      access: 'anyKey',
      tag,
      summary: "Make an auth token for a user's device.",
      params: Type.Object({ uid: uidField }),
      response: Type.Object({ data: authToken }),
      example: { data: exampleToken },
      handle: async ({ caller, appId, params }) => ({
        data: shown(await store.change(createAuthToken, { appId, uid: params.uid, actor: actorOf(caller) })),
      }),
    }),
    operation({
      id: 'listAuthTokens',
      role: 'owner',
      method: 'GET',
      path: '/users/:uid/auth_tokens',
      on: both,
      tag,
      summary: 'List the auth tokens of a user.',
      params: Type.Object({ uid: uidField }),
      response: Type.Object({ data: Type.Array(authToken) }),
      example: { data: [exampleToken] },
      handle: async ({ appId, params }) => ({ data: (await listAuthTokens(store, appId, params.uid)).map(shown) }),
    }),
    operation({
      id: 'revokeAuthToken',
      method: 'DELETE',
      path: '/users/:uid/auth_tokens/:authToken',
      on: both,
      tag,
      summary: 'Revoke an auth token. The push tokens registered under it go with it.',
      params: Type.Object({ uid: uidField, authToken: authTokenField }),
      response: success,
      errors: ['ERR_AUTH_TOKEN_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, appId, params }) => {
        await store.change(revokeAuthToken, { appId, ...params, actor: actorOf(caller) });
        return { data: { success: true } };
      },
    }),
  ];
}

/** The account, and the apps of it that the caller is granted; undefined: all of them. */
function accountOf(caller: Caller): [string, readonly string[] | undefined] {
  if (caller.kind === 'person') return [caller.accountId, undefined];
  if (caller.kind !== 'keyPair') throw new ApiError('AUTH_ERR_NO_ACCESS');
  return [caller.accountId, caller.apps];
}

/** What concerns the whole account is not for a pair that is granted single apps. */
export function wholeAccount(caller: Caller): string {
  const [accountId, granted] = accountOf(caller);
  if (granted !== undefined) throw new ApiError('AUTH_ERR_NO_ACCESS');
  return accountId;
}
