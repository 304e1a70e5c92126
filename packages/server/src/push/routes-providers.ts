import { type Static, type TObject, Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Outside } from '../webhooks/outside.ts';
import { addApnsRequest, apnsAnswer, apnsForm, replaceApnsRequest } from './apns-provider.ts';
import { customAnswer, customForm, customProviderId, customRequest, replaceCustomRequest } from './custom-provider.ts';
import { addFcmRequest, fcmAnswer, fcmForm, replaceFcmRequest } from './fcm-provider.ts';
import { type ProviderForm, type ProviderKind, providerIdField } from './provider.ts';
import type { Providers } from './providers.ts';
import { replaceWebPushRequest, webPushAnswer, webPushForm, webPushRequest } from './webpush-provider.ts';

const tag = 'Push';
const base = '/notifications/push/v1/providers';
const on = ['app'] as const;
const at = '2026-01-31T12:00:00.000Z';

const target = (caller: Caller, appId: string) => ({ appId, actor: actorOf(caller) });

const examples = {
  apns: {
    providerId: 'apns-main',
    keyId: 'ABC123DEFG',
    teamId: 'TEAM123456',
    bundleId: 'org.example.chat',
    p8KeyFilename: 'AuthKey_ABC123DEFG.p8',
    includeContentAvailable: false,
    includeMutableContent: true,
    productionMode: false,
    p8KeyFingerprint: '4f1d…',
    isDefault: true,
    createdAt: at,
    updatedAt: at,
  },
  fcm: {
    providerId: 'fcm-main',
    serviceAccountFilename: 'chat-12345.json',
    serviceAccountCreds: {
      project_id: 'chat-12345',
      client_email: 'push@chat-12345.iam.gserviceaccount.com',
      private_key_id: 'a1b2c3',
      token_uri: 'https://oauth2.googleapis.com/token',
    },
    privateKeyFingerprint: '9c2e…',
    notificationInPayload: {
      ios: { chat: true, call: false },
      android: { chat: false, call: false },
      web: { chat: false, call: false },
    },
    isDefault: true,
    createdAt: at,
    updatedAt: at,
  },
  webpush: {
    providerId: 'browsers',
    subject: 'mailto:push@example.org',
    vapidPublicKey: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    isDefault: true,
    createdAt: at,
    updatedAt: at,
  },
  custom: {
    providerId: customProviderId,
    isEnabled: true,
    webhookURL: 'https://push.example.org/hook',
    useBasicAuth: true,
    basicAuthUsername: 'gatehouse',
    createdAt: at,
    updatedAt: at,
  },
} as const;

/** What differs between the kinds: their words and their schemas. */
interface Spec<A extends TObject, R extends TObject> {
  name: string;
  called: string;
  form: ProviderForm<Static<R>>;
  add: A;
  replace: R;
  answer: TObject;
  /** The id of the record a request speaks of. */
  idOf(body: object): string;
}

const idInBody = (body: object): string => String('providerId' in body ? body.providerId : '');

export function providerRoutes(providers: Providers, outside: Outside, fcmHost: string | undefined): Operation[] {
  return [
    ...kindRoutes(providers, {
      name: 'Apns',
      called: 'APNS',
      form: apnsForm,
      add: addApnsRequest,
      replace: replaceApnsRequest,
      answer: apnsAnswer,
      idOf: idInBody,
    }),
    ...manyRoutes(providers, 'Apns', 'apns'),
    ...kindRoutes(providers, {
      name: 'Fcm',
      called: 'FCM',
      form: fcmForm(fcmHost),
      add: addFcmRequest,
      replace: replaceFcmRequest,
      answer: fcmAnswer,
      idOf: idInBody,
    }),
    ...manyRoutes(providers, 'Fcm', 'fcm'),
    ...kindRoutes(providers, {
      name: 'WebPush',
      called: 'Web Push',
      form: webPushForm,
      add: webPushRequest,
      replace: replaceWebPushRequest,
      answer: webPushAnswer,
      idOf: idInBody,
    }),
    ...manyRoutes(providers, 'WebPush', 'webpush'),
    ...kindRoutes(providers, {
      name: 'Custom',
      called: 'custom',
      form: customForm(outside),
      add: customRequest,
      replace: replaceCustomRequest,
      answer: customAnswer,
      idOf: () => customProviderId,
    }),
    operation({
      id: 'deleteCustomProvider',
      method: 'DELETE',
      path: `${base}/custom`,
      on,
      tag,
      summary: 'Delete the custom provider.',
      response: success,
      errors: ['ERR_PROVIDER_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, appId }) => {
        await providers.deleteProvider(target(caller, appId), 'custom', customProviderId);
        return { data: { success: true } };
      },
    }),
  ];
}

