import { Type } from '#typebox';
import type { Reader } from '../store/store.ts';

/** What every kind of provider has in common. */
export const providerKinds = ['apns', 'fcm', 'webpush', 'custom'] as const;
export type ProviderKind = (typeof providerKinds)[number];

export const providerIdField = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_. -]{0,99}$',
  description: '1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit.',
});

/** What a listing shows may come back as it is; it changes nothing. */
export const shownAgain = {
  isDefault: Type.Optional(Type.Boolean({ description: 'Ignored: there is an operation for it.' })),
  createdAt: Type.Optional(Type.String({ description: 'Ignored.' })),
  updatedAt: Type.Optional(Type.String({ description: 'Ignored.' })),
};

export type ProviderRow = {
  kind: ProviderKind;
  provider_id: string;
  is_default: number;
  settings: string;
  sealed: string;
  created_at: number;
  updated_at: number;
};

/** What a kind knows of itself: how a request becomes settings and a secret, and what of them may be shown. */
export interface ProviderForm<R> {
  kind: ProviderKind;
  /** `before` holds the settings that are replaced: what a request leaves out stays as it was, the secret too. */
  read(request: R, before: object | undefined, hasSecret: () => boolean): { settings: object; secret?: string };
  show(row: ProviderRow): object;
}

export const providerColumns = 'kind, provider_id, is_default, settings, sealed, created_at, updated_at';

/** The place a secret is sealed for: it opens nowhere else. */
export function placeOf(appId: string, kind: ProviderKind, providerId: string): string {
  return `provider:${appId}:${kind}:${providerId}`;
}

/** Each provider has a lane of the outbox to itself. */
export function laneOf(appId: string, kind: ProviderKind, providerId: string): string {
  return `${appId}:${kind}:${providerId}`;
}

export async function findProvider(
  store: Reader,
  appId: string,
  kind: ProviderKind,
  providerId: string,
): Promise<ProviderRow | undefined> {
  return store.get<ProviderRow>(
    `SELECT ${providerColumns} FROM providers WHERE app_id = $1 AND kind = $2 AND provider_id = $3`,
    [appId, kind, providerId],
  );
}

export async function readProviders(store: Reader, appId: string, kind: ProviderKind): Promise<ProviderRow[]> {
  return store.all<ProviderRow>(
    `SELECT ${providerColumns} FROM providers WHERE app_id = $1 AND kind = $2 ORDER BY created_at, provider_id`,
    [appId, kind],
  );
}
