import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stores } from '../gatehouse.ts';
import { base, newDeviceToken, startVendors, until, type Vendors } from './vendors.ts';

const live = (contentState: object) => ({
  ...{ to: { uids: ['a'] }, pushType: 'liveactivity' },
  liveActivity: { event: 'update', timestamp: 1, contentState, attributes: { team: 'x'.repeat(100) } },
});
const nested = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key${i}`, 'v']));

describe.each(stores)('sendNotification on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    await house.addFcm();
    await house.asApp(`${base}/providers/webpush`, { body: { providerId: 'web', subject: 'mailto:a@example.org' } });
  });
  afterAll(() => house.close());
  const send = (body: Record<string, unknown>, headers?: Record<string, string>) =>
    house.asApp(`${base}/notifications`, { body, ...(headers && { headers }) });
  const pushesTo = (token: string) =>
    [...house.simulator.apns.records.latest(), ...house.simulator.fcm.records.latest()].filter(
      ({ target }) => target === token,
    );
  /** Whom the log names as without a device. */
  const unreached = async (id: string) => {
    const { data } = (await house.asApp('/v3/notifications/v1/logs?reason=NO_DEVICE&limit=100')).body;
    const ours = data.filter(({ notificationId }: { notificationId: string }) => notificationId === id);
    return ours.map(({ member }: { member: string }) => member);
  };

  it('answers 202 with an id, and every device of the user gets it', async () => {
    const iphone = await house.newIphone('ada');
    const android = await house.newAndroid('ada');
    const answer = await send({ to: { uids: ['ada'] }, title: 'Hello', body: 'Ada', data: { room: '7' } });
    expect(answer.status).toBe(202);
    const done = await house.finished(answer.body.data.id);
    expect(done.counts).toMatchObject({ queued: 0, sent: 2, failed: 0, skipped: 0 });
    const [apple] = pushesTo(iphone.token);
    expect(JSON.parse(apple?.body ?? '{}')).toMatchObject({
      aps: { alert: { title: 'Hello', body: 'Ada' } },
      room: '7',
    });
    const [google] = pushesTo(android.token);
    expect(JSON.parse(google?.body ?? '{}').message.data).toMatchObject({ title: 'Hello', body: 'Ada', room: '7' });
  });

  it('answers 202 to auth tokens, push tokens and everybody, and voip goes to voip tokens only', async () => {
    const one = await house.newIphone('targets-1');
    const two = await house.newIphone('targets-2');
    const call = await house.newIphone('targets-3', 'apns_ios_voip');
    await house.finished(await house.send({ to: { authTokens: [one.authToken] }, title: 'a' }));
    await house.finished(await house.send({ to: { pushTokens: [two.token] }, title: 'b' }));
    expect([pushesTo(one.token).length, pushesTo(two.token).length, pushesTo(call.token).length]).toEqual([1, 1, 0]);
    await house.finished(
      await house.send({ to: { uids: ['targets-3'] }, pushType: 'voip', data: { callAction: 'initiated' } }),
    );
    expect(pushesTo(call.token)[0]?.headers).toMatchObject({ 'apns-push-type': 'voip' });
    const all = await house.finished(await house.send({ to: { all: true }, title: 'all' }));
    expect(all.counts.sent).toBeGreaterThanOrEqual(2);
    expect([pushesTo(one.token).length, pushesTo(two.token).length]).toEqual([2, 2]);
  });

  it('answers 202 to more users than are looked up at once, in segments', async () => {
    const uids = Array.from({ length: 130 }, (_, i) => `many-${i}`);
    for (const uid of uids) await house.newIphone(uid);
    const done = await house.finished(await house.send({ to: { uids: [...uids, 'nobody'] }, title: 'x' }));
    expect(done.counts).toMatchObject({ sent: 130, skipped: 1 });
    expect(done.skippedByReason).toEqual({ NO_DEVICE: 1 });
    expect(await unreached(done.id)).toEqual(['nobody']);
  });

  it.each([
    ['uids', 2, ['none-uids', 'nobody-uids']],
    ['authTokens', 1, ['none-authTokens']],
    ['pushTokens', 1, ['']],
  ] as const)(
    'counts and logs those of %s who have no device, whatever the others have',
    async (name, without, who) => {
      const { authToken, token } = await house.newIphone(`several-${name}`);
      const fcmToken = `android-${newDeviceToken()}`;
      await house.asApp(`${base}/tokens`, { body: { platform: 'fcm_android', fcmToken, authToken } });
      const none = await house.newUser(`none-${name}`);
      const to = {
        uids: [`several-${name}`, `none-${name}`, `nobody-${name}`],
        authTokens: [authToken, none],
        pushTokens: [token, fcmToken, newDeviceToken()],
      }[name];
      const done = await house.finished(await house.send({ to: { [name]: to }, title: 'x' }));
      expect(done).toMatchObject({ counts: { sent: 2, skipped: without }, skippedByReason: { NO_DEVICE: without } });
      expect(await unreached(done.id)).toEqual(who);
    },
  );

  it('logs a message for somebody without a device as what it is, in one row for all of them', async () => {
    const receivers = ['phoneless-1', 'phoneless-2'];
    const message = { id: 'unheard', sender: 'ada', receiver: 'g', receiverType: 'group', receivers };
    const rung = await house.asApp('/v3/messages', { body: { ...message, category: 'message', data: { text: 'hi' } } });
    expect(rung.status).toBe(200);
    const { data } = (await house.asApp('/v3/notifications/v1/logs?messageId=unheard')).body;
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({
      ...{ member: 'phoneless-1', messageId: 'unheard', sender: 'ada', receiver: 'g', trigger: 'message_sent' },
      ...{ outcome: 'skipped', reason: 'NO_DEVICE', success: false, notificationTriggered: false, provider: '' },
    });
    const rows = await house.app.store.all("SELECT id FROM push_logs WHERE message_id = 'unheard'");
    expect(rows).toHaveLength(1);
    const found = (await house.asApp('/v3/notifications/v1/logs?receiver=phoneless-2')).body.data;
    expect(found.map(({ member }: { member: string }) => member)).toEqual(['phoneless-2']);
  });

  it('answers 202 and counts the devices of a dry run without sending', async () => {
    const { token } = await house.newIphone('dry');
    const answer = await send({ to: { uids: ['dry'] }, title: 'x', dryRun: true });
    expect(answer.body).toEqual({ data: { dryRun: true, devices: 1 } });
    expect(pushesTo(token)).toEqual([]);
  });

  it('answers a repetition with the first answer, and 422 when the body is another', async () => {
    const { token } = await house.newIphone('once');
    const key = { 'idempotency-key': `key-${store}` };
    const first = await send({ to: { uids: ['once'] }, title: 'once' }, key);
    const second = await send({ to: { uids: ['once'] }, title: 'once' }, key);
    expect(second.body.data.id).toBe(first.body.data.id);
    await house.finished(first.body.data.id);
    expect(pushesTo(token)).toHaveLength(1);
    const third = await send({ to: { uids: ['once'] }, title: 'twice' }, key);
    expect([third.status, third.body.error.code]).toEqual([422, 'ERR_IDEMPOTENCY_KEY_REUSED']);
  });

  it('answers a repetition with the first answer also when such a request would be refused by now', async () => {
    const key = { 'idempotency-key': `late-${store}` };
    const body = { to: { uids: ['nobody'] }, title: 'x', sendAt: Date.now() - 4 * 60_000 };
    const first = await send(body, key);
    expect(first.status).toBe(202);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    try {
      expect((await send({ ...body, title: 'y' })).status).toBe(400);
      expect((await send(body, key)).body).toEqual(first.body);
    } finally {
      vi.useRealTimers();
    }
  });

  it('sends at its time, and cancels what has not left', async () => {
    const { token } = await house.newIphone('later');
    const soon = await house.send({ to: { uids: ['later'] }, title: 'soon', sendAt: Date.now() + 300 });
    expect((await house.notification(soon)).state).toBe('scheduled');
    const never = await house.send({
      to: { uids: ['later'] },
      title: 'never',
      sendAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const cancelled = await house.asApp(`${base}/notifications/${never}`, { method: 'DELETE' });
    expect([cancelled.status, cancelled.body.data.state]).toEqual([200, 'cancelled']);
    expect((await house.finished(soon)).counts.sent).toBe(1);
    expect(pushesTo(token)).toHaveLength(1);
  });

  it("holds a push until its hour comes on each user's own clock", async () => {
    const here = await house.newIphone('here');
    const there = await house.newIphone('there');
    const clock = (timeZone: string): string =>
      new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
        Date.now() - 30_000,
      );
    const patch = (uid: string, timezone: string) =>
      house.asApp(`/v3/notifications/v1/preferences/timezone?uid=${uid}`, { method: 'PATCH', body: { timezone } });
    await patch('here', 'Asia/Kolkata');
    await patch('there', 'America/New_York');
    const [localTime, sendAt] = [clock('Asia/Kolkata'), Date.now() - 120_000];
    const id = await house.send({ to: { uids: ['here', 'there'] }, title: 'noon', localTime, sendAt });
    // sendAt lies in the past, so the first hour that counts is the next one from now on.
    await until(async () => (await house.notification(id)).counts.queued === 2);
    expect([pushesTo(here.token).length, pushesTo(there.token).length]).toEqual([0, 0]);
    await house.asApp(`${base}/notifications/${id}`, { method: 'DELETE' });
  });

  it('counts an acknowledgement once a device', async () => {
    const { authToken } = await house.newIphone('acks');
    const id = await house.send({ to: { uids: ['acks'] }, title: 'x' });
    const ack = () =>
      house.ask(`/v3/notifications/push/v1/notifications/${id}/ack`, { method: 'POST', headers: { authToken } });
    expect((await ack()).status).toBe(200);
    expect((await ack()).status).toBe(200);
    const path = `${base}/notifications/${id}/ack`;
    expect((await house.asApp(path, { body: { authToken } })).status).toBe(200);
    expect((await house.asApp(path, { method: 'POST', headers: { authToken } })).status).toBe(200);
    expect((await house.asApp(path, { method: 'POST' })).status).toBe(400);
    const unknown = await house.asApp(path, { body: { authToken: 'bogus' } });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ERR_AUTH_TOKEN_NOT_FOUND']);
    expect((await house.finished(id)).counts.acknowledged).toBe(1);
  });

  it.each([
    ['to', { to: {}, title: 'x' }, /exactly one/],
    ['to', { to: { uids: ['a'], all: true }, title: 'x' }, /exactly one/],
    ['to.uids', { to: { uids: Array.from({ length: 10_001 }, (_, i) => `u${i}`) }, title: 'x' }, /10000/],
    ['tittle', { to: { uids: ['a'] }, tittle: 'x' }, /not known/],
    ['title', { to: { uids: ['a'] } }, /nothing to show/],
    ['data', { to: { uids: ['a'] }, data: { big: 'x'.repeat(5000) } }, /5010 bytes/],
    ['data', { to: { uids: ['a'] }, data: { google: '1' } }, /vendors/],
    ['localTime', { to: { uids: ['a'] }, title: 'x', localTime: '25:00' }, /HH:MM/],
    ['sendAt', { to: { uids: ['a'] }, title: 'x', sendAt: 'tomorrow' }, /ISO 8601/],
    ['sendAt', { to: { all: true }, title: 'x', sendAt: 'March 7' }, /ISO 8601/],
    ['sendAt', { to: { all: true }, title: 'x', sendAt: '5' }, /ISO 8601/],
    ['sendAt', { to: { all: true }, title: 'x', sendAt: '2026' }, /ISO 8601/],
    ['sendAt', { to: { all: true }, title: 'x', sendAt: '2126-02-30T12:00:00Z' }, /ISO 8601/],
    ['sendAt', { to: { all: true }, title: 'x', sendAt: '2126-03-07T12:00:00' }, /with its zone/],
    ['sendAt', { to: { all: true }, title: 'x', sendAt: 1_790_000_000 }, /has passed.*not seconds/],
    ['sendAt', { to: { all: true }, title: 'x', sendAt: '2026-01-31T13:00:00+01:00' }, /2026-01-31T12:00:00.000Z/],
    ['ttlSeconds', { to: { uids: ['a'] }, title: 'x', ttlSeconds: -1 }, /0 or more/],
    ['liveActivity', { to: { uids: ['a'] }, title: 'x', pushType: 'liveactivity' }, /needed/],
    ['liveActivity.contentState', live({ text: 'x'.repeat(5000) }), /5011 bytes/],
    ['liveActivity.contentState', live({ text: 'x'.repeat(3970) }), /APNs takes 41\d\d bytes.*4096/],
    ['data', { to: { uids: ['a'] }, data: { tree: nested(250) } }, /FCM takes \d{4} bytes.*4096/],
    ['data', { to: { uids: ['a'] }, data: { k: 'x'.repeat(3950) } }, /Web Push takes 40\d\d bytes.*3993/],
    ['webpush.payload', { to: { uids: ['a'] }, webpush: { payload: { k: 'x'.repeat(3950) } } }, /Web Push takes/],
    ['fcm', { to: { uids: ['a'] }, data: { k: 'x'.repeat(500) }, fcm: { data: { l: 'x'.repeat(3600) } } }, /FCM takes/],
    ['fcm.data.n', { to: { uids: ['a'] }, title: 'x', fcm: { data: { n: 5 } } }, /must be a string/i],
    ['fcm.data.from', { to: { uids: ['a'] }, title: 'x', fcm: { data: { from: 'x' } } }, /vendors/],
    ['fcm.data', { to: { uids: ['a'] }, title: 'x', fcm: { data: null } }, /object/],
    ['fcm.topic', { to: { uids: ['a'] }, title: 'x', fcm: { topic: 'news' } }, /whom/],
    ['fcm.token', { to: { uids: ['a'] }, title: 'x', fcm: { token: 'other' } }, /whom/],
    ['fcm.foo', { to: { uids: ['a'] }, title: 'x', fcm: { foo: 1 } }, /not known/],
    ['apns.payload.aps', { to: { uids: ['a'] }, title: 'x', apns: { payload: { aps: 'x' } } }, /object/],
  ])('answers 400 naming %s, and queues nothing', async (field, body, sentence) => {
    const queued = () => house.app.store.get('SELECT COUNT(*) AS n FROM notifications');
    const before = await queued();
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[field]?.join(' ')).toMatch(sentence);
    expect(await queued()).toEqual(before);
  });

  it('names itself in every payload, so that a device can acknowledge it and know it again', async () => {
    const { token: iphone, authToken } = await house.newIphone('named');
    const { token: android } = await house.newAndroid('named');
    const { endpoint, p256dh, auth } = house.simulator.webpush.subscribe();
    await house.asApp(`${base}/tokens`, {
      body: { platform: 'webpush', webPushSubscription: { endpoint, keys: { p256dh, auth } }, authToken },
    });
    const id = await house.send({ to: { uids: ['named'] }, title: 'x', body: 'ä'.repeat(6000), data: { room: '7' } });
    expect((await house.finished(id)).counts).toMatchObject({ sent: 3, failed: 0 });
    const data = { notificationId: id, room: '7' };
    const [apple] = pushesTo(iphone);
    expect(apple?.headers).toMatchObject({ 'apns-collapse-id': id });
    expect(JSON.parse(apple?.body ?? '{}')).toMatchObject(data);
    expect(JSON.parse(pushesTo(android)[0]?.body ?? '{}').message.data).toMatchObject(data);
    const browser = house.simulator.webpush.records.latest().at(-1);
    expect(browser?.headers).toMatchObject({ topic: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(JSON.parse(browser?.body ?? '{}')).toMatchObject({ title: 'x', tag: id, data });
    const own = await house.send({ to: { uids: ['named'] }, title: 'x', data: { notificationId: 'mine' } });
    await house.finished(own);
    expect(JSON.parse(pushesTo(iphone)[1]?.body ?? '{}').notificationId).toBe('mine');
  });

  it('takes what is for browsers alone', async () => {
    expect((await send({ to: { uids: ['a'] }, webpush: { payload: { title: 'x' } } })).status).toBe(202);
  });

  it("puts sound, badge, collapse id, TTL, priority and each vendor's own words where the vendor reads them", async () => {
    const { token: iphone } = await house.newIphone('fine');
    const { token: android } = await house.newAndroid('fine');
    const words = { title: 'T', subtitle: 'S', body: 'B', sound: 'ping.caf', badge: 3, collapseId: 'room-7' };
    const vendors = {
      apns: { payload: { aps: { 'interruption-level': 'critical' } } },
      fcm: { android: { ttl: '7s' } },
    };
    const id = await house.send({ to: { uids: ['fine'] }, ...words, ...vendors, ttlSeconds: 60, priority: 'normal' });
    expect((await house.finished(id)).counts.sent).toBe(2);
    const [apple] = pushesTo(iphone);
    expect(apple?.headers).toMatchObject({ 'apns-collapse-id': 'room-7', 'apns-priority': '5' });
    const expiry = Number(apple?.headers['apns-expiration']) * 1000;
    expect(Math.abs(expiry - Date.now() - 60_000)).toBeLessThan(60_000);
    expect(JSON.parse(apple?.body ?? '{}').aps).toMatchObject({
      alert: { title: 'T', subtitle: 'S', body: 'B' },
      sound: 'ping.caf',
      badge: 3,
      'interruption-level': 'critical',
    });
    expect(JSON.parse(pushesTo(android)[0]?.body ?? '{}').message.android).toMatchObject({
      collapse_key: 'room-7',
      priority: 'NORMAL',
      ttl: '7s',
    });
    const quiet = await house.send({ to: { uids: ['fine'] }, pushType: 'background', data: { sync: '1' } });
    await house.finished(quiet);
    const silent = pushesTo(iphone).at(-1);
    expect(silent?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
    expect(JSON.parse(silent?.body ?? '{}')).toMatchObject({ aps: { 'content-available': 1 }, sync: '1' });
  });

  it('truncates a long text at a whole character instead of refusing it', async () => {
    const { token } = await house.newIphone('long');
    const done = await house.finished(await house.send({ to: { uids: ['long'] }, title: 'x', body: 'ä'.repeat(6000) }));
    expect(done.counts.sent).toBe(1);
    expect(JSON.parse(pushesTo(token)[0]?.body ?? '{}').aps.alert.body).toMatch(/^ä+…?$/);
  });

  it('truncates a long text for an app that shows it itself too', async () => {
    const { token } = await house.newAndroid('long-data');
    const body = '"ä😀'.repeat(2000);
    const done = await house.finished(await house.send({ to: { uids: ['long-data'] }, title: 'x', body }));
    expect(done.counts).toMatchObject({ sent: 1, failed: 0 });
    const shown: string = JSON.parse(pushesTo(token)[0]?.body ?? '{}').message.data.body;
    expect(body.startsWith(shown.slice(0, -1))).toBe(true);
    expect(shown.length).toBeGreaterThan(500);
  });

  it('starts, updates and ends a Live Activity on its own token, with the headers Apple wants', async () => {
    const { token: phone, authToken } = await house.newIphone('sporty');
    const activity = newDeviceToken();
    const registered = await house.asApp(`${base}/tokens`, {
      body: { platform: 'apns_ios_live_activity', deviceToken: activity, authToken },
    });
    expect(registered.status).toBe(200);
    const timestamp = Math.floor(Date.now() / 1000);
    const change = { timestamp, contentState: { score: '2:1' } };
    const events = [
      { event: 'start', ...change, attributesType: 'Match', attributes: { teams: 'A-B' } },
      { event: 'update', ...change, staleDate: timestamp + 600, relevanceScore: 75 },
      { event: 'end', ...change, dismissalDate: timestamp + 60 },
    ];
    for (const liveActivity of events) {
      const words = liveActivity.event === 'start' ? { title: 'Match', body: 'Kick-off' } : {};
      const id = await house.send({ to: { uids: ['sporty'] }, pushType: 'liveactivity', ...words, liveActivity });
      expect((await house.finished(id)).counts).toMatchObject({ sent: 1, failed: 0 });
    }
    const sent = pushesTo(activity);
    for (const { headers } of sent)
      expect(headers).toMatchObject({
        'apns-push-type': 'liveactivity',
        'apns-topic': `${house.simulator.apns.bundleId}.push-type.liveactivity`,
      });
    const [start, update, end] = sent.map(({ body }) => JSON.parse(body).aps);
    expect(start).toMatchObject({
      event: 'start',
      timestamp,
      'content-state': { score: '2:1' },
      'attributes-type': 'Match',
      attributes: { teams: 'A-B' },
      alert: { title: 'Match', body: 'Kick-off' },
    });
    expect(update).toMatchObject({ event: 'update', 'stale-date': timestamp + 600, 'relevance-score': 75 });
    expect(end).toMatchObject({ event: 'end', 'dismissal-date': timestamp + 60 });
    expect(pushesTo(phone)).toEqual([]);
  });

  it('answers 401 without a key, 403 with an authOnly key, 404 for a notification of another app', async () => {
    expect((await house.ask(`${base}/notifications`, { body: {} })).status).toBe(401);
    expect((await house.ask(`${base}/notifications`, { body: {}, headers: { apikey: house.authOnly } })).status).toBe(
      403,
    );
    const other = await house.newApp();
    const id = await house.send({ to: { uids: ['nobody'] }, title: 'x' });
    const answer = await house.ask(`${base}/notifications/${id}`, { headers: { apikey: other.fullAccess } });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'ERR_NOTIFICATION_NOT_FOUND']);
  });
});
