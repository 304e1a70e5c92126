import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { resumeLane } from '../outbox/lanes.ts';
import type { Keyring } from '../store/seal.ts';
import type { Store, Tx } from '../store/store.ts';
import {
  findProvider,
  laneOf,
  type ProviderForm,
  type ProviderKind,
  placeOf,
  providerColumns,
  readProviders,
} from './provider.ts';

export type Target = By & { appId: string };
type Stored = Target & { kind: ProviderKind; providerId: string };

/** As in the names of the operations, which are the names that the audit gives. */
const operationPart: Record<ProviderKind, string> = { apns: 'Apns', fcm: 'Fcm', custom: 'Custom', webpush: 'WebPush' };

/** The providers of an app, whatever their kind. Their secrets are sealed before they leave this thread. */
export class Providers {
  private readonly store: Store;
  private readonly keyring: Keyring;

  constructor(store: Store, keyring: Keyring) {
    this.store = store;
    this.keyring = keyring;
  }

  async list<R>(appId: string, form: ProviderForm<R>) {
    return { pushProviders: (await readProviders(this.store, appId, form.kind)).map(form.show) };
  }

  async add<R>(target: Target, form: ProviderForm<R>, providerId: string, request: R) {
    const { settings, secret = '' } = form.read(request, undefined, () => false);
    const sealed = this.keyring.seal(secret, placeOf(target.appId, form.kind, providerId));
    await this.store.change(addProvider, { ...target, kind: form.kind, providerId, settings, sealed });
    return this.list(target.appId, form);
  }

  /** Without a new secret the sealed one stays. What was held back because of the old settings goes out. */
  async replace<R>(target: Target, form: ProviderForm<R>, providerId: string, request: R) {
    // What stays is taken from what was read: where another call changed that meanwhile, it is read again.
    while (!(await this.tryReplace(target, form, providerId, request)));
    return this.list(target.appId, form);
  }

  private async tryReplace<R>(target: Target, form: ProviderForm<R>, providerId: string, request: R): Promise<boolean> {
    const row = await findProvider(this.store, target.appId, form.kind, providerId);
    if (row === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
    const place = placeOf(target.appId, form.kind, providerId);
    const hasSecret = () => this.canOpen(row.sealed, place);
    const { settings, secret } = form.read(request, JSON.parse(row.settings) as object, hasSecret);
    const sealed = secret === undefined ? row.sealed : this.keyring.seal(secret, place);
    const read = { settings: row.settings, sealed: row.sealed };
    return this.store.change(replaceProvider, { ...target, kind: form.kind, providerId, settings, sealed, read });
  }

  /** An empty secret is none, and so is one whose master key is not here. */
  private canOpen(sealed: string, place: string): boolean {
    try {
      return this.keyring.open(sealed, place) !== '';
    } catch {
      return false;
    }
  }

  deleteProvider(target: Target, kind: ProviderKind, providerId: string): Promise<void> {
    return this.store.change(deleteProvider, { ...target, kind, providerId });
  }

  setDefaultProvider(target: Target, kind: ProviderKind, providerId: string): Promise<void> {
    return this.store.change(setDefaultProvider, { ...target, kind, providerId });
  }

  resumeProvider(target: Target, kind: ProviderKind, providerId: string): Promise<void> {
    return this.store.change(resumeProvider, { ...target, kind, providerId });
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
  await tx.run(`INSERT INTO providers (app_id, ${providerColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`, [
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
    action: `add${operationPart[kind]}Provider`,
    target: providerId,
    after: { ...settings, isDefault },
  });
  tx.touch(`providers:${appId}`);
}

/** False where the provider is no longer as it was `read`: nothing is changed then. */
export async function replaceProvider(
  tx: Tx,
  input: Stored & { settings: object; sealed: string; read: { settings: string; sealed: string } },
): Promise<boolean> {
  const { appId, kind, providerId, settings, sealed, read } = input;
  await tx.lock(`providers:${appId}`);
  const before = await findProvider(tx, appId, kind, providerId);
  if (before === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  if (before.settings !== read.settings || before.sealed !== read.sealed) return false;
  await tx.run(
    'UPDATE providers SET settings = $4, sealed = $5, updated_at = $6 WHERE app_id = $1 AND kind = $2 AND provider_id = $3',
    [appId, kind, providerId, JSON.stringify(settings), sealed, tx.now],
  );
  await audit(tx, {
    appId,
    actor: input.actor,
    action: `replace${operationPart[kind]}Provider`,
    target: providerId,
    before: JSON.parse(before.settings),
    after: settings,
  });
  tx.touch(`providers:${appId}`);
  await resumeLane(tx, { kind: 'push', lane: laneOf(appId, kind, providerId) });
  return true;
}

/** The oldest of the rest becomes the default: an app with providers always has one. */
export async function deleteProvider(tx: Tx, { appId, kind, providerId, actor }: Stored): Promise<void> {
  await tx.lock(`providers:${appId}`);
  const before = await findProvider(tx, appId, kind, providerId);
  if (before === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  const key = [appId, kind, providerId];
  await tx.run('DELETE FROM providers WHERE app_id = $1 AND kind = $2 AND provider_id = $3', key);
  await tx.run('DELETE FROM provider_health WHERE app_id = $1 AND kind = $2 AND provider_id = $3', key);
  const [next] = await readProviders(tx, appId, kind);
  if (before.is_default === 1 && next !== undefined) await markDefault(tx, appId, kind, next.provider_id);
  await audit(tx, {
    appId,
    actor,
    action: `delete${operationPart[kind]}Provider`,
    target: providerId,
    before: JSON.parse(before.settings),
  });
  tx.touch(`providers:${appId}`);
  // What waits for it is told that it is gone instead of waiting for ever.
  await resumeLane(tx, { kind: 'push', lane: laneOf(appId, kind, providerId) });
}

export async function setDefaultProvider(tx: Tx, { appId, kind, providerId, actor }: Stored): Promise<void> {
  await tx.lock(`providers:${appId}`);
  if ((await findProvider(tx, appId, kind, providerId)) === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  await markDefault(tx, appId, kind, providerId);
  await audit(tx, { appId, actor, action: `setDefault${operationPart[kind]}Provider`, target: providerId });
  tx.touch(`providers:${appId}`);
}

/** For a cause that was mended at the vendor's: no setting of ours changed. */
export async function resumeProvider(tx: Tx, { appId, kind, providerId, actor }: Stored): Promise<void> {
  if ((await findProvider(tx, appId, kind, providerId)) === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  await audit(tx, { appId, actor, action: `resume${operationPart[kind]}Provider`, target: providerId });
  // Open senders are made anew, so that none remembers why it stopped.
  await tx.run('UPDATE providers SET updated_at = $4 WHERE app_id = $1 AND kind = $2 AND provider_id = $3', [
    appId,
    kind,
    providerId,
    tx.now,
  ]);
  tx.touch(`providers:${appId}`);
  await resumeLane(tx, { kind: 'push', lane: laneOf(appId, kind, providerId) });
}

async function markDefault(tx: Tx, appId: string, kind: ProviderKind, providerId: string): Promise<void> {
  await tx.run(
    'UPDATE providers SET is_default = CASE WHEN provider_id = $3 THEN 1 ELSE 0 END WHERE app_id = $1 AND kind = $2',
    [appId, kind, providerId],
  );
}
