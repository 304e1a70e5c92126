import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importTokens } from '../../src/push/import.ts';
import { stores } from '../gatehouse.ts';
import { base, hashOf, newDeviceToken, startVendors, until, type Vendors } from './vendors.ts';

const devices = 10_000;

describe.each(stores)('a broadcast on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store, { simulator: { keepLatest: devices } });
    await house.addApns();
    const rows = Array.from({ length: devices }, (_, i) => {
      const stored = newDeviceToken();
      const device = { kind: 'apns' as const, platform: 'apns_ios_device', providerId: 'apns-main' };
      return { hash: hashOf(stored), stored, uid: `u${i}`, ...device };
    });
    for (let start = 0; start < rows.length; start += 1000)
      await house.app.store.change(importTokens, {
        appId: house.appId,
        actor: 'test',
        rows: rows.slice(start, start + 1000),
      });
  });
  afterAll(() => house.close());

  it('goes out in segments, lets a single push pass, and is called back as far as it has not left', async () => {
    const { apns } = house.simulator;
    apns.setFaults({ latencyMs: 1000, streams: 10 });
    const id = await house.send({ to: { all: true }, title: 'to all' });
    await until(() => apns.records.counts().accepted > 0);
    const segments = await house.app.store.get<{ most: number; n: number }>(
      'SELECT MAX(size) AS most, COUNT(*) AS n FROM outbox WHERE group_key = $1',
      [id],
    );
    expect(segments?.most).toBe(1000);
    const before = apns.records.counts().accepted;
    const single = await house.finished(await house.send({ to: { uids: ['u7'] }, title: 'to one' }));
    expect(single.counts.sent).toBe(1);
    // Some hundred of the broadcast wait for a free stream: it goes before them.
    const passed = apns.records.latest().findIndex(({ body }) => body.includes('to one'));
    expect(passed - before).toBeLessThan(300);
    expect((await house.notification(id)).counts.queued).toBeGreaterThan(0);
    const answer = await house.asApp(`${base}/notifications/${id}`, { method: 'DELETE' });
    expect(answer.body.data).toMatchObject({ state: 'cancelled' });
    expect(answer.body.data.counts.cancelled).toBeGreaterThan(0);
    apns.setFaults({ latencyMs: 0 });
    await until(async () => (await house.notification(id)).counts.queued === 0);
    const { sent, cancelled, failed } = (await house.notification(id)).counts;
    expect([sent + cancelled, failed]).toEqual([devices, 0]);
    expect(apns.records.counts()).toMatchObject({ accepted: sent + 1, duplicated: 0 });
  });
});
