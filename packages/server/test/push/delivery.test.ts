import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importTokens } from '../../src/push/import.ts';
import { stores } from '../gatehouse.ts';
import { base, hashOf, newDeviceToken, startVendors, until, type Vendors } from './vendors.ts';

describe.each(stores)('delivery on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    await house.addFcm();
  });
  afterAll(() => house.close());
  const health = async (kind: string) =>
    (await house.asApp(`${base}/providers/health`)).body.data.find((one: { kind: string }) => one.kind === kind);
  const tokensOf = async (uid: string) => (await house.asApp(`${base}/tokens?uid=${uid}`)).body.data.pushTokens;
  const logsOf = async (query: string) => (await house.asApp(`/v3/notifications/v1/logs?${query}`)).body.data;

  it('removes a token that is dead since before it was registered last, and keeps one that came back', async () => {
    const dead = await house.newIphone('dead');
    const back = await house.newIphone('back');
    house.simulator.apns.kill(dead.token, Date.now() + 1000);
    house.simulator.apns.kill(back.token, Date.now() - 60_000);
    const done = await house.finished(await house.send({ to: { uids: ['dead', 'back'] }, title: 'x' }));
    expect(done.counts).toMatchObject({ sent: 0, failed: 2, droppedTokens: 1 });
    expect(done.failedByReason).toEqual({ Unregistered: 2 });
    expect([await tokensOf('dead'), (await tokensOf('back')).length]).toEqual([[], 1]);
    expect(await logsOf('receiver=dead')).toMatchObject([{ outcome: 'dropped', reason: 'Unregistered', status: 410 }]);
    expect(await logsOf('receiver=back')).toMatchObject([{ outcome: 'failed', reason: 'Unregistered', status: 410 }]);
  });

  it('shows the attempts of one notification and of no other, page by page, also narrowed further', async () => {
    for (const uid of ['one-a', 'one-b', 'one-c']) await house.newIphone(uid);
    const uids = ['one-a', 'one-b', 'one-c'];
    const id = await house.send({ to: { uids }, title: 'x' });
    await house.finished(id);
    const other = await house.send({ to: { uids }, title: 'y' });
    await house.finished(other);
    const members = (logs: { member: string }[]) => logs.map(({ member }) => member).sort();
    expect(members(await logsOf(`notificationId=${id}`))).toEqual(uids);
    expect(await logsOf(`notificationId=${id}&receiver=one-b`)).toMatchObject([
      { member: 'one-b', notificationId: id },
    ]);
    expect(await logsOf(`notificationId=${id}&success=false`)).toEqual([]);
    expect(await logsOf(`notificationId=${id}&messageId=none`)).toEqual([]);
    const first = (await house.asApp(`/v3/notifications/v1/logs?notificationId=${id}&limit=2`)).body;
    const rest = await logsOf(`notificationId=${id}&limit=2&logId=${first.meta.next.logId}`);
    expect(members([...first.data, ...rest])).toEqual(uids);
    const wrong = await house.asApp('/v3/notifications/v1/logs?notificationId=nope');
    expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['notificationId']]);
  });

  it.runIf(store === 'sqlite')('finds the attempts of one notification by an index', async () => {
    const sql = `SELECT entries FROM push_logs WHERE app_id = 'a' AND id <= '~' AND notification_id = 'n' ORDER BY id DESC LIMIT 20`;
    const plan = await house.app.store.all(`EXPLAIN QUERY PLAN ${sql}`);
    expect(JSON.stringify(plan)).toContain('push_logs_notification');
  });

  it('tries again what a vendor could not take, with the same id', async () => {
    const { token } = await house.newIphone('again');
    house.simulator.apns.setFaults({ unavailableShare: 1 });
    const id = await house.send({ to: { uids: ['again'] }, title: 'x' });
    await until(() => house.simulator.apns.records.latest().some(({ target }) => target === token));
    house.simulator.apns.setFaults({ unavailableShare: 0 });
    expect((await house.finished(id)).counts).toMatchObject({ sent: 1, failed: 0, queued: 0 });
    const tries = house.simulator.apns.records.latest().filter(({ target }) => target === token);
    expect(tries.length).toBeGreaterThan(1);
    expect(new Set(tries.map((one) => one.id)).size).toBe(1);
    expect((await logsOf('receiver=again')).map((log: { outcome: string }) => log.outcome)).toContain('retry');
    expect(await health('apns')).toMatchObject({ isPaused: false, lastStatus: 503 });
  });

  it('drops a browser whose stored key or address cannot be one, and everybody else gets theirs', async () => {
    await house.asApp(`${base}/providers/webpush`, { body: { providerId: 'web', subject: 'mailto:a@example.org' } });
    const uids = ['no-point', 'no-address', 'reads-well'];
    const p256dh = Buffer.alloc(65, 1).fill(4, 0, 1).toString('base64url');
    const browsers = uids.map(() => house.simulator.webpush.subscribe());
    const stored = [{ ...browsers[0], p256dh }, { ...browsers[1], endpoint: 'nonsense' }, browsers[2]];
    const rows = uids.map((uid, i) => ({
      uid,
      hash: hashOf(browsers[i]?.endpoint ?? ''),
      stored: JSON.stringify(stored[i]),
      kind: 'webpush' as const,
      platform: 'webpush',
      providerId: 'web',
    }));
    await house.app.store.change(importTokens, { appId: house.appId, actor: 'test', rows });
    const noPoint = browsers[0]?.endpoint ?? '';
    const test = await house.asApp(`${base}/providers/webpush/web/test`, { body: { pushToken: noPoint } });
    expect(test.body.data).toMatchObject({ success: false, outcome: 'dropToken', reason: 'badSubscription' });
    const done = await house.finished(await house.send({ to: { uids }, title: 'x' }));
    expect(done.counts).toMatchObject({ sent: 1, failed: 2, droppedTokens: 1, queued: 0 });
    expect(done.failedByReason).toEqual({ badSubscription: 1, notBuilt: 1 });
  });

  it('lets a device that a vendor makes wait for long hold up nobody else', async () => {
    const uids = Array.from({ length: 20 }, (_, i) => `wait-${i}`);
    const tokens = new Set<string>();
    for (const uid of uids) tokens.add((await house.newIphone(uid)).token);
    const tries = () => house.simulator.apns.records.latest().filter(({ target }) => tokens.has(target));
    house.simulator.apns.setFaults({ tooManyShare: 0.5, unavailableShare: 0.5, retryAfterSeconds: 600 });
    const id = await house.send({ to: { uids }, title: 'x' });
    await until(() => tries().length === 20);
    house.simulator.apns.setFaults({ tooManyShare: 0, unavailableShare: 0 });
    const held = tries().filter(({ status }) => status === 429).length;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(20);
    await until(async () => (await house.notification(id)).counts.sent > 0);
    expect((await house.notification(id)).counts).toMatchObject({ sent: 20 - held, queued: held, failed: 0 });
    const rows = await house.app.store.all<{ size: number; attempts: number }>(
      'SELECT size, attempts FROM outbox WHERE group_key = $1',
      [id],
    );
    expect(rows).toEqual([{ size: held, attempts: 1 }]);
    await house.asApp(`${base}/notifications/${id}`, { method: 'DELETE' });
    expect((await house.notification(id)).counts).toMatchObject({ sent: 20 - held, queued: 0, cancelled: held });
  });

  it('fails what names a topic that the vendor refuses, and stops nobody else', async () => {
    const { token } = await house.newIphone('topic');
    const to = { uids: ['topic'] };
    const wrong = await house.finished(await house.send({ to, title: 'x', apns: { topic: 'com.typo.app' } }));
    expect(wrong.counts).toMatchObject({ sent: 0, failed: 1, droppedTokens: 0, queued: 0 });
    expect(wrong.failedByReason).toEqual({ TopicDisallowed: 1 });
    expect((await health('apns')).isPaused).toBe(false);
    expect((await house.finished(await house.send({ to, title: 'x' }))).counts.sent).toBe(1);
    expect((await tokensOf('topic'))[0].pushToken).toBe(token);
  });

  it('holds the queue of a provider whose key is wrong, says why, and goes on when it is mended', async () => {
    const { token } = await house.newIphone('held');
    const { keyId, teamId, bundleId } = house.simulator.apns;
    const replace = (change: Record<string, unknown>) =>
      house.asApp(`${base}/providers/apns`, {
        method: 'PUT',
        body: { providerId: 'apns-main', keyId, teamId, bundleId, ...change },
      });
    await replace({ teamId: 'WRONGTEAM1' });
    const id = await house.send({ to: { uids: ['held'] }, title: 'x' });
    await until(async () => (await health('apns')).isPaused);
    expect(await health('apns')).toMatchObject({ pausedReason: '403 InvalidProviderToken', waiting: 1 });
    expect((await house.notification(id)).counts).toMatchObject({ queued: 1, sent: 0, failed: 0 });
    const test = await house.asApp(`${base}/providers/apns/apns-main/test`, { body: { pushToken: token } });
    expect(test.body.data).toMatchObject({ success: false, status: 403, reason: 'InvalidProviderToken' });
    expect((await replace({})).status).toBe(200);
    expect((await house.finished(id)).counts.sent).toBe(1);
    expect(await health('apns')).toMatchObject({ isPaused: false, waiting: 0 });
    const again = await house.asApp(`${base}/providers/apns/apns-main/test`, { body: { pushToken: token } });
    expect(again.body.data).toMatchObject({ success: true, outcome: 'sent', status: 200 });
  });

  it('alarms once for a provider that many sends find wrong, and counts what is held by reason', async () => {
    await house.newIphone('alarmed');
    const alarms = () => house.logs().split('push provider stopped').length - 1;
    const before = alarms();
    const replace = (teamId: string) =>
      house.asApp(`${base}/providers/apns`, { method: 'PUT', body: { providerId: 'apns-main', teamId } });
    await replace('WRONGTEAM2');
    const ids = await Promise.all(
      Array.from({ length: 12 }, () => house.send({ to: { uids: ['alarmed'] }, title: 'x' })),
    );
    await until(async () => (await health('apns')).isPaused && alarms() > before);
    const { text } = await house.ask('/metrics');
    expect(text).toMatch(/gatehouse_pushes_total\{provider="apns",outcome="retry",reason="InvalidProviderToken"\} \d+/);
    const inHand = () => house.app.store.all("SELECT id FROM outbox WHERE kind = 'push' AND leased_by <> ''");
    await until(async () => (await inHand()).length === 0);
    await replace(house.simulator.apns.teamId);
    for (const id of ids) expect((await house.finished(id)).counts.sent).toBe(1);
    expect(alarms()).toBe(before + 1);
  });

  it('never lets a dead APNS delay FCM', async () => {
    await house.newIphone('both');
    const { token } = await house.newAndroid('both');
    house.simulator.apns.setFaults({ blackHoleShare: 1 });
    const id = await house.send({ to: { uids: ['both'] }, title: 'x' });
    await until(() => house.simulator.fcm.records.latest().some(({ target }) => target === token));
    expect((await house.notification(id)).counts.queued).toBeGreaterThan(0);
    house.simulator.apns.setFaults({ blackHoleShare: 0 });
    house.simulator.apns.cutConnections();
    expect((await house.finished(id)).counts.sent).toBe(2);
  });

  it('never lets a slow APNS with much to do delay FCM', async () => {
    const uids = Array.from({ length: 120 }, (_, i) => `slow-${i}`);
    for (const uid of uids) await house.newIphone(uid);
    const { token } = await house.newAndroid('quick');
    house.simulator.apns.setFaults({ latencyMs: 2000 });
    const slow = await house.send({ to: { uids: [...uids, 'quick'] }, title: 'x' });
    await until(() => house.simulator.fcm.records.latest().some(({ target }) => target === token));
    const one = await house.finished(await house.send({ to: { uids: ['quick'] }, title: 'x' }));
    expect(one.counts.sent).toBe(1);
    expect((await house.notification(slow)).counts).toMatchObject({ queued: 120, sent: 1 });
    house.simulator.apns.setFaults({ latencyMs: 0 });
    expect((await house.finished(slow)).counts.sent).toBe(121);
  });

  it('never lets a push service of the web that is silent delay the others', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await house.asApp(`${base}/providers/webpush`, { body: { providerId: 'web', subject: 'mailto:a@example.org' } });
    const { webpush } = house.simulator;
    const before = webpush.records.counts().accepted;
    const keys = webpush.subscribe();
    const subscriptions = [
      ...Array.from({ length: 900 }, (_, i) => ({ ...keys, endpoint: `https://127.0.0.1:${port}/${i}` })),
      ...Array.from({ length: 50 }, () => webpush.subscribe()),
    ];
    const device = { kind: 'webpush' as const, platform: 'webpush', providerId: 'web' };
    const rows = subscriptions.map((one, i) => {
      const hash = hashOf(one.endpoint);
      return { hash, stored: JSON.stringify(one), uid: `web-${i}`, ...device };
    });
    await house.app.store.change(importTokens, { appId: house.appId, actor: 'test', rows });
    const id = await house.send({ to: { uids: rows.map(({ uid }) => uid) }, title: 'x' });
    await until(() => webpush.records.counts().accepted === before + 50);
    // The first connection is still waited for: nobody has given up on the silent one.
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
    await house.asApp(`${base}/notifications/${id}`, { method: 'DELETE' });
    silent.close();
    for (const socket of sockets) socket.destroy();
    await until(async () => (await house.notification(id)).counts.queued === 0);
    expect((await house.notification(id)).counts).toMatchObject({ sent: 50, failed: 0 });
  });

  it('stops a provider when most tokens are said to be bad, and deletes none of them', async () => {
    const other = await startVendors(store);
    await other.addApns({ bundleId: 'org.example.another' });
    const uids = Array.from({ length: 60 }, (_, i) => `wave-${i}`);
    for (const uid of uids) await other.newIphone(uid);
    const id = await other.send({ to: { uids }, title: 'x' });
    const state = async () => (await other.asApp(`${base}/providers/health`)).body.data[0];
    await until(async () => (await state()).isPaused);
    expect((await other.asApp(`${base}/tokens`)).body.data.pushTokens).toHaveLength(60);
    expect((await other.notification(id)).state).toBe('sending');
    await other.close();
  });

  it('removes no token at the word of a vendor that has taken nothing yet, also when pushes come one by one', async () => {
    const other = await startVendors(store);
    await other.addApns();
    other.simulator.apns.setFaults({ badTokenShare: 1 });
    const uids = Array.from({ length: 5 }, (_, i) => `single-${i}`);
    for (const uid of uids) await other.newIphone(uid);
    for (const uid of uids) {
      const { failedByReason } = await other.finished(await other.send({ to: { uids: [uid] }, title: 'x' }));
      expect(failedByReason).toEqual({ BadDeviceToken: 1 });
    }
    expect((await other.asApp(`${base}/tokens`)).body.data.pushTokens).toHaveLength(5);
    await other.close();
  });

  it('fails what waits for a provider that is deleted', async () => {
    const add = {
      providerId: 'apns-brief',
      keyId: 'ABCDEFGHIJ',
      teamId: 'ABCDEFGHIJ',
      bundleId: 'a.b',
      p8Key: house.simulator.apns.p8Key,
    };
    await house.asApp(`${base}/providers/apns`, { body: add });
    const authToken = await house.newUser('brief');
    await house.asApp(`${base}/tokens`, {
      body: { platform: 'apns_ios_device', deviceToken: newDeviceToken(), authToken, providerId: 'apns-brief' },
    });
    const id = await house.send({ to: { uids: ['brief'] }, title: 'x' });
    await until(async () =>
      (await house.asApp(`${base}/providers/health`)).body.data.some((one: { isPaused: boolean }) => one.isPaused),
    );
    await house.asApp(`${base}/providers/apns/apns-brief`, { method: 'DELETE' });
    expect((await house.finished(id)).failedByReason).toEqual({ ProviderNotFound: 1 });
  });

  it('does not stop a provider for the last pushes of the key it had, nor one that is gone', async () => {
    const { keyId, teamId, bundleId, p8Key } = house.simulator.apns;
    const wrong = { providerId: 'apns-swap', keyId, teamId: 'WRONGTEAM3', bundleId, p8Key };
    const swap = (method: string, body: unknown) => house.asApp(`${base}/providers/apns`, { method, body });
    await swap('POST', wrong);
    const authToken = await house.newUser('swap');
    const deviceToken = newDeviceToken();
    await house.asApp(`${base}/tokens`, {
      body: { platform: 'apns_ios_device', deviceToken, authToken, providerId: 'apns-swap' },
    });
    /** Answers while the push is on its way, a second before the vendor's answer comes. */
    const sendSlowly = async () => {
      house.simulator.apns.setFaults({ latencyMs: 1500 });
      const id = await house.send({ to: { uids: ['swap'] }, title: 'x' });
      await new Promise((resolve) => setTimeout(resolve, 500));
      house.simulator.apns.setFaults({ latencyMs: 0 });
      return id;
    };
    const first = await sendSlowly();
    await swap('PUT', { ...wrong, teamId });
    expect((await house.finished(first)).counts.sent).toBe(1);
    expect((await health('apns')).isPaused).toBe(false);
    await swap('PUT', wrong);
    const second = await sendSlowly();
    await house.asApp(`${base}/providers/apns/apns-swap`, { method: 'DELETE' });
    expect((await house.finished(second)).failedByReason).toEqual({ ProviderNotFound: 1 });
  });

  it('tells webhooks of removed tokens, paused providers and finished notifications', async () => {
    const made = await house.asManager('/webhooks', {
      body: {
        url: 'http://127.0.0.1:9/hook',
        triggers: ['token_removed', 'provider_paused', 'notification_finished'],
      },
    });
    expect(made.status).toBe(200);
    const { token } = await house.newIphone('told');
    house.simulator.apns.kill(token, Date.now() + 1000);
    const id = await house.send({ to: { uids: ['told'] }, title: 'x' });
    await house.finished(id);
    const { keyId, teamId, bundleId } = house.simulator.apns;
    const provider = { providerId: 'apns-main', keyId, teamId, bundleId };
    await house.newIphone('told-2');
    await house.asApp(`${base}/providers/apns`, { method: 'PUT', body: { ...provider, teamId: 'WRONGTEAM2' } });
    await house.send({ to: { uids: ['told-2'] }, title: 'x' });
    await until(async () => (await health('apns')).isPaused);
    await house.asApp(`${base}/providers/apns`, { method: 'PUT', body: provider });
    const events = await house.app.store.all<{ name: string; data: string }>(
      'SELECT name, data FROM webhook_events WHERE app_id = $1 ORDER BY id',
      [house.appId],
    );
    const dataOf = (name: string) => JSON.parse(events.find((event) => event.name === name)?.data ?? '{}');
    expect(dataOf('token_removed')).toMatchObject({
      provider: 'apns',
      tokens: [{ uid: 'told', pushToken: token, reason: 'Unregistered' }],
    });
    expect(dataOf('notification_finished')).toMatchObject({
      notificationId: id,
      counts: { failed: 1, droppedTokens: 1 },
    });
    expect(dataOf('provider_paused')).toEqual({
      provider: 'apns',
      providerId: 'apns-main',
      reason: '403 InvalidProviderToken',
    });
  });

  it('logs no secrets', () => {
    expect(house.logs()).not.toContain('PRIVATE KEY');
    expect(house.logs()).not.toContain(house.fullAccess);
  });
});
