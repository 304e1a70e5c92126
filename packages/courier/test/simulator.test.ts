import { createPrivateKey, X509Certificate } from 'node:crypto';
import { connect } from 'node:http2';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { postForm } from '../src/http1.ts';
import {
  createApnsSender,
  createFcmSender,
  createWebPushSender,
  generateVapidKeys,
  systemClock,
} from '../src/index.ts';
import { signJwt } from '../src/jwt.ts';
import { AcceptedIds } from '../src/simulator/accepted-ids.ts';
import { makeCertificates, NO_FAULTS, parseFaults, type Simulator, startSimulator } from '../src/simulator/index.ts';
import { encrypt, readKeys } from '../src/webpush/encrypt.ts';
import { Vapid } from '../src/webpush/vapid.ts';
import { TOKEN } from './sim.ts';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ seed: 1 });
});

afterEach(() => simulator.close());

test('the certificates are ones OpenSSL reads: signed by the authority, for the names and addresses asked for', () => {
  const { ca, cert, key } = makeCertificates(['localhost', 'push.test'], ['127.0.0.1']);
  const [authority, server] = [new X509Certificate(ca), new X509Certificate(cert)];
  expect(authority.ca).toBe(true);
  expect(server.ca).toBe(false);
  expect(authority.verify(authority.publicKey)).toBe(true);
  expect(server.verify(authority.publicKey)).toBe(true);
  expect(server.checkIssued(authority)).toBe(true);
  expect(server.checkHost('push.test')).toBe('push.test');
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true);
});

/** A request by another HTTP/2 client. */
function exchange(
  origin: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const session = connect(origin, { ca: simulator.ca });
    session.on('error', reject);
    const stream = session.request(headers);
    let text = '';
    let status = 0;
    stream.on('response', (answer) => {
      status = Number(answer[':status']);
    });
    stream.on('data', (part) => {
      text += part;
    });
    stream.on('end', () => {
      session.close();
      resolve({ status, text });
    });
    stream.on('error', reject);
    stream.end(body);
  });
}

describe('the simulated Apple', () => {
  function good(): Record<string, string> {
    const key = createPrivateKey(simulator.apns.p8Key);
    const jwt = signJwt(
      { kid: simulator.apns.keyId },
      { iss: simulator.apns.teamId, iat: Math.floor(Date.now() / 1000) },
      key,
    );
    return {
      ':method': 'POST',
      ':path': `/3/device/${TOKEN}`,
      authorization: `bearer ${jwt}`,
      'apns-topic': simulator.apns.bundleId,
      'apns-push-type': 'alert',
      'apns-id': '0f8fad5b-d9cb-469f-a165-70867728950e',
    };
  }
  const payload = '{"aps":{"alert":"x"}}';

  async function ask(headers: Record<string, string>, body: string): Promise<{ status: number; reason: string }> {
    const { status, text } = await exchange(`https://${simulator.apns.host}`, headers, body);
    return { status, reason: text === '' ? '' : JSON.parse(text).reason };
  }

  test('accepts a push of any correct client', async () => {
    expect(await ask(good(), payload)).toEqual({ status: 200, reason: '' });
  });

  test.each([
    ['another method', { ':method': 'PUT' }, payload, 405, 'MethodNotAllowed'],
    ['another path', { ':path': '/2/device/ab' }, payload, 404, 'BadPath'],
    ['no token', { ':path': '/3/device/' }, payload, 400, 'MissingDeviceToken'],
    ['a token that is not hex', { ':path': '/3/device/xyz' }, payload, 400, 'BadDeviceToken'],
    ['a foreign topic', { 'apns-topic': 'com.other' }, payload, 400, 'TopicDisallowed'],
    ['no push type', { 'apns-push-type': '' }, payload, 400, 'InvalidPushType'],
    ['a background push at priority 10', { 'apns-push-type': 'background' }, payload, 400, 'BadPriority'],
    ['priority 7', { 'apns-priority': '7' }, payload, 400, 'BadPriority'],
    ['a bad expiration', { 'apns-expiration': 'soon' }, payload, 400, 'BadExpirationDate'],
    ['a bad id', { 'apns-id': 'ABC' }, payload, 400, 'BadMessageId'],
    ['a long collapse id', { 'apns-collapse-id': 'x'.repeat(65) }, payload, 400, 'BadCollapseId'],
    ['no JWT', { authorization: '' }, payload, 403, 'MissingProviderToken'],
    ['a forged JWT', { authorization: 'bearer a.b.c' }, payload, 403, 'InvalidProviderToken'],
    ['no payload', {}, '', 400, 'PayloadEmpty'],
    ['a payload too large', {}, `{"aps":{"alert":"${'x'.repeat(4_100)}"}}`, 413, 'PayloadTooLarge'],
  ])('refuses %s', async (_what, change, body, status, reason) => {
    expect(await ask({ ...good(), ...change }, body)).toEqual({ status, reason });
  });

  test('refuses an old JWT', async () => {
    const key = createPrivateKey(simulator.apns.p8Key);
    const iat = Math.floor(Date.now() / 1000) - 3_700;
    const jwt = signJwt({ kid: simulator.apns.keyId }, { iss: simulator.apns.teamId, iat }, key);
    expect(await ask({ ...good(), authorization: `bearer ${jwt}` }, payload)).toEqual({
      status: 403,
      reason: 'ExpiredProviderToken',
    });
  });
});

