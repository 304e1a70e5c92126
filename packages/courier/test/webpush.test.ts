import { createECDH } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { decrypt } from 'http_ece';
import { importJWK, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_TRANSPORT } from '../src/h2/transport.ts';
import { Http1Connection } from '../src/http1-connection.ts';
import { createWebPushSender, generateVapidKeys, type WebPushSender, whyNotKey } from '../src/index.ts';
import { HeaderList } from '../src/simulator/header-list.ts';
import { makeCertificates, type Simulator, startSimulator } from '../src/simulator/index.ts';
import { WebPushRules } from '../src/simulator/webpush-rules.ts';
import { webPushRow } from '../src/webpush/answers.ts';
import { encrypt, PLAINTEXT_BYTES_MAX, readKeys } from '../src/webpush/encrypt.ts';
import { topicOf } from '../src/webpush/payload.ts';
import { Vapid } from '../src/webpush/vapid.ts';
import { certificates, type Peer, startHttp1Peer, startHttp2Peer } from './peer.ts';
import { ManualClock, outcomesOf } from './sim.ts';

let simulator: Simulator;
let senders: WebPushSender[];
const vapid = generateVapidKeys();

function sender(options: Partial<Parameters<typeof createWebPushSender>[0]> = {}): WebPushSender {
  const made = createWebPushSender({
    vapid,
    subject: 'mailto:ops@example.com',
    ca: simulator.ca,
    allowPrivate: true,
    ...options,
  });
  senders.push(made);
  return made;
}

beforeEach(async () => {
  senders = [];
  simulator = await startSimulator();
});

afterEach(async () => {
  await Promise.all(senders.map((each) => each.close()));
  await simulator.close();
});

describe('RFC 8291', () => {
  test('section 5: the example comes out byte for byte', () => {
    const receiver = readKeys(
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      'BTBZMqHH6r4Tts7J_aSIgg',
    );
    const sending = createECDH('prime256v1');
    sending.setPrivateKey(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'));
    const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
    const body = encrypt(Buffer.from('When I grow up, I want to be a watermelon'), receiver, sending, salt);
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    );
  });

  test.each([0, 1, 1_000, PLAINTEXT_BYTES_MAX])('%i bytes are decrypted by another library', (length) => {
    const key = createECDH('prime256v1');
    key.generateKeys();
    const auth = Buffer.alloc(16, 7);
    const text = Buffer.alloc(length, 'x');
    const body = encrypt(text, { publicKey: key.getPublicKey(), auth });
    expect(body.length).toBeLessThanOrEqual(4_096);
    expect(decrypt(body, { version: 'aes128gcm', privateKey: key, authSecret: auth.toString('base64url') })).toEqual(
      text,
    );
  });

  test('the most that fits is 3,993 bytes', () => {
    expect(PLAINTEXT_BYTES_MAX).toBe(3_993);
  });
});

