import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Settings } from './config.ts';
import { StoreMissing } from './store/migrate.ts';
import { Keyring } from './store/seal.ts';
import { openSqlite } from './store/sqlite.ts';
import type { Store } from './store/store.ts';

/**
 * Without `make` a store that is not there is an error, and nothing is left behind. A command that somebody waits for has all the time it needs; a service gives up what takes longer than a request can wait.
 */
export async function openStore(
  { settings, secrets }: Config,
  { make = true, isPatient = false } = {},
): Promise<Store> {
  if (secrets.databaseUrl !== undefined) {
    // Loaded here: an embedded store starts without it.
    const { openPostgres } = await import('./store/postgres.ts');
    return openPostgres({
      url: secrets.databaseUrl,
      poolSize: settings.poolSize,
      make,
      ...(isPatient && { statementMs: 0 }),
    });
  }
  if (!make && !existsSync(storeFile(settings))) throw new StoreMissing(settings.dataDir);
  return openSqlite({ file: storeFile(settings), busyTimeoutMs: settings.busyTimeoutMs, writerUrl: writerUrl() });
}

export function storeFile({ dataDir }: Settings): string {
  return join(dataDir, 'gatehouse.db');
}

export function openKeyring({ settings, secrets }: Config): Keyring {
  return secrets.masterKeys === undefined
    ? Keyring.fromFile(settings.masterKeyFile)
    : Keyring.fromTexts(secrets.masterKeys);
}

/** Tests run the sources, which a worker thread of Node 20 cannot load; the thread then runs the built file beside them. */
function writerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? '../dist/writer.js' : './writer.js', import.meta.url);
}
