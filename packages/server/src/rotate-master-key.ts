import { audit, type By } from './apps/audit.ts';
import { customApiPlace } from './moderation/settings.ts';
import { type ProviderKind, placeOf as placeOfProvider } from './push/provider.ts';
import { type Keyring, MasterKeyError } from './store/seal.ts';
import type { Reader, Store, Tx } from './store/store.ts';
import { placeOf as placeOfWebhook } from './webhooks/endpoint.ts';

type SealedRow = { app_id: string; id: string; kind: string; sealed: string };

/** A secret of the store: where it is and what it was sealed for. */
export interface SealedSecret {
  column: string;
  appId: string;
  id: string;
  sealed: string;
  place: string;
}

interface SealedColumn {
  name: string;
  read: string;
  write: string;
  place(row: SealedRow): string;
  /** What processes remember it under. */
  topic: string;
}

const previousSecret = 'previous secret of webhook';

/** Every column that holds something sealed. A column that is not listed here would be lost with the old key. */
const sealedColumns: readonly SealedColumn[] = [
  {
    name: 'provider',
    read: 'SELECT app_id, provider_id AS id, kind, sealed FROM providers',
    write: 'UPDATE providers SET sealed = $4 WHERE app_id = $1 AND provider_id = $2 AND sealed = $3',
    place: (row) => placeOfProvider(row.app_id, row.kind as ProviderKind, row.id),
    topic: 'providers',
  },
  {
    name: 'webhook',
    read: "SELECT app_id, id, '' AS kind, sealed FROM webhook_endpoints",
    write: 'UPDATE webhook_endpoints SET sealed = $4 WHERE app_id = $1 AND id = $2 AND sealed = $3',
    place: (row) => placeOfWebhook(row.app_id, row.id),
    topic: 'webhooks',
  },
  {
    name: previousSecret,
    read: "SELECT app_id, id, '' AS kind, previous_sealed AS sealed FROM webhook_endpoints WHERE previous_sealed IS NOT NULL",
    write: 'UPDATE webhook_endpoints SET previous_sealed = $4 WHERE app_id = $1 AND id = $2 AND previous_sealed = $3',
    place: (row) => placeOfWebhook(row.app_id, row.id),
    topic: 'webhooks',
  },
  {
    name: 'custom api',
    read: "SELECT app_id, app_id AS id, '' AS kind, custom_api_sealed AS sealed FROM moderation_settings WHERE custom_api_sealed IS NOT NULL",
    write:
      'UPDATE moderation_settings SET custom_api_sealed = $4 WHERE app_id = $1 AND app_id = $2 AND custom_api_sealed = $3',
    place: (row) => customApiPlace(row.app_id),
    topic: 'moderationSettings',
  },
];

export async function readSealed(store: Reader): Promise<SealedSecret[]> {
  const secrets: SealedSecret[] = [];
  for (const { name, read, place } of sealedColumns) {
    for (const row of await store.all<SealedRow>(read))
      secrets.push({ column: name, appId: row.app_id, id: row.id, sealed: row.sealed, place: place(row) });
  }
  return secrets;
}

/** A process with another master key than the others would take their work and fail at it. */
export async function refuseForeignSecrets(store: Reader, keyring: Keyring): Promise<void> {
  // What was rotated away is only signed with for a while more: whoever rotated a lost secret has mended it.
  const needed = (await readSealed(store)).filter(({ column }) => column !== previousSecret);
  const foreign = needed.filter(({ sealed }) => !keyring.knows(sealed));
  const [first] = foreign;
  if (first === undefined) return;
  const more = foreign.length === 1 ? '' : ` and ${foreign.length - 1} more`;
  throw new MasterKeyError(
    `${first.column} ${first.id} of app ${first.appId}${more}: the master key that sealed this secret is not here. Every process needs the same one, in GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE. If it is lost, start with --key-lost, and add what it sealed anew.`,
  );
}

/**
 * Puts a new master key in front, seals every secret with it, and forgets the old ones only when nothing needs them any
 * more: a cut at any point leaves a store that opens. With keys from the environment the operator does the first and the last step.
 */
export async function rotateMasterKey(
  store: Store,
  keyring: Keyring,
  actor: string,
): Promise<{ masterKeyId: string; resealed: number }> {
  if (keyring.isFromFile) keyring.addNew();
  const masterKeyId = keyring.currentId;
  const outdated = async (): Promise<SealedSecret[]> =>
    (await readSealed(store)).filter(({ sealed }) => !keyring.isCurrent(sealed));
  let resealed = 0;
  let secrets = await outdated();
  do {
    const rows = secrets.map((secret) => ({
      ...secret,
      resealed: keyring.seal(keyring.open(secret.sealed, secret.place), secret.place),
    }));
    resealed += await store.change(resealSecrets, { actor, masterKeyId, rows });
    // A service that runs may have sealed another one with the old key meanwhile.
    secrets = await outdated();
  } while (secrets.length > 0);
  keyring.forgetOld();
  return { masterKeyId, resealed };
}

/** A secret that was replaced meanwhile is left as it is. */
export async function resealSecrets(
  tx: Tx,
  input: By & { masterKeyId: string; rows: (SealedSecret & { resealed: string })[] },
): Promise<number> {
  let changed = 0;
  for (const { name, write, topic } of sealedColumns) {
    for (const { appId, id, sealed, resealed } of input.rows.filter(({ column }) => column === name)) {
      changed += await tx.run(write, [appId, id, sealed, resealed]);
      tx.touch(`${topic}:${appId}`);
    }
  }
  await audit(tx, {
    actor: input.actor,
    action: 'rotateMasterKey',
    target: input.masterKeyId,
    after: { resealed: changed },
  });
  return changed;
}
