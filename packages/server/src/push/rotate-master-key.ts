import type { Keyring } from '../store/seal.ts';
import type { Store } from '../store/store.ts';
import { type ProviderKind, placeOf } from './provider.ts';
import { resealProviders } from './providers.ts';

type SealedRow = { app_id: string; kind: ProviderKind; provider_id: string; sealed: string };

/**
 * Puts a new master key in front, seals every secret with it, and forgets the old one only when nothing needs it any
 * more: a cut at any point leaves a store that opens. With keys from the environment the operator does the first and the last step.
 */
export async function rotateMasterKey(
  store: Store,
  keyring: Keyring,
): Promise<{ masterKeyId: string; resealed: number }> {
  if (keyring.isFromFile) keyring.addNew();
  let resealed = 0;
  for (;;) {
    const rows = (await store.all<SealedRow>('SELECT app_id, kind, provider_id, sealed FROM providers')).filter(
      (row) => !keyring.isCurrent(row.sealed),
    );
    if (rows.length === 0) break;
    resealed += await store.change(resealProviders, { rows: rows.map((row) => reseal(row, keyring)) });
  }
  keyring.forgetOld();
  return { masterKeyId: keyring.currentId, resealed };
}

function reseal(row: SealedRow, keyring: Keyring) {
  const place = placeOf(row.app_id, row.kind, row.provider_id);
  return {
    appId: row.app_id,
    kind: row.kind,
    providerId: row.provider_id,
    from: row.sealed,
    to: keyring.seal(keyring.open(row.sealed, place), place),
  };
}
