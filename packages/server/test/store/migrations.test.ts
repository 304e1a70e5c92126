import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forPostgres, migrations, newestVersion, SchemaTooNew } from '../../src/store/migrate.ts';
import { loadSqlite } from '../../src/store/sqlite-binding.ts';
import { stores } from '../gatehouse.ts';
import { makePlace, type Place, runCli } from './place.ts';

// Every case starts processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const ledger = 'SELECT version, name FROM migrations ORDER BY version';

/** Statements on the store itself, past everything of ours. */
async function execute(place: Place, statements: readonly string[]): Promise<void> {
  const { databaseUrl } = place.config.secrets;
  if (databaseUrl === undefined) {
    const { DatabaseSync } = await loadSqlite();
    mkdirSync(place.config.settings.dataDir, { recursive: true });
    const db = new DatabaseSync(join(place.config.settings.dataDir, 'gatehouse.db'));
    for (const statement of statements) db.exec(statement);
    db.close();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(forPostgres(statement));
  await client.end();
}

describe.each(stores)('migrations on %s', (dialect) => {
  let place: Place;
  afterEach(() => place.remove());

  it('make the newest schema once, and leave a store that has it alone', async () => {
    place = await makePlace(dialect);
    const known = migrations.map(({ version, name }) => ({ version, name })).sort((a, b) => a.version - b.version);
    for (let round = 0; round < 2; round++) {
      const store = await place.open();
      expect(await store.schemaVersion()).toBe(newestVersion);
      expect(await store.all(ledger)).toEqual(known);
      await store.close();
    }
  });

  it('bring an older store forward and keep what is in it', async () => {
    place = await makePlace(dialect);
    const [first] = migrations;
    if (first === undefined) throw new Error('there are no migrations');
    await execute(place, [
      'CREATE TABLE migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
      ...first.statements,
      `INSERT INTO migrations VALUES (${first.version}, '${first.name}', 0)`,
      "INSERT INTO accounts (id, name, created_at) VALUES ('kept', 'Kept', 1)",
    ]);
    const store = await place.open();
    expect(await store.schemaVersion()).toBe(newestVersion);
    expect(await store.get('SELECT name FROM accounts WHERE id = $1', ['kept'])).toEqual({ name: 'Kept' });
    await store.close();
  });

  it('refuse a store that a newer version wrote, say what to do, and leave it as it is', async () => {
    place = await makePlace(dialect);
    await (await place.open()).close();
    await execute(place, ["INSERT INTO migrations VALUES (999999, 'from the future', 0)"]);
    const refusal = await place.open().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaTooNew);
    expect(String(refusal)).toMatch(/schema 999999, newer than/);
    const { code, stderr } = await runCli(place.environment, 'serve');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gatehouse: The store has schema 999999.*restore a backup\.\n$/);
    await execute(place, ['DELETE FROM migrations WHERE version = 999999']);
    await (await place.open()).close();
  });

  it('run once when several processes start on an empty store at the same time', async () => {
    place = await makePlace(dialect);
    const runs = await Promise.all(Array.from({ length: 4 }, () => runCli(place.environment, 'migrate')));
    for (const { code, stderr } of runs) expect([code, stderr]).toEqual([0, '']);
    expect((await runCli(place.environment, 'app', 'list')).stderr).toBe(
      'gatehouse: The store has no account yet. Start the service once: gatehouse serve\n',
    );
    const store = await place.open();
    expect(await store.all(ledger)).toHaveLength(migrations.length);
    await store.close();
  });
});
