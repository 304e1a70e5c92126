import { type Static, Type } from '#typebox';
import { badField } from '../errors.ts';
import { isoTime, line } from '../fields.ts';
import type { Outside } from '../webhooks/outside.ts';
import { type ProviderForm, shownAgain } from './provider.ts';

/** An app has one: a service of its own that is called for each user instead of a vendor for each device. */
export const customProviderId = 'custom';

const webhookURL = Type.String({ minLength: 1, maxLength: 2048 });
const fields = {
  basicAuthUsername: Type.Optional(line(255, 0)),
  basicAuthPassword: Type.Optional(
    Type.String({ maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description: 'Never readable again.' }),
  ),
  providerId: Type.Optional(Type.String({ description: 'Ignored: there is one only.' })),
  ...shownAgain,
};

export const customRequest = Type.Object(
  {
    isEnabled: Type.Optional(Type.Boolean({ default: true })),
    webhookURL,
    useBasicAuth: Type.Optional(Type.Boolean({ default: false })),
    ...fields,
  },
  { additionalProperties: false },
);
/** No defaults: what is left out stays. */
export const replaceCustomRequest = Type.Object(
  {
    isEnabled: Type.Optional(Type.Boolean()),
    webhookURL: Type.Optional(webhookURL),
    useBasicAuth: Type.Optional(Type.Boolean()),
    ...fields,
  },
  { additionalProperties: false },
);

export const customAnswer = Type.Object({
  providerId: Type.String(),
  isEnabled: Type.Boolean(),
  webhookURL: Type.String(),
  useBasicAuth: Type.Boolean(),
  basicAuthUsername: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export interface CustomSettings {
  isEnabled: boolean;
  webhookURL: string;
  useBasicAuth: boolean;
  basicAuthUsername: string;
}

export function customForm(outside: Outside): ProviderForm<Static<typeof replaceCustomRequest>> {
  return {
    kind: 'custom',
    read(request, before, hasSecret) {
      const old = before as CustomSettings | undefined;
      const settings: CustomSettings = {
        isEnabled: request.isEnabled ?? old?.isEnabled ?? true,
        webhookURL: request.webhookURL === undefined ? (old?.webhookURL ?? '') : checkUrl(request.webhookURL, outside),
        useBasicAuth: request.useBasicAuth ?? old?.useBasicAuth ?? false,
        basicAuthUsername: request.basicAuthUsername ?? old?.basicAuthUsername ?? '',
      };
      if (settings.useBasicAuth && settings.basicAuthUsername === '')
        throw badField('basicAuthUsername', 'Is needed with useBasicAuth.');
      if (settings.useBasicAuth && request.basicAuthPassword === undefined && !hasSecret())
        throw badField('basicAuthPassword', 'Is needed with useBasicAuth.');
      // A secret is always sealed, so that replacing without one never finds a gap.
      const secret = request.basicAuthPassword ?? (old === undefined ? '' : undefined);
      return { settings, ...(secret !== undefined && { secret }) };
    },
    show: (row) => ({
      providerId: row.provider_id,
      ...(JSON.parse(row.settings) as CustomSettings),
      createdAt: isoTime(row.created_at),
      updatedAt: isoTime(row.updated_at),
    }),
  };
}

function checkUrl(address: string, outside: Outside): string {
  const why = outside.whyNot(address);
  if (why !== undefined) throw badField('webhookURL', why);
  return new URL(address).href;
}