describe('the simulated Google', () => {
  const target = { token: 'fcm-token-123' };
  const shown = { notification: { title: 'T' } };

  async function ask(change: Record<string, string>, content: unknown): Promise<{ status: number; message: string }> {
    const { serviceAccount, endpoint } = simulator.fcm;
    const iat = Math.floor(Date.now() / 1000);
    const claims = {
      iss: serviceAccount.client_email,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: serviceAccount.token_uri ?? '',
      iat,
      exp: iat + 3_600,
    };
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signJwt({}, claims, createPrivateKey(serviceAccount.private_key)),
    };
    const grant = await postForm(serviceAccount.token_uri ?? '', form, { ca: simulator.ca });
    const headers = {
      ':method': 'POST',
      ':path': `/v1/projects/${serviceAccount.project_id}/messages:send`,
      authorization: `Bearer ${JSON.parse(grant.body).access_token}`,
      'content-type': 'application/json',
      ...change,
    };
    const answer = await exchange(endpoint, headers, typeof content === 'string' ? content : JSON.stringify(content));
    return { status: answer.status, message: JSON.parse(answer.text).error?.message ?? '' };
  }

  test('accepts a push of any correct client', async () => {
    expect(await ask({}, { message: { ...target, ...shown } })).toEqual({ status: 200, message: '' });
  });

  test.each([
    ['another path', { ':path': '/v1/projects/other/messages:send' }, { message: target }, 404, 'not found'],
    ['another method', { ':method': 'PUT' }, { message: target }, 404, 'not found'],
    ['no access token', { authorization: '' }, { message: target }, 401, 'invalid authentication'],
    ['an access token of nobody', { authorization: 'Bearer x' }, { message: target }, 401, 'invalid authentication'],
    ['another content type', { 'content-type': 'text/plain' }, { message: target }, 400, 'content-type'],
    ['what is no JSON', {}, '{', 400, 'Invalid JSON'],
    ['no message', {}, {}, 400, 'message is required'],
    ['no target', {}, { message: shown }, 400, 'Exactly one'],
    ['two targets', {}, { message: { ...target, topic: 'x' } }, 400, 'Exactly one'],
    ['a field nobody knows', {}, { message: { ...target, colour: 1 } }, 400, 'Unknown name "colour"'],
    ['a token that cannot be one', {}, { message: { token: 'a b' } }, 400, 'not a valid FCM registration token'],
    ['data that is no string', {}, { message: { ...target, data: { n: 1 } } }, 400, 'strings'],
    ['a reserved key', {}, { message: { ...target, data: { from: 'x' } } }, 400, 'Invalid data payload key'],
    ['a message too large', {}, { message: { ...target, data: { a: 'x'.repeat(4_100) } } }, 400, 'too big'],
    ['a topic message too large', {}, { message: { topic: 'x', data: { a: 'x'.repeat(2_100) } } }, 400, 'too big'],
  ])('refuses %s', async (_what, change, content, status, message) => {
    expect(await ask(change, content)).toEqual({ status, message: expect.stringContaining(message) });
  });

  test.each([
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['a forged assertion', { assertion: 'a.b.c' }, 'invalid_grant'],
  ])('gives no access token for %s', async (_what, change, error) => {
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: '', ...change };
    const answer = await postForm(simulator.fcm.serviceAccount.token_uri ?? '', form, { ca: simulator.ca });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { error }]);
  });
});

