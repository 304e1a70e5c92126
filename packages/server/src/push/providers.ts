import { Type } from 'typebox';
import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { isoTime, line } from '../fields.ts';
import type { Keyring } from '../store/seal.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { parseP8Key } from './p8-key.ts';

const tenCharacters = (what: string) =>
  Type.String({ pattern: '^[A-Za-z0-9]{10}$', description: `The ${what} is ten letters and digits.` });

export const providerIdField = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_. -]{0,99}$',
  description: '1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit.',
});

const apnsFields = {
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

export const addApnsProviderRequest = Type.Object({ providerId: providerIdField, ...apnsFields, p8Key });
export const replaceApnsProviderRequest = Type.Object({
  providerId: providerIdField,
  ...apnsFields,
  p8Key: Type.Optional(p8Key),
});

export const apnsProviderAnswer = Type.Object({
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
interface ApnsSettings {
  keyId: string;
  teamId: string;
  bundleId: string;
  p8KeyFilename: string;
  includeContentAvailable: boolean;
  includeMutableContent: boolean;
  productionMode: boolean;
  p8KeyFingerprint: string;
}

interface ApnsRequest {
  providerId: string;
  keyId: string;
  teamId: string;
  bundleId: string;
  p8Key?: string;
  p8KeyFilename?: string;
  includeContentAvailable?: boolean;
  includeMutableContent?: boolean;
  productionMode?: boolean;
}

export type ProviderKind = 'apns' | 'fcm' | 'custom' | 'webpush';
export type ProviderRow = {
  kind: ProviderKind;
  provider_id: string;
  is_default: number;
  settings: string;
  sealed: string;
  created_at: number;
  updated_at: number;
};
type Target = By & { appId: string };
type Stored = Target & { kind: ProviderKind; providerId: string };

const columns = 'kind, provider_id, is_default, settings, sealed, created_at, updated_at';

/** The place a secret is sealed for: it opens nowhere else. */
export function placeOf(appId: string, kind: ProviderKind, providerId: string): string {
  return `provider:${appId}:${kind}:${providerId}`;
}

export class Providers {
  private readonly store: Store;
  private readonly keyring: Keyring;

  constructor(store: Store, keyring: Keyring) {
    this.store = store;
    this.keyring = keyring;
  }

  async listApnsProviders(appId: string) {
    return { pushProviders: (await readProviders(this.store, appId, 'apns')).map(toApnsAnswer) };
  }

  async addApnsProvider(target: Target, request: ApnsRequest & { p8Key: string }) {
    const key = parseP8Key(request.p8Key);
    const sealed = this.keyring.seal(key.pem, placeOf(target.appId, 'apns', request.providerId));
    await this.store.change(addProvider, {
      ...target,
      kind: 'apns',
      providerId: request.providerId,
      settings: toApnsSettings(request, key.fingerprint),
      sealed,
    });
    return this.listApnsProviders(target.appId);
  }

  /** Without a new key the sealed one stays. */
  async replaceApnsProvider(target: Target, request: ApnsRequest) {
    const row = await this.store.get<ProviderRow>(
      `SELECT ${columns} FROM providers WHERE app_id = $1 AND kind = 'apns' AND provider_id = $2`,
      [target.appId, request.providerId],
    );
    if (row === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
    const key = request.p8Key === undefined ? undefined : parseP8Key(request.p8Key);
    const fingerprint = key?.fingerprint ?? (JSON.parse(row.settings) as ApnsSettings).p8KeyFingerprint;
    const sealed = key && this.keyring.seal(key.pem, placeOf(target.appId, 'apns', request.providerId));
    await this.store.change(replaceProvider, {
      ...target,
      kind: 'apns',
      providerId: request.providerId,
      settings: toApnsSettings(request, fingerprint),
      ...(sealed !== undefined && { sealed }),
    });
    return this.listApnsProviders(target.appId);
  }

  deleteProvider(target: Target, kind: ProviderKind, providerId: string): Promise<void> {
    return this.store.change(deleteProvider, { ...target, kind, providerId });
  }

  setDefaultProvider(target: Target, kind: ProviderKind, providerId: string): Promise<void> {
    return this.store.change(setDefaultProvider, { ...target, kind, providerId });
  }
}

export async function addProvider(tx: Tx, input: Stored & { settings: object; sealed: string }): Promise<void> {
  const { appId, kind, providerId, settings, sealed } = input;
  await tx.lock(`providers:${appId}`);
  const existing = await tx.all<{ provider_id: string }>(
    'SELECT provider_id FROM providers WHERE app_id = $1 AND kind = $2',
    [appId, kind],
  );
  if (existing.some((row) => row.provider_id === providerId)) throw new ApiError('ERR_PROVIDER_ALREADY_EXISTS');
  const isDefault = existing.length === 0;
  await tx.run(`INSERT INTO providers (app_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`, [
    appId,
    kind,
    providerId,
    isDefault ? 1 : 0,
    JSON.stringify(settings),
    sealed,
    tx.now,
  ]);
  await audit(tx, {
    appId,
    actor: input.actor,
    action: `add-${kind}-provider`,
    target: providerId,
    after: { ...settings, isDefault },
  });
  tx.touch(`providers:${appId}`);
}

export async function replaceProvider(tx: Tx, input: Stored & { settings: object; sealed?: string }): Promise<void> {
  const { appId, kind, providerId, settings, sealed } = input;
  const before = await findProvider(tx, appId, kind, providerId);
  if (before === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  await tx.run(
    'UPDATE providers SET settings = $4, sealed = $5, updated_at = $6 WHERE app_id = $1 AND kind = $2 AND provider_id = $3',
    [appId, kind, providerId, JSON.stringify(settings), sealed ?? before.sealed, tx.now],
  );
  await audit(tx, {
    appId,
    actor: input.actor,
    action: `replace-${kind}-provider`,
    target: providerId,
    before: JSON.parse(before.settings),
    after: settings,
  });
  tx.touch(`providers:${appId}`);
}

/** The oldest of the rest becomes the default: an app with providers always has one. */
export async function deleteProvider(tx: Tx, { appId, kind, providerId, actor }: Stored): Promise<void> {
  await tx.lock(`providers:${appId}`);
  const before = await findProvider(tx, appId, kind, providerId);
  if (before === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  await tx.run('DELETE FROM providers WHERE app_id = $1 AND kind = $2 AND provider_id = $3', [appId, kind, providerId]);
  const [next] = await readProviders(tx, appId, kind);
  if (before.is_default === 1 && next !== undefined) await markDefault(tx, appId, kind, next.provider_id);
  await audit(tx, {
    appId,
    actor,
    action: `delete-${kind}-provider`,
    target: providerId,
    before: JSON.parse(before.settings),
  });
  tx.touch(`providers:${appId}`);
}

export async function setDefaultProvider(tx: Tx, { appId, kind, providerId, actor }: Stored): Promise<void> {
  await tx.lock(`providers:${appId}`);
  if ((await findProvider(tx, appId, kind, providerId)) === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  await markDefault(tx, appId, kind, providerId);
  await audit(tx, { appId, actor, action: `set-default-${kind}-provider`, target: providerId });
  tx.touch(`providers:${appId}`);
}

async function markDefault(tx: Tx, appId: string, kind: ProviderKind, providerId: string): Promise<void> {
  await tx.run(
    'UPDATE providers SET is_default = CASE WHEN provider_id = $3 THEN 1 ELSE 0 END WHERE app_id = $1 AND kind = $2',
    [appId, kind, providerId],
  );
}

export async function findProvider(
  store: Reader,
  appId: string,
  kind: ProviderKind,
  providerId: string,
): Promise<ProviderRow | undefined> {
  return store.get<ProviderRow>(
    `SELECT ${columns} FROM providers WHERE app_id = $1 AND kind = $2 AND provider_id = $3`,
    [appId, kind, providerId],
  );
}

export async function readProviders(store: Reader, appId: string, kind: ProviderKind): Promise<ProviderRow[]> {
  return store.all<ProviderRow>(
    `SELECT ${columns} FROM providers WHERE app_id = $1 AND kind = $2 ORDER BY created_at, provider_id`,
    [appId, kind],
  );
}

/** Seals every secret again with the current master key, a row at a time by its own place. */
export async function resealProviders(
  tx: Tx,
  { rows }: { rows: { appId: string; kind: ProviderKind; providerId: string; from: string; to: string }[] },
): Promise<number> {
  let changed = 0;
  for (const { appId, kind, providerId, from, to } of rows) {
    changed += await tx.run(
      'UPDATE providers SET sealed = $5 WHERE app_id = $1 AND kind = $2 AND provider_id = $3 AND sealed = $4',
      [appId, kind, providerId, from, to],
    );
  }
  return changed;
}

function toApnsSettings(request: ApnsRequest, p8KeyFingerprint: string): ApnsSettings {
  return {
    keyId: request.keyId,
    teamId: request.teamId,
    bundleId: request.bundleId,
    p8KeyFilename: request.p8KeyFilename ?? `AuthKey_${request.keyId}.p8`,
    includeContentAvailable: request.includeContentAvailable ?? false,
    includeMutableContent: request.includeMutableContent ?? false,
    productionMode: request.productionMode ?? false,
    p8KeyFingerprint,
  };
}

function toApnsAnswer(row: ProviderRow) {
  const settings = JSON.parse(row.settings) as ApnsSettings;
  return {
    providerId: row.provider_id,
    ...settings,
    isDefault: row.is_default === 1,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
