import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Static, Type } from '#typebox';
import { badField } from '../errors.ts';
import { isoTime, line } from '../fields.ts';
import { type ProviderForm, providerIdField, shownAgain } from './provider.ts';

/** No defaults: what is left out stays, and is off in a new provider. */
const wanted = Type.Optional(Type.Boolean());
const chatAndCall = Type.Optional(Type.Object({ chat: wanted, call: wanted }, { additionalProperties: false }));

/** Google's file has more fields than these and may come as it is. */
const account = {
  project_id: Type.String({
    pattern: '^[a-z0-9][a-z0-9.:-]{2,62}$',
    description: 'The project id of the service account file, such as chat-12345.',
  }),
  client_email: Type.String({
    pattern: '^[^\\s@]{1,200}@[^\\s@]{1,200}$',
    description: 'The e-mail address of the service account.',
  }),
  private_key_id: Type.Optional(line(200, 0)),
  token_uri: Type.Optional(line(2048)),
};
const privateKey = Type.String({ minLength: 1, maxLength: 16_384, description: 'PEM. Never readable again.' });

const fields = {
  providerId: providerIdField,
  serviceAccountFilename: Type.Optional(line(255)),
  notificationInPayload: Type.Optional(
    Type.Object({ ios: chatAndCall, android: chatAndCall, web: chatAndCall }, { additionalProperties: false }),
  ),
  privateKeyFingerprint: Type.Optional(Type.String({ description: 'Ignored.' })),
  ...shownAgain,
};

export const addFcmRequest = Type.Object(
  { ...fields, serviceAccountCreds: Type.Object({ ...account, private_key: privateKey }) },
  { additionalProperties: false },
);
export const replaceFcmRequest = Type.Object(
  {
    ...fields,
    serviceAccountCreds: Type.Optional(Type.Object({ ...account, private_key: Type.Optional(privateKey) })),
  },
  { additionalProperties: false },
);

const shownChatAndCall = Type.Object({ chat: Type.Boolean(), call: Type.Boolean() });
export const fcmAnswer = Type.Object({
  providerId: Type.String(),
  serviceAccountFilename: Type.String(),
  serviceAccountCreds: Type.Object({
    project_id: Type.String(),
    client_email: Type.String(),
    private_key_id: Type.String(),
    token_uri: Type.String(),
  }),
  privateKeyFingerprint: Type.String(),
  notificationInPayload: Type.Object({ ios: shownChatAndCall, android: shownChatAndCall, web: shownChatAndCall }),
  isDefault: Type.Boolean(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

type ChatAndCall = { chat: boolean; call: boolean };

export interface FcmSettings {
  serviceAccountFilename: string;
  serviceAccountCreds: { project_id: string; client_email: string; private_key_id: string; token_uri: string };
  privateKeyFingerprint: string;
  notificationInPayload: { ios: ChatAndCall; android: ChatAndCall; web: ChatAndCall };
}

/** `trialHost` is where pushes go instead of Google's: access tokens may then come from that machine too. */
export function fcmForm(trialHost: string | undefined): ProviderForm<Static<typeof replaceFcmRequest>> {
  return {
    kind: 'fcm',
    read(request, before) {
      const old = before as FcmSettings | undefined;
      const sent = request.serviceAccountCreds;
      const key = sent?.private_key === undefined ? undefined : checkKey(sent.private_key);
      if (sent && key === undefined && sent.client_email !== old?.serviceAccountCreds.client_email)
        throw badField(
          'serviceAccountCreds.private_key',
          'Is needed with another client_email: each has a key of its own.',
        );
      // A key that stays keeps its id and its address.
      const kept = key === undefined ? old?.serviceAccountCreds : undefined;
      const shown = sent && {
        project_id: sent.project_id,
        client_email: sent.client_email,
        private_key_id: sent.private_key_id ?? kept?.private_key_id ?? '',
        token_uri: checkTokenUri(sent.token_uri ?? kept?.token_uri ?? googleTokenUri, trialHost),
      };
      const settings: FcmSettings = {
        serviceAccountFilename:
          request.serviceAccountFilename ??
          old?.serviceAccountFilename ??
          `${shown?.project_id ?? 'service-account'}.json`,
        serviceAccountCreds: shown ??
          old?.serviceAccountCreds ?? { project_id: '', client_email: '', private_key_id: '', token_uri: '' },
        privateKeyFingerprint: key?.fingerprint ?? old?.privateKeyFingerprint ?? '',
        notificationInPayload: inPayload(request.notificationInPayload, old?.notificationInPayload),
      };
      return { settings, ...(key && { secret: key.pem }) };
    },
    show: (row) => ({
      providerId: row.provider_id,
      ...(JSON.parse(row.settings) as FcmSettings),
      isDefault: row.is_default === 1,
      createdAt: isoTime(row.created_at),
      updatedAt: isoTime(row.updated_at),
    }),
  };
}

const googleTokenUri = 'https://oauth2.googleapis.com/token';

/** The key signs what is posted there, so it is posted to Google only. */
function checkTokenUri(address: string, trialHost: string | undefined): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isGoogle = url?.protocol === 'https:' && url.hostname.endsWith('.googleapis.com');
  const isTrial = trialHost !== undefined && url?.hostname === trialHost.replace(/:\d+$/, '');
  if (url === undefined || !(isGoogle || isTrial))
    throw badField('serviceAccountCreds.token_uri', `Must be an address of Google, such as ${googleTokenUri}.`);
  return url.href;
}

type Sent = Static<typeof replaceFcmRequest>['notificationInPayload'];

function inPayload(sent: Sent, old: FcmSettings['notificationInPayload'] | undefined) {
  const of = (name: 'ios' | 'android' | 'web'): ChatAndCall => ({
    chat: sent?.[name]?.chat ?? old?.[name].chat ?? false,
    call: sent?.[name]?.call ?? old?.[name].call ?? false,
  });
  return { ios: of('ios'), android: of('android'), web: of('web') };
}

/** Found wrong now, not by the first push at night. */
function checkKey(sent: string): { pem: string; fingerprint: string } {
  const key = readKey(sent.replaceAll('\\n', '\n'));
  if (key.asymmetricKeyType !== 'rsa') throw refused(`is a key of type ${key.asymmetricKeyType}, not an RSA key`);
  const publicDer = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: createHash('sha256').update(publicDer).digest('hex'),
  };
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // The cause may quote the key; the sentence must not.
    throw refused('is not a private key in PEM');
  }
}

function refused(why: string) {
  return badField(
    'serviceAccountCreds.private_key',
    `The key ${why}. Send the private_key of the service account file as Google gave it to you.`,
  );
}
