import { createECDH } from 'node:crypto';
import { type Static, Type } from '#typebox';
import { badField } from '../errors.ts';
import { isoTime } from '../fields.ts';
import { type ProviderForm, providerIdField, shownAgain } from './provider.ts';

const key = (what: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{20,100}={0,2}$', description: what });

const subject = Type.String({
  pattern: '^(mailto:[^\\s@]+@[^\\s@]+\\.[^\\s@]+|https://[^\\s/]+\\.[^\\s]+)$',
  maxLength: 255,
  description: 'mailto: or https:, where push services write when something is wrong.',
});
const vapidKeys = {
  vapidPublicKey: Type.Optional(key('The VAPID public key, 65 bytes as base64url.')),
  vapidPrivateKey: Type.Optional(key('The VAPID private key, 32 bytes as base64url. Never readable again.')),
};

/** Both keys, or neither: then a pair is made here. */
export const webPushRequest = Type.Object(
  { providerId: providerIdField, subject, ...vapidKeys, ...shownAgain },
  { additionalProperties: false },
);
export const replaceWebPushRequest = Type.Object(
  { providerId: providerIdField, subject: Type.Optional(subject), ...vapidKeys, ...shownAgain },
  { additionalProperties: false },
);

export const webPushAnswer = Type.Object({
  providerId: Type.String(),
  subject: Type.String(),
  vapidPublicKey: Type.String(),
  isDefault: Type.Boolean(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export interface WebPushSettings {
  subject: string;
  vapidPublicKey: string;
}

export const webPushForm: ProviderForm<Static<typeof replaceWebPushRequest>> = {
  kind: 'webpush',
  read(request, before) {
    const old = before as WebPushSettings | undefined;
    const { vapidPublicKey, vapidPrivateKey } = request;
    // The public key alone, unchanged, changes nothing.
    const isAsBefore = vapidPrivateKey === undefined && vapidPublicKey === old?.vapidPublicKey;
    const pair = readPair(isAsBefore ? undefined : vapidPublicKey, vapidPrivateKey, old === undefined);
    const settings: WebPushSettings = {
      subject: request.subject ?? old?.subject ?? '',
      vapidPublicKey: pair?.publicKey ?? old?.vapidPublicKey ?? '',
    };
    return { settings, ...(pair && { secret: pair.privateKey }) };
  },
  show: (row) => ({
    providerId: row.provider_id,
    ...(JSON.parse(row.settings) as WebPushSettings),
    isDefault: row.is_default === 1,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }),
};

interface Pair {
  publicKey: string;
  privateKey: string;
}

function readPair(publicKey: string | undefined, privateKey: string | undefined, make: boolean): Pair | undefined {
  const curve = createECDH('prime256v1');
  if (publicKey === undefined && privateKey === undefined) {
    if (!make) return undefined;
    curve.generateKeys();
    return {
      publicKey: curve.getPublicKey('base64url'),
      privateKey: curve.getPrivateKey().toString('base64url'),
    };
  }
  if (publicKey === undefined || privateKey === undefined)
    throw badField(
      publicKey === undefined ? 'vapidPublicKey' : 'vapidPrivateKey',
      'Send both VAPID keys, or neither and a pair is made.',
    );
  const secret = Buffer.from(privateKey, 'base64url');
  try {
    curve.setPrivateKey(secret);
  } catch {
    throw badField('vapidPrivateKey', 'Is not a P-256 private key of 32 bytes as base64url.');
  }
  const made = curve.getPublicKey();
  if (!made.equals(Buffer.from(publicKey, 'base64url')))
    throw badField('vapidPublicKey', 'Does not belong to the private key.');
  return { publicKey: made.toString('base64url'), privateKey: secret.toString('base64url') };
}
