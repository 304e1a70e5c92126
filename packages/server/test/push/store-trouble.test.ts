/** What pushes do while PostgreSQL answers, but not to everything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importTokens } from '../../src/push/import.ts';
import type { Tx } from '../../src/store/store.ts';
import { stores } from '../gatehouse.ts';
import { sleep } from './faults.ts';
import { hashOf, newDeviceToken, startVendors, until, type Vendors } from './vendors.ts';

describe.runIf(stores.includes('postgres'))('trouble in PostgreSQL', () => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors('postgres');
    await house.addApns();
  });
  afterAll(() => house.close());
  const run = (sql: string) => house.app.store.all(sql);

  it('a push whose result cannot be written is sent once all the same, and written when it can be', async () => {
    const { token } = await house.newIphone('full');
    await run('CREATE SEQUENCE refused');
    await run(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM nextval('refused'); RAISE 'No space left on device' USING ERRCODE = '53100'; END $$`);
    await run('CREATE TRIGGER refuse BEFORE INSERT ON push_logs EXECUTE FUNCTION refuse()');
    const id = await house.send({ to: { uids: ['full'] }, title: 'once' });
    await until(async () => Number((await run('SELECT last_value AS n FROM refused'))[0]?.n) >= 4);
    await run('DROP TRIGGER refuse ON push_logs');
    expect((await house.finished(id)).counts).toMatchObject({ sent: 1, queued: 0 });
    expect(house.simulator.apns.records.latest().filter(({ target }) => target === token)).toHaveLength(1);
  });

  it('a locked queue takes no more connections than there are loops that look into it', async () => {
    let release = (): void => {};
    const held = house.app.store.change(async (tx: Tx) => {
      await tx.run('LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    }, undefined);
    const waiting = async () =>
      Number((await run("SELECT COUNT(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))[0]?.n);
    await until(async () => (await waiting()) > 0);
    // Several looks are due meanwhile.
    await sleep(3000);
    const stuck = await waiting();
    release();
    await held;
    expect(stuck).toBeLessThanOrEqual(2);
  });

  it('a table that an import has made large is measured with it', async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => {
      const stored = newDeviceToken();
      const device = { kind: 'apns' as const, platform: 'apns_ios_device', providerId: 'apns-main' };
      return { hash: hashOf(stored), stored, uid: `many-${i}`, ...device };
    });
    await house.app.store.change(importTokens, { appId: house.appId, actor: 'test', rows });
    const [known] = await run("SELECT reltuples AS n FROM pg_class WHERE relname = 'push_tokens'");
    expect(Number(known?.n)).toBeGreaterThan(1000);
  });
});
