import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stores } from '../gatehouse.ts';
import { type Clocked, startClocked } from './clocked.ts';
import { until } from './vendors.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const push = '/notifications/push/v1';

describe.each(stores)('push and the clock on %s', (store) => {
  let house: Clocked;
  beforeAll(async () => {
    house = await startClocked(store, { GATEHOUSE_PUSH_LOG_DAYS: '7' });
  });
  afterAll(() => house.close());
  const logs = async (query: string) => (await house.ask(`/notifications/v1/logs?${query}`)).data;
  const health = async (kind: string) =>
    (await house.ask(`${push}/providers/health`)).data.find(
      (one: { kind: string; providerId: string }) => one.kind === kind && one.providerId.endsWith('-main'),
    );
  const metric = async (name: string) =>
    Number(
      (await house.metrics())
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1) ?? Number.NaN,
    );

  it('a push that waits longer than its TTL is not sent any more, and the log and the metrics say so', async () => {
    const token = await house.newDevice('late', 'apns_ios_device');
    house.simulator.apns.setFaults({ unavailableShare: 1 });
    const id = await house.send({ to: { uids: ['late'] }, title: 'x', ttlSeconds: 60 });
    await until(() => house.sentTo(token) > 0);
    await house.shift(2 * minute);
    const done = await house.finished(id);
    const tries = house.sentTo(token);
    expect(done).toMatchObject({ counts: { sent: 0, failed: 1, queued: 0 }, failedByReason: { Expired: 1 } });
    const [last] = await logs('receiver=late');
    expect(last).toMatchObject({ outcome: 'failed', reason: 'Expired', success: false, member: 'late' });
    expect(await metric('gatehouse_pushes_total{provider="apns",outcome="failed",reason="Expired"}')).toBe(1);
    expect(await metric('gatehouse_pushes_total{provider="apns",outcome="retry"')).toBeGreaterThanOrEqual(1);
    house.simulator.apns.setFaults({ unavailableShare: 0 });
    await house.finished(await house.send({ to: { uids: ['late'] }, title: 'next' }));
    expect(house.sentTo(token)).toBe(tries + 1);
  });

  it('a push that a vendor makes wait beyond its TTL is over at the end of it', async () => {
    const token = await house.newDevice('beyond', 'apns_ios_device');
    house.simulator.apns.setFaults({ tooManyShare: 1, retryAfterSeconds: 3600 });
    const id = await house.send({ to: { uids: ['beyond'] }, title: 'x', ttlSeconds: 60 });
    await until(() => house.sentTo(token) > 0);
    house.simulator.apns.setFaults({ tooManyShare: 0 });
    await house.shift(2 * minute);
    expect(await house.finished(id)).toMatchObject({ counts: { failed: 1 }, failedByReason: { Expired: 1 } });
    expect(house.sentTo(token)).toBe(1);
  });

  it('a push that is sent again has no more time to live than it had at first', async () => {
    const iphone = await house.newDevice('short', 'apns_ios_device');
    const android = await house.newDevice('short', 'fcm_android');
    const triesTo = (token: string) =>
      [house.simulator.apns, house.simulator.fcm].flatMap(({ records }) =>
        records.latest().filter(({ target }) => target === token),
      );
    house.simulator.apns.setFaults({ unavailableShare: 1 });
    house.simulator.fcm.setFaults({ unavailableShare: 1 });
    const sentAt = house.now();
    const id = await house.send({ to: { uids: ['short'] }, title: 'x', ttlSeconds: 3600 });
    await until(() => triesTo(iphone).length > 0 && triesTo(android).length > 0);
    house.simulator.apns.setFaults({ unavailableShare: 0 });
    house.simulator.fcm.setFaults({ unavailableShare: 0 });
    await house.shift(30 * minute);
    expect((await house.finished(id)).counts.sent).toBe(2);
    const [apple, google] = [triesTo(iphone).at(-1), triesTo(android).at(-1)];
    expect(Number(apple?.headers['apns-expiration']) * 1000).toBeLessThan(sentAt + hour + minute);
    expect(Number.parseInt(JSON.parse(google?.body ?? '').message.android.ttl, 10)).toBeLessThanOrEqual(1800);
  });

  it('a vendor that is down for an hour delays nobody else and loses nothing', async () => {
    const uids = ['down-1', 'down-2', 'down-3'];
    const tokens = await Promise.all(uids.map((uid) => house.newDevice(uid, 'apns_ios_device')));
    house.simulator.apns.setFaults({ unavailableShare: 1 });
    const id = await house.send({ to: { uids }, title: 'x' });
    await until(() => tokens.every((token) => house.sentTo(token) > 0));
    for (let passed = 0; passed < hour; passed += 10 * minute) {
      await house.shift(10 * minute);
      const android = `android-${passed}`;
      const token = await house.newDevice(android, 'fcm_android');
      expect((await house.finished(await house.send({ to: { uids: [android] }, title: 'x' }))).counts.sent).toBe(1);
      expect(house.sentTo(token)).toBe(1);
      expect(await health('apns')).toMatchObject({ isPaused: false, lastStatus: 503, waiting: 3 });
      expect((await health('fcm')).waiting).toBe(0);
      expect((await house.notification(id)).counts).toMatchObject({ queued: 3, sent: 0, failed: 0 });
    }
    expect(house.queue()).toMatchObject([{ kind: 'push', waiting: 3, paused: '' }]);
    house.simulator.apns.setFaults({ unavailableShare: 0 });
    // The longest wait between two tries.
    await house.shift(15 * minute);
    expect((await house.finished(id)).counts).toMatchObject({ queued: 0, sent: 3, failed: 0 });
    expect(await health('apns')).toMatchObject({ isPaused: false, waiting: 0 });
  });

  it('what a killed process had in hand is taken over when its lease of 20 seconds is over, and not before', async () => {
    const uids = ['taken-1', 'taken-2', 'taken-3'];
    const tokens = await Promise.all(uids.map((uid) => house.newDevice(uid, 'apns_ios_device')));
    await house.newDevice('other', 'fcm_android');
    house.simulator.apns.setFaults({ blackHoleShare: 1 });
    const ids = await Promise.all(uids.map((uid) => house.send({ to: { uids: [uid] }, title: 'x' })));
    await until(async () => (await metric('gatehouse_outbox_jobs_in_hand{kind="push"}')) === 3);
    expect(await metric('gatehouse_outbox_lanes_paused{kind="push"}')).toBe(0);
    await house.service.kill();
    house.simulator.apns.setFaults({ blackHoleShare: 0 });
    house.simulator.apns.records.clear();
    await house.start();
    await house.finished(await house.send({ to: { uids: ['other'] }, title: 'x' }));
    expect(house.queue()).toMatchObject([{ kind: 'push', waiting: 3, inHand: 3 }]);
    expect(tokens.map((token) => house.sentTo(token))).toEqual([0, 0, 0]);
    await house.shift(20_000);
    for (const id of ids) expect((await house.finished(id)).counts.sent).toBe(1);
    expect(tokens.map((token) => house.sentTo(token))).toEqual([1, 1, 1]);
  });

  it("a push for a local hour leaves at that hour on each user's own clock", async () => {
    const zones = { tokyo: 'Asia/Tokyo', berlin: 'Europe/Berlin', lima: 'America/Lima' };
    const tokens = new Map<string, string>();
    for (const [uid, timezone] of Object.entries(zones))
      tokens.set(uid, await house.newDevice(uid, 'apns_ios_device', timezone));
    const arrived = () => [...tokens].filter(([, token]) => house.sentTo(token) > 0).map(([uid]) => uid);
    // Half past the hour, so that no zone's nine o'clock is now; from now on each comes once.
    await house.shift(hour - (house.now() % hour) + 30 * minute);
    const clockIn = (timeZone: string) =>
      Number(new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(house.now()));
    const wait = (timezone: string) => (((9 - clockIn(timezone) + 23) % 24) + 0.5) * hour;
    const to = { uids: Object.keys(zones) };
    const id = await house.send({ to, title: 'x', localTime: '09:00', ttlSeconds: 2 * 3600 });
    await until(async () => (await house.notification(id)).counts.queued === 3);
    const order = Object.entries(zones).sort(([, a], [, b]) => wait(a) - wait(b));
    const waits = order.map(([, timezone]) => wait(timezone));
    let passed = 0;
    for (const [i, [uid]] of order.entries()) {
      const due = waits[i] ?? 0;
      await house.shift(due - passed - minute);
      passed = due - minute;
      expect(arrived().sort()).toEqual(
        order
          .slice(0, i)
          .map(([name]) => name)
          .sort(),
      );
      await house.shift(2 * minute);
      passed += 2 * minute;
      await until(() => arrived().includes(uid));
    }
    expect((await house.finished(id)).counts).toMatchObject({ sent: 3, queued: 0 });
    for (const token of tokens.values()) expect(house.sentTo(token)).toBe(1);
    // Its time to live begins with that hour, a minute before it left.
    const all = house.simulator.apns.records.latest();
    for (const token of tokens.values()) {
      const expiry = Number(all.find(({ target }) => target === token)?.headers['apns-expiration']);
      expect(expiry % 3600).toBeLessThan(45);
    }
  });

  it('a push that waits for a local hour follows its users, and is nobody else’s', async () => {
    await house.shift(hour - (house.now() % hour) + 30 * minute);
    const zones = { mover: 'UTC', traveller: 'UTC', leaver: 'UTC', early: 'Etc/GMT-2' };
    const tokens = new Map<string, string>();
    for (const [uid, timezone] of Object.entries(zones))
      tokens.set(uid, await house.newDevice(uid, 'apns_ios_device', timezone));
    // In two and a half hours in UTC, and two hours before that for those in the east.
    const localTime = `${new Date(house.now() + 3 * hour).toISOString().slice(11, 13)}:00`;
    const id = await house.send({ to: { uids: [...tokens.keys()] }, title: 'x', localTime });
    await until(async () => (await house.notification(id)).counts.queued === 4);
    await house.shift(hour);
    await until(async () => (await house.notification(id)).counts.sent === 1);
    const { authToken } = (await house.ask('/users/heir/auth_tokens', {})).data;
    const deviceToken = tokens.get('mover');
    await house.ask(`${push}/tokens`, { platform: 'apns_ios_device', deviceToken, authToken });
    await house.ask(`${push}/tokens/${tokens.get('leaver')}`, undefined, 'DELETE');
    // Whose hour has passed where they are now gets it late, and not never.
    await house.ask('/notifications/v1/preferences/timezone?uid=traveller', { timezone: 'Etc/GMT-2' }, 'PATCH');
    await house.shift(2 * hour);
    const done = await house.finished(id);
    expect(done.counts).toMatchObject({ queued: 0, sent: 2, failed: 0, skipped: 2 });
    expect(done.skippedByReason).toEqual({ TOKEN_GONE: 1, TOKEN_MOVED: 1 });
    expect([...tokens.values()].map((token) => house.sentTo(token))).toEqual([0, 1, 0, 1]);
  });

  it('what was in hand and what waits survives a clock that jumps ahead', async () => {
    const tokens = await Promise.all(['on-1', 'on-2'].map((uid) => house.newDevice(uid, 'apns_ios_device')));
    house.simulator.apns.setFaults({ latencyMs: 800 });
    const running = await house.send({ to: { uids: ['on-1'] }, title: 'x' });
    const waiting = await house.send({ to: { uids: ['on-2'] }, title: 'x', sendAt: house.now() + 30 * minute });
    await house.shift(hour);
    expect((await house.finished(running)).counts.sent).toBe(1);
    expect((await house.finished(waiting)).counts.sent).toBe(1);
    house.simulator.apns.setFaults({ latencyMs: 0 });
    // In hand already: its own process does not take it a second time.
    const taken = house.simulator.apns.records.latest().filter(({ status }) => status === 200);
    expect(tokens.map((token) => taken.filter(({ target }) => target === token).length)).toEqual([1, 1]);
  });

  it('nothing waits for the old time when the clock is put back, but what somebody scheduled', async () => {
    house.takeVendorsAlong(false);
    const [retried, held, scheduled] = ['retried', 'held', 'scheduled'];
    for (const uid of [retried, held, scheduled]) await house.newDevice(uid, 'apns_ios_device');
    const later = await house.send({ to: { uids: [scheduled] }, title: 'x', sendAt: house.now() + 10 * minute });
    house.simulator.apns.setFaults({ unavailableShare: 1 });
    const again = await house.send({ to: { uids: [retried] }, title: 'x' });
    await until(async () => (await logs('receiver=retried')).length > 1);
    house.simulator.apns.setFaults({ unavailableShare: 0, latencyMs: 300 });
    const inHand = await house.send({ to: { uids: [held] }, title: 'x' });
    await house.shift(-6 * hour);
    for (const id of [again, inHand]) expect((await house.finished(id)).counts).toMatchObject({ sent: 1, failed: 0 });
    expect((await house.finished(await house.send({ to: { uids: [held] }, title: 'x' }))).counts.sent).toBe(1);
    expect((await house.notification(later)).state).toBe('scheduled');
    await house.shift(6 * hour + 11 * minute);
    expect((await house.finished(later)).counts.sent).toBe(1);
    house.simulator.apns.setFaults({ latencyMs: 0 });
    house.takeVendorsAlong(true);
  });

  it('logs and finished notifications are kept for the days of the setting', async () => {
    await house.newDevice('kept', 'fcm_android');
    const send = async () => {
      const id = await house.send({ to: { uids: ['kept'] }, title: 'x' });
      await house.finished(id);
      return id;
    };
    const old = await send();
    await house.shift(6 * day);
    const young = await send();
    await house.service.stop();
    await house.shift(day + minute);
    await house.start();
    await until(async () => (await house.notification(old)) === undefined);
    expect((await logs('receiver=kept')).map((log: { notificationId: string }) => log.notificationId)).toEqual([young]);
    expect((await house.notification(young)).counts.sent).toBe(1);
  });

  it("an alarm says that the clock is not the database's, which other processes go by", async () => {
    const alarm = async () => metric('gatehouse_alarms_total{what="the clock is not the database\'s"}');
    await house.shift(minute);
    if (store === 'postgres') await until(async () => (await alarm()) > 0);
    else expect(await alarm()).toBeNaN();
  });
});
