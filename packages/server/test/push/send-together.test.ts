/** Calls that come at the same time are taken in together; each is answered as if it had come alone. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/store/sqlite-binding.ts';
import { stores } from '../gatehouse.ts';
import { makePlace, type Place } from '../store/place.ts';
import { makeDoor } from '../store/proxy.ts';
import { base, startVendors, until, type Vendors } from './vendors.ts';

const callers = 64;

describe.each(stores)('calls at the same time on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    await house.addFcm();
  });
  afterAll(() => house.close());
  const send = (uid: string, title: string, key?: string) =>
    house.asApp(`${base}/notifications`, {
      body: { to: { uids: [uid] }, title },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
  const count = async (sql: string, ...params: string[]): Promise<unknown> =>
    (await house.app.store.get(`SELECT COUNT(*) AS n FROM ${sql}`, params))?.n;
  const pushesTo = (token: string) => house.simulator.apns.records.latest().filter(({ target }) => target === token);

  it('counts every push of every call, and leaves one log row a segment and one audit row a call', async () => {
    const phones = await Promise.all(Array.from({ length: 8 }, (_, i) => house.newIphone(`busy-${i}`)));
    await Promise.all(Array.from({ length: 8 }, (_, i) => house.newAndroid(`busy-${i}`)));
    const rounds = 4;
    const ids: string[] = [];
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let round = 0; round < rounds; round++) {
          const answer = await send(caller === 0 ? 'nobody' : `busy-${caller % 8}`, `${caller} ${round}`);
          expect(answer.status).toBe(202);
          ids.push(answer.body.data.id);
        }
      }),
    );
    expect(new Set(ids).size).toBe(callers * rounds);
    const ended = await Promise.all(ids.map((id) => house.finished(id)));
    const counts = ended.map(({ counts: { queued, sent, failed, skipped } }) => [queued, sent, failed, skipped].join());
    expect(counts.filter((one) => one === '0,2,0,0')).toHaveLength((callers - 1) * rounds);
    expect(counts.filter((one) => one === '0,0,0,1')).toHaveLength(rounds);
    const [first] = phones;
    expect(pushesTo(first?.token ?? '')).toHaveLength((callers / 8 - 1) * rounds);
    const target = [...house.simulator.apns.records.latest(), ...house.simulator.fcm.records.latest()];
    expect(target).toHaveLength((callers - 1) * rounds * 2);
    // And one for each call that reached no device.
    expect(await count('push_logs')).toBe((callers - 1) * rounds * 2 + rounds);
    expect(await count("audit WHERE action = 'sendNotification'")).toBe(callers * rounds);
    await until(async () => (await count('outbox')) === 0);
  });

  it('makes one notification of one key, however many ask with it at once, and answers all with its id', async () => {
    const { token } = await house.newIphone('once');
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => send('once', 'same', 'same-key')),
      ...Array.from({ length: 20 }, (_, i) => send('once', 'other', `other-key-${i}`)),
    ]);
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    const ids = answers.map(({ body }) => body.data.id);
    expect(new Set(ids.slice(0, 20)).size).toBe(1);
    expect(new Set(ids).size).toBe(21);
    for (const id of new Set(ids)) expect((await house.finished(id)).counts.sent).toBe(1);
    expect(pushesTo(token)).toHaveLength(21);
  });

  it('refuses a key that is used for another body, and takes in every call beside it', async () => {
    const { token } = await house.newIphone('beside');
    const before = pushesTo(token).length;
    const first = await send('beside', 'first', 'used-key');
    await house.finished(first.body.data.id);
    const answers = await Promise.all(
      Array.from({ length: callers }, (_, i) =>
        i % 10 === 5 ? send('beside', `another ${i}`, 'used-key') : send('beside', `good ${i}`),
      ),
    );
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.map(({ body }) => body.error.code)).toEqual(Array(6).fill('ERR_IDEMPOTENCY_KEY_REUSED'));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(callers - 6);
    for (const { body } of accepted) expect((await house.finished(body.data.id)).counts.sent).toBe(1);
    expect(pushesTo(token).length - before).toBe(1 + callers - 6);
  });

  it('tells each finished notification to who listens, once, with its own counts', async () => {
    await house.newIphone('heard');
    const added = await house.asManager('/webhooks', {
      body: { url: 'http://127.0.0.1:9/hook', triggers: ['notification_finished'] },
    });
    expect(added.status, added.text).toBeLessThan(300);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => send(i % 4 === 0 ? 'nobody' : 'heard', `heard ${i}`)),
    );
    const ids: string[] = answers.map(({ body }) => body.data.id);
    for (const id of ids) await house.finished(id);
    const events = await house.app.store.all<{ data: string }>(
      "SELECT data FROM webhook_events WHERE app_id = $1 AND name = 'notification_finished'",
      [house.appId],
    );
    const told = new Map(events.map(({ data }) => JSON.parse(data)).map((one) => [one.notificationId, one.counts]));
    expect(events).toHaveLength(40);
    expect(ids.map((id) => told.get(id)?.sent)).toEqual(ids.map((_, i) => (i % 4 === 0 ? 0 : 1)));
    expect(ids.map((id) => told.get(id)?.skipped)).toEqual(ids.map((_, i) => (i % 4 === 0 ? 1 : 0)));
  });
});

describe('calls at the same time while the store does not answer', () => {
  let place: Place;
  let house: Vendors;
  afterEach(async () => {
    await house.close();
    await place.remove();
  });

  const sendAll = () =>
    Promise.all(
      Array.from({ length: callers }, (_, i) =>
        house.asApp(`${base}/notifications`, { body: { to: { uids: ['ada'] }, title: `${i}` } }),
      ),
    );
  async function expectOnlyOne(): Promise<void> {
    const after = await sendAll();
    expect(after.map(({ status }) => status)).toEqual(Array(callers).fill(202));
    for (const { body } of after) expect((await house.finished(body.data.id)).counts.sent).toBe(1);
    expect((await house.app.store.get('SELECT COUNT(*) AS n FROM notifications'))?.n).toBe(callers);
  }

  it.runIf(stores.includes('sqlite'))('answers every caller 503 on sqlite, and takes nothing in', async () => {
    place = await makePlace('sqlite', { GATEHOUSE_BUSY_TIMEOUT_MS: '100' });
    house = await startVendors('sqlite', { environment: place.environment });
    await house.addApns();
    await house.newIphone('ada');
    const { DatabaseSync } = await loadSqlite();
    const holder = new DatabaseSync(join(place.config.settings.dataDir, 'gatehouse.db'));
    holder.exec('BEGIN IMMEDIATE');
    expect((await sendAll()).map(({ status }) => status)).toEqual(Array(callers).fill(503));
    holder.exec('ROLLBACK');
    holder.close();
    await expectOnlyOne();
  });

  it.runIf(stores.includes('postgres'))('answers every caller 503 on postgres, and takes nothing in', async () => {
    place = await makePlace('postgres');
    const door = await makeDoor(place.environment.DATABASE_URL ?? '');
    house = await startVendors('postgres', { environment: { ...place.environment, DATABASE_URL: door.url } });
    await house.addApns();
    await house.newIphone('ada');
    await door.shut();
    expect((await sendAll()).map(({ status }) => status)).toEqual(Array(callers).fill(503));
    await door.open();
    await until(async () => (await house.ask('/readyz')).status === 200);
    await expectOnlyOne();
  });
});
