import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stores } from '../gatehouse.ts';
import { base, startVendors, type Vendors } from './vendors.ts';

describe.each(stores)('sendNotification on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    await house.addFcm();
  });
  afterAll(() => house.close());
  const send = (body: Record<string, unknown>, headers?: Record<string, string>) =>
    house.asApp(`${base}/notifications`, { body, ...(headers && { headers }) });

  it('answers 202 with an id, and every device of the user gets it', async () => {
    const iphone = await house.newIphone('ada');
    const android = await house.newAndroid('ada');
    const answer = await send({ to: { uids: ['ada'] }, title: 'Hello', body: 'Ada', data: { room: '7' } });
    expect(answer.status).toBe(202);
    const done = await house.finished(answer.body.data.id);
    expect(done.counts).toMatchObject({ queued: 0, sent: 2, failed: 0, skipped: 0 });
    const apple = house.simulator.apns.records.latest().find(({ target }) => target === iphone.token);
    expect(JSON.parse(apple?.body ?? '{}')).toMatchObject({ aps: { alert: { title: 'Hello', body: 'Ada' } }, room: '7' });
    const google = house.simulator.fcm.records.latest().find(({ target }) => target === android.token);
    expect(JSON.parse(google?.body ?? '{}').message.data).toMatchObject({ title: 'Hello', body: 'Ada', room: '7' });
  });
});
