import { timingSafeEqual } from 'node:crypto';
import type { Caller, Credentials } from '../caller.ts';
import { andThen } from '../soon.ts';
import { Cache } from '../store/cache.ts';
import type { Store } from '../store/store.ts';
import type { ApiKeyRow } from './api-keys.ts';
import { findApp } from './apps.ts';
import { findAuthToken } from './auth-tokens.ts';
import type { KeyPairRow } from './key-pairs.ts';
import { hashSecret } from './secrets.ts';
import { sessionFinder } from './sessions.ts';

type ApiKeyCaller = Extract<Caller, { kind: 'apiKey' }>;
type KnownKeyPair = { secretHash: Buffer; caller: Extract<Caller, { kind: 'keyPair' }> };

/** Answers the gate's question: whose credentials are these? Remembered until a change touches them. */
export function createCredentials(store: Store): Credentials {
  const apiKeys = new Cache<ApiKeyCaller>(store, 'apiKey', async (hash) => {
    const row = await store.get<ApiKeyRow>('SELECT * FROM api_keys WHERE key_hash = $1', [hash]);
    return row && { kind: 'apiKey', id: row.id, appId: row.app_id, scope: row.scope };
  });
  const keyPairs = new Cache<KnownKeyPair>(store, 'keyPair', async (hash) => {
    const row = await store.get<KeyPairRow>('SELECT * FROM key_pairs WHERE key_hash = $1', [hash]);
    if (row === undefined) return undefined;
    const apps = row.apps === null ? undefined : (JSON.parse(row.apps) as string[]);
    return {
      secretHash: Buffer.from(row.secret_hash),
      caller: { kind: 'keyPair', id: row.id, accountId: row.account_id, apps },
    };
  });
  const hashed = rememberedHashes();
  const owners = new Cache<string>(store, 'app', async (appId) => (await findApp(store, appId))?.accountId);

  return {
    findApiKey: (key) => apiKeys.get(hashed(key).text),
    findKeyPair(key, secret) {
      const sent = hashed(secret).bytes;
      // The secret is hashed and compared even for an unknown key, so that the answer takes as long either way.
      const prove = (known: KnownKeyPair | undefined) =>
        timingSafeEqual(sent, known?.secretHash ?? noHash) ? known?.caller : undefined;
      return andThen(keyPairs.get(hashed(key).text), prove);
    },
    async findDevice(appId, authToken) {
      const found = await findAuthToken(store, authToken, appId);
      return found && { kind: 'device', ...found, authToken };
    },
    findPerson: sessionFinder(store),
    ownerOf: (appId) => owners.get(appId),
  };
}

const noHash = Buffer.from(hashSecret(''));
const rememberedMax = 1000;

/**
 * A client sends the same credentials with every request, and hashing them costs more than all else that the gate does.
 * Hashes are compared as ever; what is remembered is only what a credential hashes to.
 */
function rememberedHashes(): (credential: string) => { text: string; bytes: Buffer } {
  const known = new Map<string, { text: string; bytes: Buffer }>();
  return (credential) => {
    let hash = known.get(credential);
    if (hash === undefined) {
      const text = hashSecret(credential);
      hash = { text, bytes: Buffer.from(text) };
      if (known.size === rememberedMax) known.clear();
      known.set(credential, hash);
    }
    return hash;
  };
}
