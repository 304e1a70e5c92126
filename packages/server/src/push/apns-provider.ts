import { type Static, Type } from '#typebox';
import { isoTime, line } from '../fields.ts';
import { parseP8Key } from './p8-key.ts';
import { type ProviderForm, providerIdField } from './provider.ts';

const tenCharacters = (what: string) =>
  Type.String({ pattern: '^[A-Za-z0-9]{10}$', description: `The ${what} is ten letters and digits.` });

const fields = {
  providerId: providerIdField,
  keyId: tenCharacters('key id'),
  teamId: tenCharacters('team id'),
  bundleId: Type.String({
    pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$',
    maxLength: 255,
    minLength: 1,
    description: 'A bundle id such as org.example.chat.',
  }),
  p8KeyFilename: Type.Optional(line(255)),
  includeContentAvailable: Type.Optional(Type.Boolean({ default: false })),
  includeMutableContent: Type.Optional(Type.Boolean({ default: false })),
  productionMode: Type.Optional(Type.Boolean({ default: false })),
};
/** Longer than any EC key; shorter than what could make reading it slow. */
const p8Key = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'The content of the .p8 file. Never readable again.',
});

export const addApnsRequest = Type.Object({ ...fields, p8Key });
export const replaceApnsRequest = Type.Object({ ...fields, p8Key: Type.Optional(p8Key) });

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
    const key = request.p8Key === undefined ? undefined : parseP8Key(request.p8Key);
    const settings: ApnsSettings = {
      keyId: request.keyId,
      teamId: request.teamId,
      bundleId: request.bundleId,
      p8KeyFilename: request.p8KeyFilename ?? `AuthKey_${request.keyId}.p8`,
      includeContentAvailable: request.includeContentAvailable ?? false,
      includeMutableContent: request.includeMutableContent ?? false,
      productionMode: request.productionMode ?? false,
      p8KeyFingerprint: key?.fingerprint ?? (before as ApnsSettings | undefined)?.p8KeyFingerprint ?? '',
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
