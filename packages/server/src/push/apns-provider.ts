import { type Static, Type } from '#typebox';
import { badField } from '../errors.ts';
import { isoTime, line } from '../fields.ts';
import { parseP8Key } from './p8-key.ts';
import { type ProviderForm, providerIdField, shownAgain } from './provider.ts';

const tenCharacters = (what: string) =>
  Type.String({ pattern: '^[A-Za-z0-9]{10}$', description: `The ${what} is ten letters and digits.` });

const switchedOff = Type.Optional(Type.Boolean({ default: false }));
const keyId = tenCharacters('key id');
const teamId = tenCharacters('team id');
const bundleId = Type.String({
  pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$',
  maxLength: 255,
  minLength: 1,
  description: 'A bundle id such as org.example.chat.',
});
/** Longer than any EC key; shorter than what could make reading it slow. */
const p8Key = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'The content of the .p8 file. Never readable again.',
});
const shown = { p8KeyFingerprint: Type.Optional(Type.String({ description: 'Ignored.' })), ...shownAgain };

export const addApnsRequest = Type.Object(
  {
    providerId: providerIdField,
    keyId,
    teamId,
    bundleId,
    p8KeyFilename: Type.Optional(line(255)),
    p8Key,
    includeContentAvailable: switchedOff,
    includeMutableContent: switchedOff,
    productionMode: switchedOff,
    ...shown,
  },
  { additionalProperties: false },
);
/** No defaults: what is left out stays. */
export const replaceApnsRequest = Type.Object(
  {
    providerId: providerIdField,
    keyId: Type.Optional(keyId),
    teamId: Type.Optional(teamId),
    bundleId: Type.Optional(bundleId),
    p8KeyFilename: Type.Optional(line(255)),
    p8Key: Type.Optional(p8Key),
    includeContentAvailable: Type.Optional(Type.Boolean()),
    includeMutableContent: Type.Optional(Type.Boolean()),
    productionMode: Type.Optional(Type.Boolean()),
    ...shown,
  },
  { additionalProperties: false },
);

export const apnsAnswer = Type.Object({
  providerId: Type.String(),
  keyId: Type.String(),
  teamId: Type.String(),
  bundleId: Type.String(),
  p8KeyFilename: Type.String(),
  includeContentAvailable: Type.Boolean(),
  includeMutableContent: Type.Boolean(),
  productionMode: Type.Boolean(),
  p8KeyFingerprint: Type.String(),
  isDefault: Type.Boolean(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

/** What may be shown of an APNS provider; the key itself is sealed beside it. */
export interface ApnsSettings {
  keyId: string;
  teamId: string;
  bundleId: string;
  p8KeyFilename: string;
  includeContentAvailable: boolean;
  includeMutableContent: boolean;
  productionMode: boolean;
  p8KeyFingerprint: string;
}

export const apnsForm: ProviderForm<Static<typeof replaceApnsRequest>> = {
  kind: 'apns',
  read(request, before) {
    const old = before as ApnsSettings | undefined;
    const key = request.p8Key === undefined ? undefined : parseP8Key(request.p8Key);
    const keyId = request.keyId ?? old?.keyId ?? '';
    const isSameKey = keyId === old?.keyId;
    if (key === undefined && !isSameKey)
      throw badField('p8Key', 'Is needed with another keyId: each key has an id of its own.');
    const settings: ApnsSettings = {
      keyId,
      teamId: request.teamId ?? old?.teamId ?? '',
      bundleId: request.bundleId ?? old?.bundleId ?? '',
      p8KeyFilename: request.p8KeyFilename ?? (isSameKey ? old.p8KeyFilename : `AuthKey_${keyId}.p8`),
      includeContentAvailable: request.includeContentAvailable ?? old?.includeContentAvailable ?? false,
      includeMutableContent: request.includeMutableContent ?? old?.includeMutableContent ?? false,
      productionMode: request.productionMode ?? old?.productionMode ?? false,
      p8KeyFingerprint: key?.fingerprint ?? old?.p8KeyFingerprint ?? '',
    };
    return { settings, ...(key && { secret: key.pem }) };
  },
  show: (row) => ({
    providerId: row.provider_id,
    ...(JSON.parse(row.settings) as ApnsSettings),
    isDefault: row.is_default === 1,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }),
};
