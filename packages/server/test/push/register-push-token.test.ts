import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platforms, tokenFields } from '../../src/push/platforms.ts';
import { stores } from '../gatehouse.ts';
import { base, hashOf, newDeviceToken, startVendors, type Vendors } from './vendors.ts';

describe.each(stores)('registerPushToken and deletePushTokens on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    await house.addFcm();
    await house.asApp(`${base}/providers/webpush`, { body: { providerId: 'web', subject: 'mailto:a@example.org' } });
  });
  afterAll(() => house.close());
  const register = (body: Record<string, unknown>, headers?: Record<string, string>) =>
    headers === undefined ? house.asApp(`${base}/tokens`, { body }) : house.ask(`${base}/tokens`, { body, headers });
  const tokensOf = async (uid: string): Promise<{ pushToken: string; platform: string; authToken: string }[]> =>
    (await house.asApp(`${base}/tokens?uid=${uid}`)).body.data.pushTokens;
  const iphone = 'apns_ios_device';

  it('answers 200 to every platform of the interface, by key or by the device itself', async () => {
    const seen = [];
    for (const [platform, kind] of platforms) {
      if (kind === 'webpush') continue;
      const uid = `on-${platform}`;
      const authToken = await house.newUser(uid);
      const body = { platform, [tokenFields[kind]]: newDeviceToken() };
      const answer = kind === 'fcm' ? await register({ ...body, authToken }) : await register(body, { authToken });
      expect([platform, answer.status]).toEqual([platform, 200]);
      const [token] = await tokensOf(uid);
      seen.push(token?.platform);
    }
    expect(seen).toHaveLength(18);
  });

  it('keeps one of each kind an auth token: a new one takes the place of the old', async () => {
    const authToken = await house.newUser('renewed');
    const [first, second, voip] = [newDeviceToken(), newDeviceToken(), newDeviceToken()];
    await register({ platform: iphone, deviceToken: first, authToken });
    await register({ platform: 'apns_ios_voip', voipToken: voip, authToken });
    await register({ platform: iphone, deviceToken: second, authToken });
    expect((await tokensOf('renewed')).map(({ pushToken }) => pushToken).sort()).toEqual([second, voip].sort());
  });

  it('moves a device token that comes with another user, and remembers when it was last seen', async () => {
    const [before, after] = [await house.newUser('before'), await house.newUser('after')];
    const deviceToken = newDeviceToken();
    await register({ platform: iphone, deviceToken, authToken: before });
    const started = Date.now();
    await register({ platform: iphone, deviceToken, authToken: after });
    expect(await tokensOf('before')).toEqual([]);
    expect(await tokensOf('after')).toMatchObject([{ pushToken: deviceToken, authToken: after }]);
    const row = await house.app.store.get<{ last_seen_at: number }>(
      'SELECT last_seen_at FROM push_tokens WHERE token_hash = $1',
      [hashOf(deviceToken)],
    );
    expect(row?.last_seen_at).toBeGreaterThanOrEqual(started - 1);
  });

  it("knows Apple's tokens in any case of their letters and shows them as sent", async () => {
    const [one, two] = [await house.newUser('case-1'), await house.newUser('case-2')];
    const upper = `${newDeviceToken().slice(0, 60)}abcd`.toUpperCase();
    await register({ platform: iphone, deviceToken: upper, authToken: one });
    expect((await tokensOf('case-1')).map(({ pushToken }) => pushToken)).toEqual([upper]);
    const to = async (pushToken: string) =>
      (
        await house.asApp(`${base}/notifications`, {
          body: { to: { pushTokens: [pushToken, upper] }, title: 'x', dryRun: true },
        })
      ).body.data;
    expect(await to(upper.toLowerCase())).toEqual({ dryRun: true, devices: 1 });
    await register({ platform: iphone, deviceToken: upper.toLowerCase(), authToken: two });
    expect([await tokensOf('case-1'), (await tokensOf('case-2')).length]).toEqual([[], 1]);
    const removed = await house.asApp(`${base}/tokens/${upper}`, { method: 'DELETE' });
    expect(removed.body.data.pushTokens).toMatchObject([{ uid: 'case-2', pushToken: upper.toLowerCase() }]);
  });

  it('finds a browser by its endpoint in whichever way it is written', async () => {
    const authToken = await house.newUser('spelled');
    const endpoint = 'https://PUSH.example.org:443/a/../spelled';
    const { p256dh, auth } = house.simulator.webpush.subscribe();
    const keys = { p256dh, auth };
    await register({ platform: 'webpush', webPushSubscription: { endpoint, keys }, authToken });
    const body = { to: { pushTokens: [endpoint] }, title: 'x', dryRun: true };
    expect((await house.asApp(`${base}/notifications`, { body })).body.data.devices).toBe(1);
    const removed = await house.asApp(`${base}/tokens/${encodeURIComponent(endpoint)}`, { method: 'DELETE' });
    expect(removed.body.data?.pushTokens).toMatchObject([{ pushToken: 'https://push.example.org/spelled' }]);
  });

  it('takes what comes with an endpoint that is known: new keys, and another kind of token', async () => {
    const authToken = await house.newUser('browser');
    const endpoint = 'https://push.example.org/same';
    const keysOf = ({ p256dh, auth }: { p256dh: string; auth: string }) => ({ p256dh, auth });
    const [first, second, third] = [1, 2, 3].map(() => keysOf(house.simulator.webpush.subscribe()));
    const subscribe = (keys: typeof first) =>
      register({ platform: 'webpush', webPushSubscription: { endpoint, keys }, authToken });
    const stored = () =>
      house.app.store.get('SELECT kind, push_token FROM push_tokens WHERE token_hash = $1', [hashOf(endpoint)]);
    const subscription = (keys: typeof first) => ({
      kind: 'webpush',
      push_token: JSON.stringify({ endpoint, ...keys }),
    });
    for (const keys of [first, second]) {
      expect((await subscribe(keys)).status).toBe(200);
      expect(await stored()).toEqual(subscription(keys));
    }
    await register({ platform: 'fcm_web', fcmToken: endpoint, authToken });
    expect(await stored()).toEqual({ kind: 'fcm', push_token: endpoint });
    await subscribe(third);
    expect(await stored()).toEqual(subscription(third));
    expect(await tokensOf('browser')).toMatchObject([{ pushToken: endpoint, platform: 'webpush' }]);
  });

  it('takes every endpoint that can be sent to, and answers 400 to a longer one', async () => {
    const authToken = await house.newUser('long');
    const { endpoint: short, p256dh, auth } = house.simulator.webpush.subscribe();
    const subscribe = (endpoint: string) =>
      register({ platform: 'webpush', webPushSubscription: { endpoint, keys: { p256dh, auth } }, authToken });
    const longest = short.padEnd(2048, 'x');
    expect((await subscribe(longest)).status).toBe(200);
    const sent = await house.asApp(`${base}/providers/webpush/web/test`, { body: { pushToken: longest } });
    expect(sent.body.data).toMatchObject({ outcome: 'dropToken', status: 404 });
    // Written out as addresses are, each of these letters takes six characters.
    for (const endpoint of [`${longest}x`, `${short}/${'ü'.repeat(400)}`]) {
      const answer = await subscribe(endpoint);
      expect([answer.status, answer.body.error.details]).toMatchObject([
        400,
        { 'webPushSubscription.endpoint': [expect.any(String)] },
      ]);
    }
  });

  it('answers 400 to a key that is no point of the curve', async () => {
    const authToken = await house.newUser('forger');
    const { endpoint, auth } = house.simulator.webpush.subscribe();
    const p256dh = Buffer.alloc(65, 1).fill(4, 0, 1).toString('base64url');
    const webPushSubscription = { endpoint, keys: { p256dh, auth } };
    const answer = await register({ platform: 'webpush', webPushSubscription }, { authToken });
    expect([answer.status, answer.body.error.details]).toMatchObject([
      400,
      { 'webPushSubscription.keys.p256dh': [/point on the curve P-256/] },
    ]);
    expect(await tokensOf('forger')).toEqual([]);
  });

  it('deletes one, those of an auth token, or all of its user, and answers with what it removed', async () => {
    const remove = (path: string, body: unknown) => house.asApp(`${base}/tokens${path}`, { method: 'DELETE', body });
    const phones = await Promise.all([1, 2, 3].map(() => house.newIphone('leaving')));
    const [one, two, three] = phones;
    if (one === undefined || two === undefined || three === undefined) throw new Error('no phones');
    const first = await remove(`/${one.token}`, { authToken: one.authToken });
    expect(first.body.data).toMatchObject({ success: true, pushTokens: [{ pushToken: one.token, uid: 'leaving' }] });
    expect((await remove(`/${one.token}`, {})).body.error.code).toBe('ERR_TOKEN_NOT_FOUND');
    expect((await remove(`/${two.token}`, { authToken: three.authToken })).status).toBe(404);
    const second = await remove('', { authToken: two.authToken });
    expect(second.body.data.pushTokens).toMatchObject([{ pushToken: two.token }]);
    const rest = await remove('?all=true', { authToken: one.authToken });
    expect(rest.body.data.pushTokens).toMatchObject([{ pushToken: three.token }]);
    expect(await tokensOf('leaving')).toEqual([]);
  });

  it('answers 400 to the 101st token of a user', async () => {
    for (let i = 0; i < 100; i++) await house.newIphone('crowded');
    const authToken = await house.newUser('crowded');
    const answer = await register({ platform: iphone, deviceToken: newDeviceToken(), authToken });
    expect([answer.status, answer.body.error.details]).toMatchObject([400, { uid: [/100/] }]);
    expect(await tokensOf('crowded')).toHaveLength(100);
  });

  it.each([
    ['platform', { platform: 'nokia', deviceToken: 'ab' }, /fcm_android/],
    ['deviceToken', { platform: iphone, fcmToken: 'x' }, /needs this field/],
    ['deviceToken', { platform: iphone, deviceToken: 'x'.repeat(4097) }, /4096/],
    ['deviceToken', { platform: iphone, deviceToken: 'a b' }, /without spaces/],
    ['deviceToken', { platform: iphone, deviceToken: '' }, /empty/],
    ['deviceToken', { platform: iphone, deviceToken: 'zzz' }, /as hex/],
    ['deviceToken', { platform: iphone, deviceToken: 'abc' }, /two digits/],
    ['deviceToken', { platform: iphone, deviceToken: '{length=32,bytes=0xabcd...ef01}' }, /as hex/],
    ['deviceToken', { platform: 'apns_ios_live_activity', deviceToken: '../../4/x' }, /as hex/],
    ['voipToken', { platform: 'apns_ios_voip', voipToken: 'q80=' }, /as hex/],
    ['timezone', { platform: iphone, deviceToken: 'ab', timezone: 'Mars/Olympus' }, /IANA/],
    ['providerId', { platform: iphone, deviceToken: 'ab', providerId: 'fcm-main' }, /no APNS provider/],
    ['providerId', { platform: 'fcm_web', fcmToken: 'x', providerId: 'nobody' }, /Add it first/],
  ])('answers 400 naming %s, and registers nothing', async (field, body, sentence) => {
    const authToken = await house.newUser('refused');
    const answer = await register({ ...body, authToken });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[field]?.join(' ')).toMatch(sentence);
    expect(await tokensOf('refused')).toEqual([]);
  });

  it('answers 401 to an unknown auth token, and 400 to a key that does not say whose token it is', async () => {
    const body = { platform: iphone, deviceToken: newDeviceToken() };
    expect((await register({ ...body, authToken: 'nobody_1700000000000abc' })).status).toBe(401);
    expect((await register(body)).body.error.details).toHaveProperty('authToken');
  });

  it('answers a device whose auth token is revoked meanwhile as if it had been before', async () => {
    for (let round = 0; round < 20; round++) {
      const uid = `leaving-${round}`;
      const authToken = await house.newUser(uid);
      const answers = await Promise.all([
        register({ platform: iphone, deviceToken: newDeviceToken(), authToken }),
        register({ platform: iphone, deviceToken: newDeviceToken(), authToken }),
        house.asApp(`/v3/users/${uid}/auth_tokens/${authToken}`, { method: 'DELETE' }),
        register({ platform: iphone, deviceToken: newDeviceToken(), authToken }),
      ]);
      for (const { status, body } of answers)
        expect([200, 'AUTH_ERR_AUTH_TOKEN_NOT_FOUND']).toContain(status === 200 ? status : body.error.code);
      expect(await tokensOf(uid)).toEqual([]);
    }
  });
});