describe('the simulated push service', () => {
  async function ask(change: Record<string, string>, body?: Buffer): Promise<{ status: number; text: string }> {
    const { endpoint, p256dh, auth } = simulator.webpush.subscribe();
    const { origin, pathname } = new URL(endpoint);
    const headers = {
      ':method': 'POST',
      ':path': pathname,
      authorization: new Vapid(generateVapidKeys(), 'mailto:a@example.com', systemClock).authorization(origin),
      'content-encoding': 'aes128gcm',
      ttl: '60',
      ...change,
    };
    return await exchange(origin, headers, body ?? encrypt(Buffer.from('x'), readKeys(p256dh, auth)));
  }

  test('accepts a push of any correct client', async () => {
    expect(await ask({ urgency: 'high', topic: 'abc' })).toEqual({ status: 201, text: '' });
  });

  test.each([
    ['another method', { ':method': 'PUT' }, 405, 'only POST'],
    ['an unknown subscription', { ':path': '/push/x' }, 404, 'no such subscription'],
    ['no VAPID', { authorization: '' }, 401, 'bad VAPID'],
    ['a forged VAPID', { authorization: 'vapid t=a.b.c, k=d' }, 403, 'bad VAPID'],
    ['no TTL', { ttl: '' }, 400, 'TTL is required'],
    ['another encoding', { 'content-encoding': 'gzip' }, 400, 'aes128gcm'],
    ['an urgency nobody knows', { urgency: 'now' }, 400, 'bad Urgency'],
    ['a topic too long', { topic: 'x'.repeat(33) }, 400, 'bad Topic'],
  ])('refuses %s', async (_what, change, status, text) => {
    expect(await ask(change)).toEqual({ status, text: expect.stringContaining(text) });
  });

  test('refuses VAPID for another origin', async () => {
    const vapid = new Vapid(generateVapidKeys(), 'mailto:a@example.com', systemClock);
    expect((await ask({ authorization: vapid.authorization('https://other.example') })).status).toBe(403);
  });

  test.each([
    ['what it cannot decrypt', 200, 400, 'cannot be decrypted'],
    ['a body too large', 4_097, 413, 'too large'],
  ])('refuses %s', async (_what, bytes, status, text) => {
    expect(await ask({}, Buffer.alloc(bytes))).toEqual({ status, text });
  });
});

describe('the control API', () => {
  async function call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(simulator.controlUrl + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed: unknown = await response.json();
    return { status: response.status, body: typeof parsed === 'object' && parsed !== null ? { ...parsed } : {} };
  }

  test('changes faults of one provider while it runs, and tells what it got without credentials', async () => {
    const sender = createApnsSender({ ...simulator.apns, production: false, ca: simulator.ca });
    expect((await call('PUT', '/faults', { provider: 'apns', errorShare: 1 })).status).toBe(200);
    expect((await sender.sendOne(TOKEN, { title: 'T' })).provider.status).toBe(500);
    await call('PUT', '/faults', { provider: 'apns', errorShare: 0 });
    expect((await sender.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    const state = await call('GET', '/state');
    expect(state.body).toMatchObject({
      apns: { connections: 1, counts: { received: 2, accepted: 1, duplicated: 0 } },
      fcm: { faults: { errorShare: 0 } },
    });
    const records = JSON.stringify((await call('GET', '/records')).body);
    expect(records).toContain(TOKEN);
    expect(records).not.toContain('bearer');
    await call('DELETE', '/records');
    expect(simulator.apns.records.counts().received).toBe(0);
    await sender.close();
  });

  test('lets one push meet a refused stream, a GOAWAY or a cut, once, and counts them', async () => {
    const lost: string[] = [];
    const sender = createApnsSender({
      ...simulator.apns,
      production: false,
      ca: simulator.ca,
      onEvent: (event) => lost.push(event.name),
    });
    const { serviceAccount, endpoint } = simulator.fcm;
    const fcm = createFcmSender({ serviceAccount, endpoint, ca: simulator.ca, rampMs: 0 });
    const web = createWebPushSender({
      vapid: generateVapidKeys(),
      subject: 'mailto:a@example.com',
      ca: simulator.ca,
      allowPrivate: true,
    });
    const token = (digit: string): string => digit.repeat(64);
    await call('POST', '/once', { provider: 'apns', target: token('1'), fault: 'refused' });
    await call('POST', '/once', { provider: 'apns', target: token('2'), fault: 'goaway' });
    await call('POST', '/once', { provider: 'apns', target: token('3'), fault: 'cut' });
    await call('POST', '/once', { provider: 'fcm', target: 'fcm-token-123', fault: 'refused' });
    const subscription = simulator.webpush.subscribe();
    await call('POST', '/once', { provider: 'webpush', target: subscription.endpoint, fault: 'refused' });
    expect((await sender.sendOne(token('1'), { title: 'T' })).kind).toBe('sent');
    expect((await sender.sendOne(token('2'), { title: 'T' })).kind).toBe('sent');
    expect(lost).toContain('goaway');
    expect(await sender.sendOne(token('3'), { title: 'T' })).toMatchObject({ kind: 'retry', certainty: 'unknown' });
    expect((await sender.sendOne(token('3'), { title: 'T' })).kind).toBe('sent');
    expect((await fcm.sendOne('fcm-token-123', { title: 'T' })).kind).toBe('sent');
    expect((await web.sendOne(subscription, { title: 'T' })).kind).toBe('sent');
    expect((await call('GET', '/state')).body).toMatchObject({
      apns: { faultCounts: { refused: 1, goaway: 1, cut: 1, hardGoaway: 0 } },
      fcm: { faultCounts: { refused: 1 } },
      webpush: { faultCounts: { refused: 1 } },
    });
    expect((await call('POST', '/once', { target: 'x', fault: 'fire' })).status).toBe(400);
    expect((await call('POST', '/once', { fault: 'cut' })).status).toBe(400);
    await Promise.all([sender.close(), fcm.close(), web.close()]);
  });

  test('tells which pushes were lost, accepted twice, or never told as sent, by their apns-id', async () => {
    const sender = createApnsSender({ ...simulator.apns, production: false, ca: simulator.ca });
    const id = (digit: string): string => `00000000-0000-4000-8000-00000000000${digit}`;
    for (const digit of ['1', '2', '2', '3']) await sender.sendOne(TOKEN, { title: 'T' }, id(digit));
    const answer = await call('POST', '/records/compare', { sent: [id('1'), id('2'), id('4'), id('4')] });
    expect(answer).toEqual({ status: 200, body: { lost: 1, duplicated: 1, unclaimed: 1 } });
    expect((await call('POST', '/records/compare', {})).status).toBe(400);
    await sender.close();
  });

  test('makes subscriptions, and says what it does not know', async () => {
    expect((await call('POST', '/subscriptions')).body).toMatchObject({
      endpoint: expect.stringContaining('https://localhost'),
    });
    expect(await call('PUT', '/faults', { nonsense: 1 })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^there is no fault "nonsense"; there are latencyMs, /) },
    });
    expect((await call('PUT', '/faults', { errorShare: 2 })).status).toBe(400);
    expect((await call('PUT', '/faults', { provider: 'wns', errorShare: 1 })).status).toBe(400);
    expect((await call('GET', '/nothing')).status).toBe(404);
  });
});

