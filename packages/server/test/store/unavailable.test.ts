/** When the store does not answer: 503 and nothing half written; and all is well again when it does. */
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/store/sqlite-binding.ts';
import { apnsProvider } from '../contract/signing-keys.ts';
import { type Answer, type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { makePlace, type Place, until } from './place.ts';
import { type Door, makeDoor } from './proxy.ts';

const rules = '/v3/moderation/rules';
const rule = (id: string) => ({
  id,
  name: id,
  action: ['blockMessage'],
  conditions: [{ operand: 'text', category: 'word', value: id }],
});

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body.error.code]).toEqual([503, 'ERR_OPERATION_FAILED']);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.text).not.toMatch(/sqlite|postgres|locked|ECONN/i);
}

async function rowsOf(gatehouse: Gatehouse): Promise<unknown> {
  const { store } = gatehouse.app;
  return Promise.all(
    ['rules', 'rule_revisions', 'providers', 'audit'].map((table) => store.get(`SELECT COUNT(*) AS n FROM ${table}`)),
  );
}

describe('an embedded store that another process holds', () => {
  let place: Place;
  let gatehouse: Gatehouse;
  afterEach(async () => {
    await gatehouse.close();
    await place.remove();
  });

  it('answers writes with 503 after a while, and reads as ever; nothing is written, and later writes are', async () => {
    place = await makePlace('sqlite', { GATEHOUSE_BUSY_TIMEOUT_MS: '150' });
    gatehouse = await startGatehouse('sqlite', place.environment);
    await gatehouse.asApp(rules, { body: rule('before') });
    const before = await rowsOf(gatehouse);
    const { DatabaseSync } = await loadSqlite();
    const holder = new DatabaseSync(join(place.config.settings.dataDir, 'gatehouse.db'));
    holder.exec('BEGIN IMMEDIATE');

    const writes = await Promise.all([
      gatehouse.asApp(rules, { body: rule('during-1') }),
      gatehouse.asApp(rules, { body: rule('during-2') }),
      gatehouse.asApp('/v3/notifications/push/v1/providers/apns', { body: apnsProvider('during') }),
    ]);
    for (const answer of writes) expectUnavailable(answer);
    const read = await gatehouse.asApp(rules);
    expect(read.body.data.map(({ id }: { id: string }) => id)).toContain('before');
    expect((await gatehouse.ask('/readyz')).status).toBe(200);
    expect(await rowsOf(gatehouse)).toEqual(before);

    holder.exec('ROLLBACK');
    holder.close();
    expect((await gatehouse.asApp(rules, { body: rule('during-1') })).status).toBe(200);
    expect(gatehouse.logs()).toContain('database is locked');
  });
});

describe('a PostgreSQL that goes away', () => {
  let place: Place;
  let gatehouse: Gatehouse;
  let door: Door;
  afterEach(async () => {
    await gatehouse.close();
    await place.remove();
  });

  it('answers 503 and stays alive, is not ready, trusts nothing that it remembers, and goes on when it is back', async () => {
    place = await makePlace('postgres');
    door = await makeDoor(place.environment.DATABASE_URL ?? '');
    gatehouse = await startGatehouse('postgres', { ...place.environment, DATABASE_URL: door.url });
    expect((await gatehouse.asApp(rules, { body: rule('before') })).status).toBe(200);

    await door.shut();
    expectUnavailable(await gatehouse.asApp(rules, { body: rule('during') }));
    await until(async () => (await gatehouse.asApp(rules)).status === 503, 1000);
    expectUnavailable(await gatehouse.asApp(rules));
    expect((await gatehouse.ask('/readyz')).status).toBe(503);
    expect((await gatehouse.ask('/livez')).status).toBe(200);

    await door.open();
    await until(async () => (await gatehouse.ask('/readyz')).status === 200, 5000);
    const { body } = await gatehouse.asApp(rules);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toContain('before');
    expect(ids).not.toContain('during');
    expect((await gatehouse.asApp(rules, { body: rule('after') })).status).toBe(200);
  });

  it('says that a change may have been made when the line is cut behind it, and makes it once', async () => {
    place = await makePlace('postgres');
    door = await makeDoor(place.environment.DATABASE_URL ?? '');
    gatehouse = await startGatehouse('postgres', { ...place.environment, DATABASE_URL: door.url });
    door.cutCommitOf('perhaps');
    const answer = await gatehouse.asApp(rules, { body: rule('perhaps') });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'ERR_OPERATION_FAILED']);
    expect(answer.body.error.message).toMatch(/It may have: look, or repeat it with the same Idempotency-Key/);
    expect(answer.headers.get('retry-after')).toBeNull();
    expect((await gatehouse.asApp(`${rules}/perhaps`)).status).toBe(200);
    const audited = await gatehouse.app.store.all("SELECT target FROM audit WHERE action = 'createRule'");
    expect(audited).toHaveLength(1);
  });

  it('is not ready while the database is read-only, as after a failover to a standby, and is when it no longer is', async () => {
    place = await makePlace('postgres');
    const url = place.environment.DATABASE_URL ?? '';
    const database = new URL(url).pathname.slice(1);
    const operator = new pg.Client({ connectionString: url });
    await operator.connect();
    gatehouse = await startGatehouse('postgres', { ...place.environment, GATEHOUSE_POOL_SIZE: '2' });
    const renew = () =>
      operator.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gatehouse'",
      );
    await operator.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    await renew();
    await until(async () => (await gatehouse.ask('/readyz')).status === 503, 5000);
    expectUnavailable(await gatehouse.asApp(rules, { body: rule('during') }));
    // Nobody ends the connections that are read-only.
    await operator.query('SET default_transaction_read_only = off');
    await operator.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
    await until(async () => (await gatehouse.ask('/readyz')).status === 200, 5000);
    await until(async () => (await gatehouse.asApp(rules, { body: rule('after') })).status === 200, 5000);
    await operator.end();
  });

  it('leaves nothing half written when the line is cut again and again in the middle of changes', async () => {
    place = await makePlace('postgres');
    door = await makeDoor(place.environment.DATABASE_URL ?? '');
    gatehouse = await startGatehouse('postgres', {
      ...place.environment,
      DATABASE_URL: door.url,
      GATEHOUSE_OWN_RULES_MAX: '5000',
    });
    const acknowledged: string[] = [];
    let stop = false;
    const callers = Array.from({ length: 6 }, async (_, caller) => {
      for (let i = 0; !stop; i++) {
        const id = `rule-${caller}-${i}`;
        const { status } = await gatehouse.asApp(rules, { body: rule(id) });
        expect([200, 503]).toContain(status);
        if (status === 200) acknowledged.push(id);
      }
    });
    for (let round = 0; round < 5; round++) {
      const enough = acknowledged.length + 5;
      await until(() => acknowledged.length >= enough, 20_000);
      await door.shut();
      await door.open();
    }
    stop = true;
    await Promise.all(callers);
    await until(async () => (await gatehouse.ask('/readyz')).status === 200, 5000);
    const { store } = gatehouse.app;
    const stored = (await store.all<{ id: string }>('SELECT id FROM rules')).map(({ id }) => id);
    expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
    const audited = await store.all<{ target: string }>("SELECT target FROM audit WHERE action = 'createRule'");
    expect(audited.map(({ target }) => target).sort()).toEqual([...stored].sort());
    const revisions = await store.all<{ rule_id: string }>('SELECT rule_id FROM rule_revisions');
    expect(revisions.map(({ rule_id }) => rule_id).sort()).toEqual([...stored].sort());
  });
});