describe('RFC 8292', () => {
  /** The example of section 2.4. */
  const EXAMPLE = {
    head: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9',
    claims:
      'eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0',
    signature: 'i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA',
    key: 'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs',
  };
  const EXPIRES_MS = 1_453_523_768_000;

  /** What the simulated push service answers to a push with this `authorization`, `earlyMs` before the example expires. */
  function statusOf(authorization: string, earlyMs = 3_600_000): number {
    const rules = new WebPushRules(new ManualClock(EXPIRES_MS - earlyMs));
    rules.origin = 'https://push.example.net';
    const { endpoint, p256dh, auth } = rules.subscribe();
    const headers = new HeaderList();
    headers.add(':method', 'POST');
    headers.add(':path', new URL(endpoint).pathname);
    headers.add('authorization', authorization);
    headers.add('content-encoding', 'aes128gcm');
    headers.add('ttl', '0');
    return rules.answer({ streamId: 1, headers, body: encrypt(Buffer.from('x'), readKeys(p256dh, auth)) }).status;
  }

  test("section 2.4: the RFC's own token is accepted in its last day, and no changed one is", () => {
    const { head, claims, signature, key } = EXAMPLE;
    const good = `vapid t=${head}.${claims}.${signature}, k=${key}`;
    expect(statusOf(good)).toBe(201);
    expect(statusOf(good, -1_000)).toBe(403);
    expect(statusOf(good, 25 * 3_600_000)).toBe(403);
    expect(statusOf(good.replace('t=eyJ0', 't=eyJ1'))).toBe(403);
    expect(statusOf(`vapid t=${head}.${claims}.${signature.replace('i3CY', 'i3CZ')}, k=${key}`)).toBe(403);
    expect(statusOf(`vapid t=${head}.${claims}.${signature}, k=${vapid.publicKey}`)).toBe(403);
  });

  test('section 2.4: for the same claims ours has the same header and claims byte for byte, and is accepted too', () => {
    // Ours lives twelve hours: at this moment it expires when the example does.
    const clock = new ManualClock(EXPIRES_MS - 12 * 3_600_000);
    const value = new Vapid(vapid, 'mailto:push@example.com', clock).authorization('https://push.example.net');
    const [, head, claims] = /^vapid t=([^.]+)\.([^.]+)\.[^.]{86}, k=/.exec(value) ?? [];
    expect([head, claims]).toEqual([EXAMPLE.head, EXAMPLE.claims]);
    expect(statusOf(value)).toBe(201);
  });

  test('the header verifies with another library, for its origin, within a day', async () => {
    const value = new Vapid(vapid, 'mailto:ops@example.com', new ManualClock(Date.now())).authorization(
      'https://push.example.net',
    );
    const [, jwt = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(value) ?? [];
    expect(key).toBe(vapid.publicKey);
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const { payload } = await jwtVerify(jwt, await importJWK(jwk, 'ES256'), { audience: 'https://push.example.net' });
    expect(payload.sub).toBe('mailto:ops@example.com');
    expect((payload.exp ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(86_400);
  });

  test('is signed once an origin and renewed before it ends', () => {
    const clock = new ManualClock();
    const signer = new Vapid(vapid, 'https://example.com', clock);
    const first = signer.authorization('https://a.example');
    expect(signer.authorization('https://a.example')).toBe(first);
    expect(signer.authorization('https://b.example')).not.toBe(first);
    clock.pass(11.5 * 3_600_000);
    expect(signer.authorization('https://a.example')).not.toBe(first);
  });

  test('is signed anew after the clock was put back, and not for a slip of seconds', () => {
    const clock = new ManualClock();
    const signer = new Vapid(vapid, 'https://example.com', clock);
    const first = signer.authorization('https://a.example');
    clock.pass(-5_000);
    expect(signer.authorization('https://a.example')).toBe(first);
    clock.pass(-36 * 3_600_000);
    const second = signer.authorization('https://a.example');
    const { exp } = JSON.parse(Buffer.from(second.split('.')[1] ?? '', 'base64url').toString());
    expect(exp - clock.epochMs() / 1000).toBeLessThanOrEqual(86_400);
    expect(signer.authorization('https://a.example')).toBe(second);
  });

  test.each(['localhost', 'http://example.com', ''])('the subject %j is refused', (subject) => {
    expect(() => sender({ subject })).toThrow(/subject/);
  });

  test('keys that do not belong together are refused', () => {
    expect(() => sender({ vapid: { ...vapid, privateKey: generateVapidKeys().privateKey } })).toThrow(
      /does not belong/,
    );
  });
});

describe('a push', () => {
  test.each(['lean', 'node'] as const)(
    'is decrypted by the browser at the other end, over the %s transport',
    async (transport) => {
      const outcome = await sender({ transport }).sendOne(simulator.webpush.subscribe(), {
        title: 'Hi',
        body: 'wörld',
        collapseId: 'conversation 1',
        ttlSeconds: 60,
        priority: 'high',
      });
      expect(outcome).toMatchObject({ kind: 'sent', provider: { status: 201, id: expect.stringMatching(/^https:/) } });
      const record = simulator.webpush.records.latest()[0];
      expect(JSON.parse(record?.body ?? '')).toEqual({ title: 'Hi', body: 'wörld', tag: 'conversation 1' });
      expect(record?.headers).toMatchObject({
        ttl: '60',
        urgency: 'high',
        topic: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      });
    },
  );

  test('too long is cut to what one record holds', async () => {
    const outcome = await sender().sendOne(simulator.webpush.subscribe(), { body: '🎉'.repeat(3_000) });
    expect(outcome.kind).toBe('sent');
    const text = JSON.parse(simulator.webpush.records.latest()[0]?.body ?? '{}').body;
    expect(text).toMatch(/^(🎉)+…$/u);
  });

  test('that a service finds too large all the same is cut to what the smallest one takes', async () => {
    simulator.webpush.setFaults({ bodyBytesMax: 2_900 });
    expect((await sender().sendOne(simulator.webpush.subscribe(), { body: 'x'.repeat(3_900) })).kind).toBe('sent');
    expect(simulator.webpush.records.counts().byReason).toEqual({ 'too large': 1 });
    expect(Buffer.byteLength(simulator.webpush.records.latest().at(-1)?.body ?? '')).toBe(2_744);
  });

  test('always says how long to keep it', async () => {
    await sender().sendOne(simulator.webpush.subscribe(), { title: 'T' });
    expect(simulator.webpush.records.latest()[0]?.headers.ttl).toBe('2419200');
  });

  test('to a service that speaks only HTTP/1.1 goes through all the same, on one connection', async () => {
    const certificates = makeCertificates(['localhost'], []);
    const seen: string[] = [];
    const sockets = new Set<unknown>();
    const server = createServer(certificates, (request, response) => {
      sockets.add(request.socket);
      seen.push(`${request.method} ${request.url} ${request.headers['content-encoding']}`);
      request.resume();
      request.on('end', () => response.writeHead(201, { location: '/m/1' }).end());
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { p256dh, auth } = simulator.webpush.subscribe();
    const sends = sender({ ca: certificates.ca, connectionsMax: 1 });
    for (let i = 0; i < 3; i++) {
      const outcome = await sends.sendOne(
        { endpoint: `https://localhost:${port}/UP?x=1`, p256dh, auth },
        { title: 'T' },
      );
      expect(outcome).toMatchObject({ kind: 'sent', provider: { status: 201, id: '/m/1' } });
    }
    expect(seen).toEqual(Array.from({ length: 3 }, () => 'POST /UP?x=1 aes128gcm'));
    expect(sockets.size).toBe(1);
    await sends.close();
    server.closeAllConnections();
    server.close();
  });
});

describe('a service of its own kind', () => {
  let peer: Peer;
  afterEach(() => peer.close());

  const target = () => {
    const { p256dh, auth } = simulator.webpush.subscribe();
    return { endpoint: `https://localhost:${peer.port}/a`, p256dh, auth };
  };

  test.each(['lean', 'node'] as const)(
    'that sends its answer byte by byte for ever does not hold the push, over the %s transport',
    async (transport) => {
      peer = await startHttp2Peer((stream) => {
        stream.respond({ ':status': 201 });
        const drip = setInterval(() => stream.write('x'), 20);
        stream.on('close', () => clearInterval(drip));
      });
      const sends = sender({ ca: peer.ca, timeoutMs: 200, transport });
      expect(await sends.sendOne(target(), { title: 'T' })).toMatchObject({
        kind: 'retry',
        certainty: 'unknown',
        provider: { reason: 'timeout' },
      });
    },
  );

  test.each([
    ['head', 'HTTP/1.1 201 Created\r\nx-slow: '],
    ['body', 'HTTP/1.1 201 Created\r\ncontent-length: 100000\r\n\r\n'],
  ])(
    'that speaks only HTTP/1.1 and sends its answer’s %s byte by byte for ever does not hold the push',
    async (_part, begin) => {
      peer = await startHttp1Peer((socket) => {
        socket.write(begin);
        const drip = setInterval(() => socket.write('x'), 20);
        socket.on('close', () => clearInterval(drip));
      });
      expect(await sender({ ca: peer.ca, timeoutMs: 200 }).sendOne(target(), { title: 'T' })).toMatchObject({
        kind: 'retry',
        certainty: 'unknown',
        provider: { reason: 'timeout' },
      });
    },
  );
});

test.each(['HTTP/1.1 201 Created\r\nconnection: close\r\n', 'HTTP/1.0 201 Created\r\n'])(
  'a service that ends the connection after each answer (%j) gets every push once, and none is unknown',
  async (head) => {
    let seen = 0;
    const peer = await startHttp1Peer((socket) => {
      seen++;
      setTimeout(() => socket.end(`${head}content-length: 0\r\n\r\n`), 5);
    });
    const { p256dh, auth } = simulator.webpush.subscribe();
    const sends = sender({ ca: peer.ca });
    const message = sends.prepare({ title: 'T' });
    const target = { endpoint: `https://localhost:${peer.port}/a`, p256dh, auth };
    const outcomes = await outcomesOf(20, (push, done) => sends.send(target, message, push, done));
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['sent']));
    expect(seen).toBe(20);
    peer.close();
  },
);

test('a push over HTTP/1.1 whose connection ends before it is written was certainly not processed', () => {
  const lost: unknown[] = [];
  const nothing = (): void => undefined;
  const connection = new Http1Connection(
    new Socket(),
    { writeHead: nothing, bodyLength: () => 0, writeBody: nothing },
    {
      onReady: nothing,
      onAnswer: nothing,
      onLost: (call, loss) => lost.push([call, loss]),
      onCapacity: nothing,
      onDraining: nothing,
      onClosed: nothing,
    },
    { ...DEFAULT_TRANSPORT, authority: 'localhost' },
  );
  connection.request(7);
  connection.destroy('closed');
  expect(lost).toEqual([[7, { processed: 'no', reason: 'neverSent' }]]);
});

test('an answer over HTTP/1.1 that came while the process stood still counts', async () => {
  // In a thread, which goes on when this one stands still.
  const service = new Worker(
    `const { createServer } = require('node:https');
     const { parentPort, workerData } = require('node:worker_threads');
     const server = createServer(workerData, (request, response) => {
       request.resume().on('end', () => setTimeout(() => response.writeHead(201).end(), 100));
       parentPort.postMessage('asked');
     });
     server.listen(0, () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: certificates },
  );
  const [port] = await once(service, 'message');
  const { p256dh, auth } = simulator.webpush.subscribe();
  const sends = sender({ ca: certificates.ca, timeoutMs: 300 });
  const pending = sends.sendOne({ endpoint: `https://localhost:${port}/a`, p256dh, auth }, { title: 'T' });
  await once(service, 'message');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  expect((await pending).kind).toBe('sent');
  await service.terminate();
});

describe("a push service's answers", () => {
  test.each([
    [200, 'sent'],
    [201, 'sent'],
    [202, 'sent'],
    [301, 'failMessage'],
    [307, 'failMessage'],
    [400, 'pauseProvider'],
    [401, 'pauseProvider'],
    [403, 'pauseProvider'],
    [404, 'dropToken'],
    [410, 'dropToken'],
    [413, 'failMessage'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('the specification says %i is %s', (status, kind) => {
    expect(webPushRow(status).kind).toBe(kind);
  });

  test('a subscription that ended is dropped', async () => {
    const target = simulator.webpush.subscribe();
    simulator.webpush.kill(target.endpoint);
    expect(await sender().sendOne(target, { title: 'T' })).toMatchObject({
      kind: 'dropToken',
      provider: { status: 410 },
    });
  });

  /** The simulated service takes any key, so the refusal is put in its way: 403 to one endpoint and no other. */
  function refused() {
    const target = simulator.webpush.subscribe();
    simulator.webpush.refuse(target.endpoint);
    return target;
  }

  test('a subscription made for another key is tried later and stops nobody, however often it is refused', async () => {
    const foreign = sender({ vapid: generateVapidKeys() });
    const target = refused();
    const message = foreign.prepare({ title: 'T' });
    expect(await foreign.sendOne(target, message)).toMatchObject({
      kind: 'retry',
      certainty: 'processed',
      provider: { status: 403 },
    });
    const again = await outcomesOf(60, (push, done) => foreign.send(target, message, push, done));
    expect(new Set(again.map((outcome) => outcome.kind))).toEqual(new Set(['retry']));
    expect(foreign.state().paused).toBeUndefined();
    expect((await foreign.sendOne(simulator.webpush.subscribe(), message)).kind).toBe('sent');
  });

  test('many that are refused stop nobody while others are accepted', async () => {
    const sends = sender();
    const message = sends.prepare({ title: 'T' });
    expect((await sends.sendOne(simulator.webpush.subscribe(), message)).kind).toBe('sent');
    const strangers = Array.from({ length: 60 }, refused);
    const outcomes = await outcomesOf(60, (push, done) =>
      sends.send(strangers[push] ?? refused(), message, push, done),
    );
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['retry']));
    expect((await sends.sendOne(simulator.webpush.subscribe(), message)).kind).toBe('sent');
  });

  test.each([
    [false, 25],
    [true, 200],
  ])(
    'many that are refused and none accepted pause the provider (sent before: %s, refused: %i)',
    async (before, count) => {
      const sends = sender();
      const message = sends.prepare({ title: 'T' });
      const target = simulator.webpush.subscribe();
      if (before) expect((await sends.sendOne(target, message)).kind).toBe('sent');
      const strangers = Array.from({ length: count }, refused);
      const outcomes = await outcomesOf(count, (push, done) =>
        sends.send(strangers[push] ?? target, message, push, done),
      );
      expect(outcomes.filter((outcome) => outcome.kind === 'retry').length).toBe(count - 1);
      expect(sends.state().paused).toMatchObject({ status: 403 });
      expect(await sends.sendOne(target, message)).toMatchObject({ kind: 'pauseProvider', certainty: 'notProcessed' });
      sends.resume();
      expect((await sends.sendOne(target, message)).kind).toBe('sent');
    },
  );

  test('429 concerns one endpoint: the next one is sent', async () => {
    const sends = sender();
    simulator.webpush.setFaults({ tooManyShare: 1, retryAfterSeconds: 9 });
    expect(await sends.sendOne(simulator.webpush.subscribe(), { title: 'T' })).toMatchObject({
      kind: 'retry',
      afterMs: 9_000,
    });
    simulator.webpush.setFaults({ tooManyShare: 0 });
    expect((await sends.sendOne(simulator.webpush.subscribe(), { title: 'T' })).kind).toBe('sent');
  });
});

describe('a key that is no point of the curve', () => {
  const wrong = Buffer.alloc(65, 1).fill(4, 0, 1).toString('base64url');

  test.each(['lean', 'node'] as const)(
    'drops its subscription and no other, over the %s transport',
    async (transport) => {
      const sends = sender({ transport });
      const message = sends.prepare({ title: 'T' });
      const outcomes = await outcomesOf(9, (push, done) => {
        const target = simulator.webpush.subscribe();
        return sends.send(push % 3 === 0 ? { ...target, p256dh: wrong } : target, message, push, done);
      });
      expect(outcomes.filter(({ kind }) => kind === 'sent')).toHaveLength(6);
      const dropped = { kind: 'dropToken', certainty: 'notProcessed', provider: { reason: 'badSubscription' } };
      expect(outcomes.filter(({ kind }) => kind !== 'sent')).toMatchObject([dropped, dropped, dropped]);
      expect(sends.state()).toMatchObject({ queued: 0, inFlight: 0 });
    },
  );

  test('is told before anything is sent', () => {
    expect(whyNotKey(simulator.webpush.subscribe().p256dh)).toBeUndefined();
    expect(whyNotKey(wrong)).toMatch(/point on the curve/);
    expect(whyNotKey('AAAA')).toMatch(/65 bytes/);
  });
});

describe('an endpoint of a stranger', () => {
  test.each([
    'http://push.example.net/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://169.254.169.254/latest',
    'https://user:pw@push.example.net/x',
    `https://push.example.net/${'x'.repeat(2_048)}`,
    'nonsense',
  ])('%s is never called', async (endpoint) => {
    const { p256dh, auth } = simulator.webpush.subscribe();
    const outcome = await sender({ allowPrivate: false }).sendOne({ endpoint, p256dh, auth }, { title: 'T' });
    expect(outcome).toMatchObject({
      kind: 'dropToken',
      certainty: 'notProcessed',
      provider: { reason: 'badSubscription' },
    });
  });

  test('of up to 2,048 bytes is called', async () => {
    const target = simulator.webpush.subscribe();
    const endpoint = target.endpoint.padEnd(2_048, 'x');
    expect(await sender().sendOne({ ...target, endpoint }, { title: 'T' })).toMatchObject({
      provider: { status: 404 },
    });
    expect(simulator.webpush.records.counts().received).toBe(1);
  });

  test('that resolves to a private address is refused at connect', async () => {
    const target = simulator.webpush.subscribe();
    const failures: string[] = [];
    const sends = sender({ allowPrivate: false, onEvent: (event) => failures.push(event.detail) });
    expect(await sends.sendOne(target, { title: 'T' })).toMatchObject({ kind: 'retry', certainty: 'notProcessed' });
    expect(failures).toContain('localhost has no public address');
    expect(simulator.webpush.records.counts().received).toBe(0);
  });
});

test('a collapse id becomes a Topic every service takes', () => {
  expect(topicOf('abc123')).toBe('abc123');
  expect(topicOf('with-dash')).toMatch(/^[a-f0-9]{32}$/);
  expect(topicOf('x'.repeat(33))).toMatch(/^[a-f0-9]{32}$/);
});
