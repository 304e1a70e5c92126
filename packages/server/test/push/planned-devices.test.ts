/** What becomes of pushes that wait while the devices they were planned for change hands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retry } from '../../src/outbox/settle.ts';
import { stores } from '../gatehouse.ts';
import { base, newDeviceToken, startVendors, until, type Vendors } from './vendors.ts';

describe.each(stores)('devices that change while a push waits, on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    await house.addApns({ providerId: 'apns-other' });
  });
  afterAll(() => house.close());
  const replaceKey = async (change: Record<string, unknown>) => {
    const { keyId, teamId, bundleId } = house.simulator.apns;
    const body = { providerId: 'apns-main', keyId, teamId, bundleId, ...change };
    expect((await house.asApp(`${base}/providers/apns`, { method: 'PUT', body })).status).toBe(200);
  };
  const isPaused = async () =>
    (await house.asApp(`${base}/providers/health`)).body.data.some((one: { isPaused: boolean }) => one.isPaused);
  /** Sends while the provider cannot, lets things change, and goes on. */
  const whileHeld = async (send: () => Promise<string>, change: () => Promise<void>) => {
    await replaceKey({ teamId: 'WRONGTEAM1' });
    const id = await send();
    await until(isPaused);
    await change();
    await replaceKey({});
    return house.finished(id);
  };
  const register = async (authToken: string, deviceToken: string, providerId = 'apns-main') => {
    const body = { platform: 'apns_ios_device', deviceToken, authToken, providerId };
    expect((await house.asApp(`${base}/tokens`, { body })).status).toBe(200);
  };
  const arrived = (token: string) =>
    house.simulator.apns.records.latest().filter(({ target, status }) => target === token && status === 200);
  const lastLog = async (id: string) =>
    (await house.asApp('/v3/notifications/v1/logs?limit=100')).body.data.filter(
      (log: { notificationId: string; outcome: string }) => log.notificationId === id && log.outcome !== 'held',
    );
  const toUser = (uid: string) => () => house.send({ to: { uids: [uid] }, title: `for ${uid}` });
  const nothing = { queued: 0, sent: 0, failed: 0, skipped: 0, cancelled: 0 };

  it('what was meant for one user never reaches the next one on the same device', async () => {
    const { token } = await house.newIphone('alice');
    const bob = await house.newUser('bob');
    const done = await whileHeld(toUser('alice'), () => register(bob, token));
    expect(done.counts).toMatchObject({ ...nothing, skipped: 1 });
    expect(done.skippedByReason).toEqual({ TOKEN_MOVED: 1 });
    expect(arrived(token)).toEqual([]);
    expect(await lastLog(done.id)).toMatchObject([
      { member: 'alice', outcome: 'skipped', reason: 'TOKEN_MOVED', notificationTriggered: false },
    ]);
  });

  it('nor by an auth token, nor as a message that rings', async () => {
    const byAuthToken = await house.newIphone('carol');
    const byMessage = await house.newIphone('dave');
    const next = [await house.newUser('erin'), await house.newUser('frank')] as const;
    let message = '';
    const done = await whileHeld(
      async () => {
        const body = { sender: 'x', receiver: 'dave', receiverType: 'user', data: { text: 'only for dave' } };
        message = (await house.asApp('/v3/messages', { body })).body.data.notification.id;
        return house.send({ to: { authTokens: [byAuthToken.authToken] }, title: 'only for carol' });
      },
      async () => {
        await register(next[0], byAuthToken.token);
        await register(next[1], byMessage.token);
      },
    );
    expect(done.skippedByReason).toEqual({ TOKEN_MOVED: 1 });
    expect((await house.finished(message)).skippedByReason).toEqual({ TOKEN_MOVED: 1 });
    expect([arrived(byAuthToken.token), arrived(byMessage.token)]).toEqual([[], []]);
  });

  it('a device stays the same user’s after another sign-in', async () => {
    const { token } = await house.newIphone('grace');
    const again = await house.newUser('grace');
    const done = await whileHeld(toUser('grace'), () => register(again, token));
    expect(done.counts).toMatchObject({ ...nothing, sent: 1 });
    expect(arrived(token)).toHaveLength(1);
  });

  it.each([
    ['to a token', async (token: string) => ({ pushTokens: [token] })],
    ['to everybody', async () => ({ all: true })],
  ])('a push %s goes to whoever holds it', async (_, audience) => {
    const { token } = await house.newIphone('heidi');
    const ivan = await house.newUser('ivan');
    const to = await audience(token);
    await whileHeld(
      () => house.send({ to, title: 'for whom it may concern' }),
      () => register(ivan, token),
    );
    expect(arrived(token)).toHaveLength(1);
  });

  it('a phone that got a new token meanwhile gets the push by that one', async () => {
    const { authToken, token } = await house.newIphone('judy');
    const fresh = newDeviceToken();
    const done = await whileHeld(toUser('judy'), () => register(authToken, fresh));
    expect(done.counts).toMatchObject({ ...nothing, sent: 1 });
    expect([arrived(token), arrived(fresh)].map(({ length }) => length)).toEqual([0, 1]);
    expect(await lastLog(done.id)).toMatchObject([{ member: 'judy', outcome: 'sent', pushToken: fresh }]);
  });

  it('a device that another provider reaches meanwhile gets the push by that one', async () => {
    const { authToken, token } = await house.newIphone('ken');
    const fresh = await house.newIphone('ken');
    const done = await whileHeld(toUser('ken'), async () => {
      await register(authToken, token, 'apns-other');
      await register(fresh.authToken, newDeviceToken(), 'apns-other');
    });
    expect(done.counts).toMatchObject({ ...nothing, sent: 2 });
    expect(arrived(token)).toHaveLength(1);
    expect((await lastLog(done.id)).map((log: { providerId: string }) => log.providerId)).toEqual([
      'apns-other',
      'apns-other',
    ]);
  });

  it('a deleted token is skipped, counted and logged, and the user’s other phone is served', async () => {
    const { token } = await house.newIphone('leo');
    const other = await house.newIphone('leo');
    const done = await whileHeld(toUser('leo'), async () => {
      await house.asApp(`${base}/tokens/${token}`, { method: 'DELETE' });
    });
    expect(done.counts).toMatchObject({ ...nothing, sent: 1, skipped: 1 });
    expect(done.skippedByReason).toEqual({ TOKEN_GONE: 1 });
    expect(arrived(other.token)).toHaveLength(1);
    expect(await lastLog(done.id)).toContainEqual(
      expect.objectContaining({ member: 'leo', outcome: 'skipped', reason: 'TOKEN_GONE' }),
    );
  });

  it('a broadcast counts those who are gone by the time it leaves', async () => {
    const { token } = await house.newIphone('mia');
    const devices = (
      await house.asApp(`${base}/notifications`, { body: { to: { all: true }, title: 'x', dryRun: true } })
    ).body.data.devices;
    const done = await whileHeld(
      () => house.send({ to: { all: true }, title: 'x' }),
      async () => {
        await house.asApp(`${base}/tokens/${token}`, { method: 'DELETE' });
      },
    );
    const { sent, failed, skipped } = done.counts;
    expect(sent + failed + skipped).toBe(devices);
    expect(done.skippedByReason).toEqual({ TOKEN_GONE: 1 });
  });

  it('a push that was queued before devices had owners still leaves', async () => {
    const { token } = await house.newIphone('nina');
    const done = await whileHeld(toUser('nina'), async () => {
      type Row = { id: string; payload: string; leased_by: string };
      const rows = () =>
        house.app.store.all<Row>("SELECT id, payload, leased_by FROM outbox WHERE kind = 'push' AND size = 1", []);
      await until(async () => (await rows()).every(({ leased_by }) => leased_by === ''));
      for (const row of await rows()) {
        const { owners, ...old } = JSON.parse(row.payload);
        expect(owners).toHaveLength(1);
        const job = { id: row.id, worker: '', payload: '', size: 1, attempts: 0, kind: 'push', lane: '' };
        const whole = { ...job, appId: house.appId, group: '', priority: 0, expiresAt: 0, createdAt: 0 } as const;
        await house.app.store.change(retry, { job: whole, at: Date.now(), error: '', payload: JSON.stringify(old) });
      }
    });
    expect(done.counts).toMatchObject({ ...nothing, sent: 1 });
    expect(arrived(token)).toHaveLength(1);
  });
});
