import type { Caller, Credentials } from '../caller.ts';
import { Cache } from '../store/cache.ts';
import type { Store } from '../store/store.ts';
import type { ApiKeyRow } from './api-keys.ts';
import { findApp } from './apps.ts';
import { findAuthToken } from './auth-tokens.ts';
import type { KeyPairRow } from './key-pairs.ts';
import { hashSecret, sameHash } from './secrets.ts';
import { sessionFinder } from './sessions.ts';

type ApiKeyCaller = Extract<Caller, { kind: 'apiKey' }>;

/** Answers the gate's question: whose credentials are these? Remembered until a change touches them. */
export function createCredentials(store: Store): Credentials {
  const apiKeys = new Cache<ApiKeyCaller>(store, 'apiKey', async (hash) => {
    const row = await store.get<ApiKeyRow>('SELECT * FROM api_keys WHERE key_hash = $1', [hash]);
    return row && { kind: 'apiKey', id: row.id, appId: row.app_id, scope: row.scope };
  });
  const keyPairs = new Cache<KeyPairRow>(store, 'keyPair', (hash) =>
    store.get<KeyPairRow>('SELECT * FROM key_pairs WHERE key_hash = $1', [hash]),
  );
  const owners = new Cache<string>(store, 'app', async (appId) => (await findApp(store, appId))?.accountId);

  return {
    findApiKey: (key) => apiKeys.get(hashSecret(key)),
    async findKeyPair(key, secret) {
      const row = await keyPairs.get(hashSecret(key));
      // The secret is hashed and compared even for an unknown key, so that the answer takes as long either way.
      if (!sameHash(hashSecret(secret), row?.secret_hash ?? hashSecret('')) || row === undefined) return undefined;
      return {
        kind: 'keyPair',
        id: row.id,
        accountId: row.account_id,
        apps: row.apps === null ? undefined : (JSON.parse(row.apps) as string[]),
      };
    },
    async findDevice(appId, authToken) {
      const found = await findAuthToken(store, authToken, appId);
      return found && { kind: 'device', ...found, authToken };
    },
    findPerson: sessionFinder(store),
    ownerOf: (appId) => owners.get(appId),
  };
}