test('faults can be read from a command line', () => {
  expect(parseFaults(['latencyMs=20', 'errorShare=0.5'])).toEqual({ ...NO_FAULTS, latencyMs: 20, errorShare: 0.5 });
  for (const wrong of ['latencyMs', 'latencyMs=', '=1', 'latencyMs=x', 'errorShare=2', 'nonsense=1'])
    expect(() => parseFaults([wrong])).toThrow(TypeError);
});

test('the account of accepted ids is that of a map, whatever the ids', () => {
  const digits = fc.constantFrom(...'019af');
  const uuid = fc
    .tuple(digits, digits, fc.constantFrom('a', 'A', '-'))
    .map(([a, b, c]) => `${a.repeat(8)}-00${b}0-4000-8000-00000000000${c}`);
  const id = fc.oneof(uuid, fc.constantFrom('', 'projects/p/messages/1', 'ü'.repeat(36), '-'.repeat(36)), fc.uuid());
  fc.assert(
    fc.property(fc.array(id, { maxLength: 200 }), fc.integer({ min: 0, max: 6_000 }), (ids, filler) => {
      const kept = new AcceptedIds();
      const map = new Map<string, number>();
      const counting = Array.from(
        { length: filler },
        (_, i) => `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`,
      );
      for (const each of [...ids, ...counting]) {
        expect(kept.add(each)).toBe(map.get(each) ?? 0);
        map.set(each, (map.get(each) ?? 0) + 1);
      }
      expect(new Map([...kept.ids()].map((each) => [each, kept.times(each)]))).toEqual(map);
      kept.clear();
      expect([...kept.ids()]).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('the same id accepted twice counts as a duplicate', async () => {
  const sender = createApnsSender({ ...simulator.apns, production: false, ca: simulator.ca });
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  await sender.sendOne(TOKEN, { title: 'T' }, id);
  await sender.sendOne(TOKEN, { title: 'T' }, id);
  expect(simulator.apns.records.counts().duplicated).toBe(1);
  expect(simulator.apns.records.acceptedTimes(id)).toBe(2);
  await sender.close();
});

test('an outage of APNs starves no FCM push', async () => {
  simulator.apns.setFaults({ blackHoleShare: 1 });
  const apns = createApnsSender({ ...simulator.apns, production: false, ca: simulator.ca, timeoutMs: 300 });
  const { serviceAccount, endpoint } = simulator.fcm;
  const fcm = createFcmSender({ serviceAccount, endpoint, ca: simulator.ca, rampMs: 0 });
  const message = apns.prepare({ title: 'T' });
  let lost = 0;
  for (let i = 0; i < 1_000; i++) apns.send(TOKEN, message, i, () => lost++);
  for (let i = 0; i < 20; i++) expect((await fcm.sendOne('fcm-token-123', { title: 'T' })).kind).toBe('sent');
  await apns.close(10);
  expect(lost).toBe(1_000);
  await fcm.close();
});
