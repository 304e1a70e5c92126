import { createECDH, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeOf } from '../../src/push/provider.ts';
import { replaceProvider } from '../../src/push/providers.ts';
import { stores } from '../gatehouse.ts';
import { base, startVendors, until, type Vendors } from './vendors.ts';

const pemOf = (type: 'ec' | 'rsa'): string =>
  (type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 })
  ).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();

const apnsOf = ({ simulator: { apns } }: Vendors) => {
  const { keyId, teamId, bundleId, p8Key } = apns;
  return { keyId, teamId, bundleId, p8Key };
};

describe.each(stores)('push providers on %s', (store) => {
  let house: Vendors;
  let hook: Server;
  let hookUrl = '';
  const calls: { headers: IncomingMessage['headers']; body: string }[] = [];
  let hookStatus = 200;
  const rsaKey = pemOf('rsa');
  beforeAll(async () => {
    house = await startVendors(store);
    hook = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        calls.push({ headers: request.headers, body });
        response.writeHead(hookStatus).end('words of the hook');
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const address = hook.address();
    hookUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/push`;
  });
  afterAll(async () => {
    await house.close();
    hook.close();
  });
  const providers = (kind: string, method = 'GET', body?: unknown) =>
    house.asApp(`${base}/providers/${kind}`, { method, ...(body !== undefined && { body }) });
  const fcm = (change: Record<string, unknown> = {}, creds: Record<string, unknown> = {}) => ({
    providerId: 'fcm-a',
    serviceAccountCreds: {
      project_id: 'chat-12345',
      client_email: 'push@chat-12345.iam.gserviceaccount.com',
      private_key: rsaKey,
      private_key_id: 'k1',
      ...creds,
    },
    ...change,
  });

  it('FCM: answers 200 without the key, 409 when it exists, and keeps the key when replaced without it', async () => {
    const added = await providers('fcm', 'POST', fcm());
    expect(added.status).toBe(200);
    expect(added.body.data.pushProviders[0]).toMatchObject({
      providerId: 'fcm-a',
      serviceAccountFilename: 'chat-12345.json',
      serviceAccountCreds: { project_id: 'chat-12345', private_key_id: 'k1' },
      isDefault: true,
    });
    expect(added.text).not.toContain('PRIVATE KEY');
    expect((await providers('fcm', 'POST', fcm())).status).toBe(409);
    const replaced = await providers('fcm', 'PUT', {
      providerId: 'fcm-a',
      notificationInPayload: { ios: { chat: true } },
    });
    expect(replaced.body.data.pushProviders[0]).toMatchObject({
      privateKeyFingerprint: added.body.data.pushProviders[0].privateKeyFingerprint,
      notificationInPayload: { ios: { chat: true, call: false } },
    });
    expect((await providers('fcm', 'PUT', { providerId: 'fcm-none' })).status).toBe(404);
    await providers('fcm', 'POST', fcm({ providerId: 'fcm-b' }));
    expect((await providers('fcm/default/fcm-b', 'PUT')).status).toBe(200);
    const listed = (await providers('fcm')).body.data.pushProviders;
    expect(listed.map((one: { isDefault: boolean }) => one.isDefault)).toEqual([false, true]);
    expect((await providers('fcm/fcm-b', 'DELETE')).status).toBe(200);
    expect((await providers('fcm')).body.data.pushProviders[0].isDefault).toBe(true);
  });

  it.each([
    ['serviceAccountCreds.private_key', fcm({}, { private_key: 'garbage' }), /not a private key/],
    ['serviceAccountCreds.private_key', fcm({}, { private_key: pemOf('ec') }), /not an RSA key/],
    ['serviceAccountCreds.project_id', fcm({}, { project_id: 'NOT VALID' }), /project id/],
    ['serviceAccountCreds.token_uri', fcm({}, { token_uri: 'https://evil.example.com/token' }), /Google/],
    ['serviceAccountCreds.client_email', fcm({}, { client_email: 'nobody' }), /e-mail/],
  ])('FCM: answers 400 naming %s', async (field, body, sentence) => {
    const answer = await providers('fcm', 'POST', { ...body, providerId: 'fcm-bad' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[field]?.join(' ')).toMatch(sentence);
    expect(answer.text).not.toContain('PRIVATE KEY');
  });

  it('Web Push: makes a key pair, and a registered browser gets its push', async () => {
    const added = await providers('webpush', 'POST', { providerId: 'browsers', subject: 'mailto:push@example.org' });
    expect(added.body.data.pushProviders[0].vapidPublicKey).toMatch(/^[\w-]{87}$/);
    const { endpoint, p256dh, auth } = house.simulator.webpush.subscribe();
    const authToken = await house.newUser('browser');
    const register = (keys: Record<string, string>) =>
      house.asApp(`${base}/tokens`, {
        body: { platform: 'webpush', webPushSubscription: { endpoint, keys }, authToken },
      });
    expect((await register({ p256dh, auth })).status).toBe(200);
    expect((await register({ p256dh, auth: auth.slice(0, 18) })).body.error.details).toHaveProperty([
      'webPushSubscription.keys.auth',
    ]);
    const listed = await house.asApp(`${base}/tokens?uid=browser`);
    expect(listed.body.data.pushTokens[0]).toMatchObject({
      pushToken: endpoint,
      platform: 'webpush',
      pushTokenType: 'chat',
    });
    expect(listed.text).not.toContain(auth);
    const done = await house.finished(await house.send({ to: { uids: ['browser'] }, title: 'Hello' }));
    expect(done.counts).toMatchObject({ sent: 1, failed: 0 });
    house.simulator.webpush.kill(endpoint);
    await house.finished(await house.send({ to: { uids: ['browser'] }, title: 'Hello' }));
    expect((await house.asApp(`${base}/tokens?uid=browser`)).body.data.pushTokens).toEqual([]);
    const wrong = {
      providerId: 'pair',
      subject: 'mailto:a@example.org',
      vapidPublicKey: added.body.data.pushProviders[0].vapidPublicKey,
    };
    expect((await providers('webpush', 'POST', wrong)).body.error.details).toHaveProperty('vapidPrivateKey');
  });

  it.each([
    ['fcm', fcm({ providerId: 'again' }, { private_key_id: undefined })],
    ['webpush', { providerId: 'again', subject: 'mailto:push@example.org' }],
    ['apns', () => ({ ...apnsOf(house), providerId: 'again' })],
  ])('%s: takes back what a listing shows, and keeps the key', async (kind, body) => {
    expect((await providers(kind, 'POST', typeof body === 'function' ? body() : body)).status).toBe(200);
    const find = async () =>
      (await providers(kind)).body.data.pushProviders.find((one: { providerId: string }) => one.providerId === 'again');
    const sealed = () =>
      house.app.store.get("SELECT sealed FROM providers WHERE kind = $1 AND provider_id = 'again'", [kind]);
    const [shown, key] = [await find(), await sealed()];
    const answer = await providers(kind, 'PUT', shown);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    expect(await find()).toEqual({ ...shown, updatedAt: expect.any(String) });
    expect(await sealed()).toEqual(key);
    await providers(`${kind}/again`, 'DELETE');
  });

  it.each([
    ['apns', 'bundelId', () => ({ ...apnsOf(house), providerId: 'misspelt' })],
    ['fcm', 'serviceAcountFilename', () => fcm({ providerId: 'misspelt' })],
    ['webpush', 'subjcet', () => ({ providerId: 'misspelt', subject: 'mailto:push@example.org' })],
    ['custom', 'isEnabeld', () => ({ webhookURL: 'https://hook.example.org/push' })],
  ])('%s: answers 400 to the misspelt field %s', async (kind, field, body) => {
    for (const method of ['POST', 'PUT']) {
      const answer = await providers(kind, method, { ...body(), [field]: true });
      expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, [field]]);
    }
    expect((await providers(kind)).text).not.toContain('misspelt');
  });

  it('FCM: takes the whole file of Google, and answers 400 to an unknown platform of notificationInPayload', async () => {
    const rest = { type: 'service_account', client_id: '1', universe_domain: 'googleapis.com' };
    expect((await providers('fcm', 'POST', fcm({ providerId: 'whole' }, rest))).status).toBe(200);
    const change = { providerId: 'whole', notificationInPayload: { windows: { chat: true }, ios: { chatt: true } } };
    const answer = await providers('fcm', 'PUT', change);
    expect(Object.keys(answer.body.error.details).sort()).toEqual([
      'notificationInPayload.ios.chatt',
      'notificationInPayload.windows',
    ]);
    await providers('fcm/whole', 'DELETE');
  });

  it.each([
    [
      'apns',
      () => ({
        ...apnsOf(house),
        providerId: 'kept',
        p8KeyFilename: 'mine.p8',
        includeContentAvailable: true,
        includeMutableContent: true,
        productionMode: true,
      }),
    ],
    ['fcm', () => fcm({ providerId: 'kept', notificationInPayload: { ios: { chat: true, call: true } } })],
    ['webpush', () => ({ providerId: 'kept', subject: 'mailto:push@example.org' })],
    [
      'custom',
      () => ({
        webhookURL: 'https://hook.example.org/push',
        isEnabled: false,
        useBasicAuth: true,
        basicAuthUsername: 'u',
        basicAuthPassword: 'p',
      }),
    ],
  ])('%s: keeps what a replacement leaves out', async (kind, body) => {
    expect((await providers(kind, 'POST', body())).status).toBe(200);
    const find = async () =>
      (await providers(kind)).body.data.pushProviders.find((one: { providerId: string }) =>
        ['kept', 'custom'].includes(one.providerId),
      );
    const before = await find();
    const answer = await providers(kind, 'PUT', kind === 'custom' ? {} : { providerId: 'kept' });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    expect(await find()).toEqual({ ...before, updatedAt: expect.any(String) });
    if (kind === 'fcm') {
      await providers(kind, 'PUT', { providerId: 'kept', notificationInPayload: { ios: { chat: false } } });
      expect((await find()).notificationInPayload.ios).toEqual({ chat: false, call: true });
    }
    await providers(kind === 'custom' ? kind : `${kind}/kept`, 'DELETE');
  });

  it('APNS: asks for the key with another keyId, and names its file anew', async () => {
    await providers('apns', 'POST', { ...apnsOf(house), providerId: 'rekeyed' });
    const change = { providerId: 'rekeyed', keyId: 'NEWKEY1234' };
    const refused = await providers('apns', 'PUT', change);
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([400, ['p8Key']]);
    const answer = await providers('apns', 'PUT', { ...change, p8Key: pemOf('ec') });
    const [shown] = answer.body.data.pushProviders;
    expect(shown).toMatchObject({ keyId: 'NEWKEY1234', p8KeyFilename: 'AuthKey_NEWKEY1234.p8' });
    await providers('apns/rekeyed', 'DELETE');
  });

  const storedPair = async () => {
    const row = await house.app.store.get<{ settings: string; sealed: string }>(
      "SELECT settings, sealed FROM providers WHERE app_id = $1 AND kind = 'webpush' AND provider_id = 'raced'",
      [house.appId],
    );
    if (row === undefined) throw new Error('There is no such provider.');
    const { vapidPublicKey, subject } = JSON.parse(row.settings);
    return { ...row, vapidPublicKey, subject };
  };

  it('Web Push: keeps both keys of a pair together when two replace it at once', async () => {
    const subject = 'mailto:push@example.org';
    await providers('webpush', 'POST', { providerId: 'raced', subject });
    const curve = createECDH('prime256v1');
    for (let round = 0; round < 5; round++) {
      const vapidPublicKey = curve.generateKeys('base64url');
      const vapidPrivateKey = curve.getPrivateKey('base64url');
      const answers = await Promise.all([
        providers('webpush', 'PUT', { providerId: 'raced', subject, vapidPublicKey, vapidPrivateKey }),
        providers('webpush', 'PUT', { providerId: 'raced', subject: `mailto:${round}@example.org` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const { sealed, vapidPublicKey: stored } = await storedPair();
      expect(stored).toBe(vapidPublicKey);
      expect(house.app.keyring.open(sealed, placeOf(house.appId, 'webpush', 'raced'))).toBe(vapidPrivateKey);
    }
    await providers('webpush/raced', 'DELETE');
  });

  it('Web Push: is paused with the reason when it cannot be opened, and a test says the same', async () => {
    const subject = 'mailto:push@example.org';
    await providers('webpush', 'POST', { providerId: 'raced', subject });
    const { settings, sealed, vapidPublicKey } = await storedPair();
    const other = createECDH('prime256v1').generateKeys('base64url');
    const pushed = {
      appId: house.appId,
      actor: 'test',
      kind: 'webpush' as const,
      providerId: 'raced',
      settings: { subject, vapidPublicKey: other },
      sealed,
    };
    const stale = { ...pushed, read: { settings, sealed: 'as it was before' } };
    expect(await house.app.store.change(replaceProvider, stale)).toBe(false);
    expect((await storedPair()).vapidPublicKey).toBe(vapidPublicKey);
    expect(await house.app.store.change(replaceProvider, { ...pushed, read: { settings, sealed } })).toBe(true);

    const { endpoint, p256dh, auth } = house.simulator.webpush.subscribe();
    const authToken = await house.newUser('raced-browser');
    const webPushSubscription = { endpoint, keys: { p256dh, auth } };
    await house.asApp(`${base}/tokens`, {
      body: { platform: 'webpush', providerId: 'raced', webPushSubscription, authToken },
    });
    const why = expect.stringMatching(/^The provider cannot be opened: .* does not belong to .* Replace it/);
    const test = await providers('webpush/raced/test', 'POST', { pushToken: endpoint });
    expect([test.status, test.body.data]).toEqual([
      200,
      expect.objectContaining({ success: false, outcome: 'pauseProvider', status: 0, detail: why }),
    ]);
    const id = await house.send({ to: { uids: ['raced-browser'] }, title: 'Hello' });
    const health = async () =>
      (await providers('health')).body.data.find((one: { providerId: string }) => one.providerId === 'raced');
    await until(async () => (await health()).isPaused);
    expect(await health()).toMatchObject({ pausedReason: why, lastError: why, waiting: 1 });
    const curve = createECDH('prime256v1');
    const pair = { vapidPublicKey: curve.generateKeys('base64url'), vapidPrivateKey: curve.getPrivateKey('base64url') };
    expect((await providers('webpush', 'PUT', { providerId: 'raced', subject, ...pair })).status).toBe(200);
    expect((await house.finished(id)).counts.sent).toBe(1);
    await providers('webpush/raced', 'DELETE');
  });

  it('FCM: answers 400 to another account without its key', async () => {
    const { private_key: _key, ...account } = fcm({}, { client_email: 'other@example.org' }).serviceAccountCreds;
    const answer = await providers('fcm', 'PUT', { providerId: 'fcm-a', serviceAccountCreds: account });
    expect(answer.body.error.details['serviceAccountCreds.private_key']?.join(' ')).toMatch(/another client_email/);
  });

  it('custom: wants a password that it never had before it uses one', async () => {
    const custom = { webhookURL: 'https://hook.example.org/push', basicAuthUsername: 'u' };
    expect((await providers('custom', 'POST', custom)).status).toBe(200);
    const use = { ...custom, useBasicAuth: true };
    expect((await providers('custom', 'PUT', use)).body.error.details).toHaveProperty('basicAuthPassword');
    expect((await providers('custom', 'PUT', { ...use, basicAuthPassword: 'p' })).status).toBe(200);
    expect((await providers('custom', 'PUT', use)).status).toBe(200);
    await providers('custom', 'DELETE');
  });

  it('custom: is called once a user with its credentials, is paused when it refuses them, and goes on', async () => {
    const body = {
      webhookURL: hookUrl,
      useBasicAuth: true,
      basicAuthUsername: 'house',
      basicAuthPassword: 'pass-word-1',
    };
    const added = await providers('custom', 'POST', body);
    expect(added.status).toBe(200);
    expect(added.text).not.toContain('pass-word-1');
    expect((await providers('custom', 'POST', body)).status).toBe(409);
    const done = await house.finished(
      await house.send({ to: { uids: ['anybody'] }, title: 'Hello', data: { room: '7' } }),
    );
    expect(done.counts.sent).toBe(1);
    expect(calls.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from('house:pass-word-1').toString('base64')}`);
    expect(JSON.parse(calls.at(-1)?.body ?? '{}')).toMatchObject({
      trigger: 'push-notification-payload-generated',
      data: { to: { uid: 'anybody' }, notificationDetails: { title: 'Hello', room: '7' } },
      appId: house.appId,
      webhook: 'custom',
    });
    hookStatus = 401;
    const id = await house.send({ to: { uids: ['anybody'] }, title: 'Held' });
    const health = async () =>
      (await providers('health')).body.data.find((one: { kind: string }) => one.kind === 'custom');
    await until(async () => (await health()).isPaused);
    hookStatus = 200;
    expect((await providers('custom/custom/resume', 'POST')).status).toBe(200);
    expect((await house.finished(id)).counts.sent).toBe(1);
    const test = await providers('custom/custom/test', 'POST', { pushToken: 'anybody' });
    expect(test.body.data).toMatchObject({ success: true, status: 200, detail: 'words of the hook' });
    expect((await providers('custom', 'DELETE')).status).toBe(200);
  });

  it('custom: is called for what people see, and not at all once it is switched off', async () => {
    await providers('custom', 'POST', { webhookURL: hookUrl });
    const silent = await house.finished(
      await house.send({ to: { uids: ['anybody'] }, pushType: 'background', data: { a: '1' } }),
    );
    expect(silent).toMatchObject({ counts: { sent: 0 }, skippedByReason: { NO_DEVICE: 1 } });
    hookStatus = 503;
    const before = calls.length;
    const id = await house.send({ to: { uids: ['anybody', 'somebody'] }, title: 'Too late' });
    await until(() => calls.length > before + 1);
    const off = await providers('custom', 'PUT', { webhookURL: hookUrl, isEnabled: false });
    expect(off.body.data.pushProviders[0].isEnabled).toBe(false);
    hookStatus = 200;
    const done = await house.finished(id);
    expect(done.counts).toMatchObject({ sent: 0, failed: 0, skipped: 2, queued: 0 });
    expect(done.skippedByReason).toEqual({ PROVIDER_DISABLED: 2 });
    const logs = await house.asApp('/v3/notifications/v1/logs?reason=PROVIDER_DISABLED');
    expect(logs.body.data.map((log: { member: string }) => log.member)).toEqual(['anybody', 'somebody']);
    expect((await providers('custom', 'DELETE')).status).toBe(200);
  });

  it.each([
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'http://example.org/x',
    'https://user:secret@example.org/',
    'nonsense',
  ])('custom: answers 400 to the address %s', async (webhookURL) => {
    const answer = await providers('custom', 'POST', { webhookURL });
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['webhookURL']]);
  });

  it('says in the test answer, in health and in the log why a vendor cannot be reached', async () => {
    const serviceAccountCreds = { ...house.simulator.fcm.serviceAccount, token_uri: 'https://localhost:9/token' };
    expect((await providers('fcm', 'POST', fcm({ providerId: 'away', serviceAccountCreds }))).status).toBe(200);
    const test = await providers('fcm/away/test', 'POST', { pushToken: 'x' });
    expect(test.body.data).toMatchObject({
      success: false,
      status: 0,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    expect(house.logs()).toMatch(/ECONNREFUSED.*push vendor fails/);
    const authToken = await house.newUser('far');
    const token = { platform: 'fcm_android', fcmToken: 'far-away', providerId: 'away', authToken };
    expect((await house.asApp(`${base}/tokens`, { body: token })).status).toBe(200);
    await house.send({ to: { uids: ['far'] }, title: 'x' });
    const lastError = async () =>
      (await providers('health')).body.data.find((one: { providerId: string }) => one.providerId === 'away').lastError;
    await until(async () => (await lastError()) !== undefined);
    expect(await lastError()).toContain('ECONNREFUSED');
    await providers('fcm/away', 'DELETE');
  });

  it('answers 404 to a test of a provider that is not there, and 403 with an authOnly key', async () => {
    const test = await providers('apns/none/test', 'POST', { pushToken: 'ab' });
    expect([test.status, test.body.error.code]).toEqual([404, 'ERR_PROVIDER_NOT_FOUND']);
    const answer = await house.ask(`${base}/providers/health`, { headers: { apikey: house.authOnly } });
    expect(answer.status).toBe(403);
  });

  it('refuses a token whose provider does not fit its platform', async () => {
    const authToken = await house.newUser('unfit');
    const answer = await house.asApp(`${base}/tokens`, {
      body: { platform: 'apns_ios_device', deviceToken: 'ab'.repeat(32), authToken, providerId: 'fcm-a' },
    });
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['providerId']]);
  });
});