/** List, add, replace: the same for each kind. */
function kindRoutes<A extends TObject, R extends TObject>(providers: Providers, spec: Spec<A, R>): Operation[] {
  const { name, called, form } = spec;
  const path = `${base}/${form.kind}`;
  const response = Type.Object({ data: Type.Object({ pushProviders: Type.Array(spec.answer) }) });
  const example = { data: { pushProviders: [examples[form.kind]] } };
  return [
    operation({
      id: `list${name}Providers`,
      method: 'GET',
      path,
      on,
      tag,
      summary: `List the ${called} providers of the app, without their secrets.`,
      response,
      example,
      handle: async ({ appId }) => ({ data: await providers.list(appId, form) }),
    }),
    operation({
      id: `add${name}Provider`,
      method: 'POST',
      path,
      on,
      tag,
      summary: `Add ${/^[AF]/.test(called) ? 'an' : 'a'} ${called} provider. Its secret is sealed and never shown again.`,
      body: spec.add,
      response,
      errors: ['ERR_PROVIDER_ALREADY_EXISTS'],
      example,
      // Adding asks for all that replacing does, and for the secret too: the schemas say so.
      handle: async ({ caller, appId, body }) => ({
        data: await providers.add(target(caller, appId), form, spec.idOf(body as object), body as Static<R>),
      }),
    }),
    operation({
      id: `replace${name}Provider`,
      method: 'PUT',
      path,
      on,
      tag,
      summary: `Replace ${/^[AF]/.test(called) ? 'an' : 'a'} ${called} provider; what is left out stays as it is, the sealed secret too. Resumes it if it was paused.`,
      body: spec.replace,
      response,
      errors: ['ERR_PROVIDER_NOT_FOUND'],
      example,
      handle: async ({ caller, appId, body }) => ({
        data: await providers.replace(target(caller, appId), form, spec.idOf(body as object), body as Static<R>),
      }),
    }),
  ];
}

/** Delete and default, for the kinds of which an app may have several. */
function manyRoutes(providers: Providers, name: string, kind: ProviderKind): Operation[] {
  const path = `${base}/${kind}`;
  const params = Type.Object({ providerId: providerIdField });
  const shared = { on, tag, params, response: success, example: { data: { success: true } } };
  return [
    operation({
      ...shared,
      id: `delete${name}Provider`,
      method: 'DELETE',
      path: `${path}/:providerId`,
      summary: 'Delete a provider. Pushes that wait for it fail.',
      errors: ['ERR_PROVIDER_NOT_FOUND'],
      handle: async ({ caller, appId, params: { providerId } }) => {
        await providers.deleteProvider(target(caller, appId), kind, providerId);
        return { data: { success: true } };
      },
    }),
    operation({
      ...shared,
      id: `setDefault${name}Provider`,
      method: 'PUT',
      path: `${path}/default/:providerId`,
      summary: 'Make a provider the default of its kind.',
      errors: ['ERR_PROVIDER_NOT_FOUND'],
      handle: async ({ caller, appId, params: { providerId } }) => {
        await providers.setDefaultProvider(target(caller, appId), kind, providerId);
        return { data: { success: true } };
      },
    }),
  ];
}
