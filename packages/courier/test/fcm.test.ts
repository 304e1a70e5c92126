import { createServer, type Server } from 'node:https';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FCM_ERRORS, fcmErrorRow, readFcmError } from '../src/fcm/errors.ts';
import { createFcmSender, type FcmSender, NotificationError } from '../src/index.ts';
import { type Simulator, startSimulator } from '../src/simulator/index.ts';
import { WireText } from '../src/wire-text.ts';
import { answer as answerJson, certificates, type Peer, startHttp2Peer } from './peer.ts';
import { outcomesOf, ShiftedClock } from './sim.ts';

const TOKEN = 'fcm-token:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx';
let simulator: Simulator;
let senders: FcmSender[];
const clock = new ShiftedClock();

function sender(options: Partial<Parameters<typeof createFcmSender>[0]> = {}): FcmSender {
  const { serviceAccount, endpoint } = simulator.fcm;
  const made = createFcmSender({ serviceAccount, endpoint, ca: simulator.ca, rampMs: 0, ...options }, clock);
  senders.push(made);
  return made;
}

beforeEach(async () => {
  senders = [];
  clock.shiftMs = 0;
  simulator = await startSimulator({ clock });
});

afterEach(async () => {
  await Promise.all(senders.map((each) => each.close()));
  await simulator.close();
});

function received(): unknown {
  return JSON.parse(simulator.fcm.records.latest().at(-1)?.body ?? 'null');
}

describe('a push', () => {
  test.each(['lean', 'node'] as const)('is accepted and named, over the %s transport', async (transport) => {
    const outcome = await sender({ transport }).sendOne(TOKEN, { title: 'Hi', body: 'there' });
    expect(outcome).toMatchObject({
      kind: 'sent',
      certainty: 'processed',
      provider: { status: 200, id: expect.stringMatching(/^projects\/simulated\/messages\/\d+$/) },
    });
    expect(received()).toEqual({ message: { notification: { title: 'Hi', body: 'there' }, token: TOKEN } });
  });

  test('carries what the notification says to each platform, with data as strings', async () => {
    await sender().sendOne(TOKEN, {
      title: 'T',
      collapseId: 'c1',
      ttlSeconds: 60,
      priority: 'high',
      badge: 2,
      sound: 'ping',
      mutableContent: true,
      data: { n: 1, s: 'x', o: { a: true } },
      fcm: { android: { direct_boot_ok: true }, fcm_options: { analytics_label: 'chat' } },
    });
    expect(received()).toMatchObject({
      message: {
        data: { n: '1', s: 'x', o: '{"a":true}' },
        android: {
          collapse_key: 'c1',
          priority: 'HIGH',
          ttl: '60s',
          direct_boot_ok: true,
          notification: { sound: 'ping', notification_count: 2 },
        },
        apns: {
          headers: { 'apns-collapse-id': 'c1', 'apns-priority': '10' },
          payload: { aps: { sound: 'ping', badge: 2, 'mutable-content': 1 } },
        },
        webpush: { headers: { TTL: '60', Urgency: 'high' } },
        fcm_options: { analytics_label: 'chat' },
      },
    });
  });

  test('can be data only, and a dry run', async () => {
    await sender({ dryRun: true }).sendOne(TOKEN, { title: 'T', data: { a: 'b' }, fcmDataOnly: true });
    expect(received()).toEqual({ validate_only: true, message: { data: { title: 'T', a: 'b' }, token: TOKEN } });
  });

  test('as data only has title and body there, cut so that all fits', async () => {
    const words = { title: 't'.repeat(5_000), body: '👨‍👩‍👧‍👦'.repeat(600), data: { a: '"'.repeat(100) } };
    expect((await sender().sendOne(TOKEN, { ...words, fcmDataOnly: true })).kind).toBe('sent');
    const { data } = JSON.parse(simulator.fcm.records.latest().at(-1)?.body ?? '').message;
    expect(data).toMatchObject({ title: expect.stringMatching(/^t+…$/), body: '', a: words.data.a });
  });

  test('has a tag only on what it shows, and no collapse key by it', async () => {
    await sender().sendOne(TOKEN, { title: 'T', tag: 'n1' });
    expect(received()).toEqual({
      message: {
        notification: { title: 'T' },
        android: { notification: { tag: 'n1' } },
        apns: { headers: { 'apns-collapse-id': 'n1' } },
        token: TOKEN,
      },
    });
    await sender().sendOne(TOKEN, { data: { a: 'b' }, tag: 'n1' });
    expect(received()).not.toHaveProperty('message.android');
  });

  test('in the background goes to Apple at the priority it takes', async () => {
    await sender().sendOne(TOKEN, { contentAvailable: true, priority: 'high', data: { a: 'b' } });
    expect(received()).toMatchObject({ message: { apns: { headers: { 'apns-priority': '5' } } } });
  });

  test('with an override has room made for it, and no second target', () => {
    const fits = { title: 'T', body: 'b'.repeat(2_000), data: { a: 'x'.repeat(1_000) } };
    const over = { fcm: { data: { b: 'y'.repeat(2_500) } } };
    expect(Buffer.byteLength(sender().prepare({ ...fits, ...over }).head.text)).toBeLessThan(4_130);
    expect(() => sender().prepare({ ...over, data: { a: 'x'.repeat(2_000) } })).toThrow(/takes 45\d\d bytes/);
    expect(() => sender().prepare({ title: 'T', fcm: { token: 'other' } })).toThrow(/"token"/);
  });

  test.each([
    [{ fid: 'fid-1' }, 'fid', 'fid-1'],
    [{ topic: 'news' }, 'topic', 'news'],
    [{ condition: "'a' in topics && 'ü' in topics" }, 'condition', "'a' in topics && 'ü' in topics"],
  ])('goes to %j', async (target, field, value) => {
    expect((await sender().sendOne(target, { title: 'T' })).kind).toBe('sent');
    expect(received()).toMatchObject({ message: { [field]: value } });
  });

  test('with a body too long is cut at a whole character', async () => {
    expect((await sender().sendOne(TOKEN, { title: 'T', body: '日本'.repeat(3_000) })).kind).toBe('sent');
    const record = simulator.fcm.records.latest().at(-1);
    expect(JSON.parse(record?.body ?? '').message.notification.body).toMatch(/^(日本)*日?…$/);
  });

  test.each([{ topic: 'news' }, { condition: "'a' in topics" }])(
    'to %j is cut to the 2,048 bytes of a topic',
    async (target) => {
      const notification = { title: 'T', body: 'ä'.repeat(3_000), data: { a: 'b' } };
      const sends = sender();
      expect((await sends.sendOne(target, notification)).kind).toBe('sent');
      const { message } = JSON.parse(simulator.fcm.records.latest().at(-1)?.body ?? '');
      const bytes = Buffer.byteLength(JSON.stringify({ notification: message.notification, data: message.data }));
      expect(bytes).toBeLessThanOrEqual(2_048);
      expect(bytes).toBeGreaterThan(2_040);
      expect(message.notification.body).toMatch(/^ä+…$/);
    },
  );

  test('with a TTL of a part of a second says so to Android, and whole seconds to browsers', async () => {
    await sender().sendOne(TOKEN, { title: 'T', ttlSeconds: 3.5 });
    expect(received()).toMatchObject({
      message: { android: { ttl: '3.5s' }, webpush: { headers: { TTL: '3' } } },
    });
  });

  test('that is urgent goes before all that waits for its turn, also when it is sent again', async () => {
    const fcm = sender({ pushesPerMinute: 6_000 });
    const message = fcm.prepare({ title: 'T' });
    const urgent = `${TOKEN}-urgent`;
    simulator.fcm.once(urgent, 'refused');
    const sent = await outcomesOf(101, (push, onOutcome) =>
      fcm.send(push === 100 ? urgent : `${TOKEN}-${push}`, message, push, onOutcome, '', push === 100),
    );
    expect(sent.every(({ kind }) => kind === 'sent')).toBe(true);
    expect(simulator.fcm.faultCounts.refused).toBe(1);
    // A quarter of a second's pushes leave together.
    const turn = simulator.fcm.records.latest().findIndex(({ target }) => target === urgent);
    expect(turn).toBeLessThan(60);
  });

  test.each(['from', 'gcm.x', 'google.y'])('with the reserved data key %s is refused to the caller', (key) => {
    expect(() => sender().prepare({ data: { [key]: '1' } })).toThrow(NotificationError);
  });
});

test.each(['lean', 'node'] as const)(
  'a push that cannot be built fails alone, over the %s transport',
  async (transport) => {
    class Broken extends WireText {
      override writeTo(): void {
        throw new Error('no bytes');
      }
    }
    const sends = sender({ transport });
    const good = sends.prepare({ title: 'Hi' });
    const bad = { head: new Broken('{'), smaller: () => undefined };
    const outcomes = await outcomesOf(9, (push, done) => sends.send(TOKEN, push === 4 ? bad : good, push, done));
    expect(outcomes.filter(({ kind }) => kind === 'sent')).toHaveLength(8);
    expect(outcomes.filter(({ kind }) => kind !== 'sent')).toMatchObject([
      { kind: 'failMessage', certainty: 'notProcessed', provider: { reason: 'notBuilt', detail: 'no bytes' } },
    ]);
  },
);

describe("Google's answers", () => {
  const error = (code: string) => ({ code, message: '', namesToken: false, quota: '' });
  const SPECIFIED = [
    [200, '', 'sent'],
    [404, 'UNREGISTERED', 'dropToken'],
    [400, 'INVALID_ARGUMENT', 'failMessage'],
    [403, 'SENDER_ID_MISMATCH', 'dropToken'],
    [401, 'THIRD_PARTY_AUTH_ERROR', 'retry'],
    [401, 'UNAUTHENTICATED', 'reconnect'],
    [429, 'QUOTA_EXCEEDED', 'retry'],
    [500, 'INTERNAL', 'retry'],
    [503, 'UNAVAILABLE', 'retry'],
    [502, '', 'retry'],
  ] as const;
  test.each(SPECIFIED)('the specification says %i %s is %s', (status, code, kind) => {
    expect(fcmErrorRow(status, error(code)).kind).toBe(kind);
  });

  test('the table has the rows of the specification and no others', () => {
    expect(FCM_ERRORS.map(({ status, code, kind }) => [status, code, kind]).sort()).toEqual([...SPECIFIED].sort());
  });

  test.each([
    [404, 'NOT_FOUND', 'failMessage'],
    [403, 'PERMISSION_DENIED', 'pauseProvider'],
    [401, '', 'reconnect'],
    [504, '', 'retry'],
  ])('nobody documented %i %s: it is %s', (status, code, kind) => {
    expect(fcmErrorRow(status, error(code)).kind).toBe(kind);
  });

  test('the first wait is at least 60 s for quota and 10 s for a failing server', () => {
    expect(fcmErrorRow(429, error('QUOTA_EXCEEDED')).floorMs).toBe(60_000);
    expect(fcmErrorRow(503, error('UNAVAILABLE')).floorMs).toBe(10_000);
    expect(fcmErrorRow(502, error('')).floorMs).toBe(10_000);
  });

  test('INVALID_ARGUMENT drops the token only when the token is what is wrong', () => {
    const body = (message: string, field: string): string =>
      JSON.stringify({
        error: {
          code: 400,
          message,
          status: 'INVALID_ARGUMENT',
          details: [
            { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'INVALID_ARGUMENT' },
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field, description: message }],
            },
          ],
        },
      });
    const kind = (message: string, field: string): string => fcmErrorRow(400, readFcmError(body(message, field))).kind;
    expect(kind('The registration token is not a valid FCM registration token', '')).toBe('dropToken');
    expect(kind('Invalid value', 'message.token')).toBe('dropToken');
    expect(kind('Invalid JSON payload received.', 'message.data[0].value')).toBe('failMessage');
  });

  test('a proxy page is no JSON and no crash', () => {
    expect(readFcmError('<html>502</html>')).toEqual({ code: '', message: '', namesToken: false, quota: '' });
    expect(readFcmError('null').code).toBe('');
    expect(readFcmError('{"error":{"details":"x"}}').code).toBe('');
  });

  test('a dead token is dropped', async () => {
    simulator.fcm.kill(TOKEN);
    expect(await sender().sendOne(TOKEN, { title: 'T' })).toMatchObject({
      kind: 'dropToken',
      provider: { status: 404, reason: 'UNREGISTERED' },
    });
  });

  test('a quota is waited for as long as Google says', async () => {
    simulator.fcm.setFaults({ tooManyShare: 1, retryAfterSeconds: 33 });
    expect(await sender().sendOne(TOKEN, { title: 'T' })).toMatchObject({
      kind: 'retry',
      afterMs: 33_000,
      provider: { detail: expect.stringContaining('device') },
    });
  });

  test('a failing server without Retry-After is left alone for 10 s or more', async () => {
    simulator.fcm.setFaults({ unavailableShare: 1 });
    const outcome = await sender().sendOne(TOKEN, { title: 'T' });
    expect(outcome.kind === 'retry' && outcome.afterMs >= 10_000).toBe(true);
  });

  test('a wave of tokens of another project stops the provider', async () => {
    simulator.fcm.setFaults({ badTokenShare: 1 });
    const sends = sender();
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(400, (push, done) => sends.send(TOKEN, message, push, done));
    expect(outcomes.some((outcome) => outcome.kind === 'dropToken')).toBe(false);
    expect(sends.state().paused?.reason).toBe('SENDER_ID_MISMATCH');
  });

  test('a token of another project is dropped only once something of ours got through', async () => {
    simulator.fcm.setFaults({ badTokenShare: 1 });
    const sends = sender();
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('failMessage');
    simulator.fcm.setFaults({ badTokenShare: 0 });
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    simulator.fcm.setFaults({ badTokenShare: 1 });
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('dropToken');
  });
});

describe('the access token', () => {
  test('is fetched once for any number of pushes', async () => {
    const refreshed: string[] = [];
    const sends = sender({ onEvent: (event) => event.name === 'tokenRefreshed' && refreshed.push(event.name) });
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(300, (push, done) => sends.send(TOKEN, message, push, done));
    expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true);
    expect(refreshed.length).toBe(1);
  });

  test('is replaced early, while the old one still serves', async () => {
    const refreshed: string[] = [];
    const sends = sender({ onEvent: (event) => event.name === 'tokenRefreshed' && refreshed.push(event.name) });
    await sends.sendOne(TOKEN, { title: 'T' });
    clock.shiftMs = 56 * 60_000;
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    while (refreshed.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(simulator.fcm.records.counts().byReason).toEqual({});
  });

  test('that is refused is replaced once, and the push goes through', async () => {
    const sends = sender();
    await sends.sendOne(TOKEN, { title: 'T' });
    simulator.fcm.revokeTokens();
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(50, (push, done) => sends.send(TOKEN, message, push, done));
    expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true);
  });

  test('that is refused on every connection at once does not stop the provider', async () => {
    simulator.fcm.setFaults({ latencyMs: 20, streams: 5 });
    const names: string[] = [];
    const sends = sender({ connectionsMax: 4, onEvent: (event) => names.push(event.name) });
    const message = sends.prepare({ title: 'T' });
    await outcomesOf(200, (push, done) => sends.send(TOKEN, message, push, done));
    expect(sends.state().connections).toBe(4);
    simulator.fcm.revokeTokens();
    const outcomes = await outcomesOf(50, (push, done) => sends.send(TOKEN, message, push, done));
    expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true);
    expect(names).not.toContain('connectFailed');
    expect(names).not.toContain('breakerOpened');
  });

  test('that is refused after its predecessor was, and after it has worked, is replaced as well', async () => {
    const sends = sender();
    for (let i = 0; i < 3; i++) {
      expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
      simulator.fcm.revokeTokens();
    }
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect(simulator.fcm.records.counts().byReason).toEqual({ UNAUTHENTICATED: 3 });
  });

  test('whose successor is refused too pauses the provider', async () => {
    const sends = sender({ onEvent: (event) => event.name === 'tokenRefreshed' && simulator.fcm.revokeTokens() });
    expect(await sends.sendOne(TOKEN, { title: 'T' })).toMatchObject({
      kind: 'pauseProvider',
      provider: { status: 401, reason: 'UNAUTHENTICATED' },
    });
    expect(sends.state().paused?.reason).toBe('UNAUTHENTICATED');
    expect(simulator.fcm.records.counts().byReason).toEqual({ UNAUTHENTICATED: 2 });
  });

  test('that cannot be had pauses the provider without telling the key', async () => {
    const { serviceAccount } = simulator.fcm;
    const sends = sender({ serviceAccount: { ...serviceAccount, client_email: 'nobody@example.com' } });
    const outcome = await sends.sendOne(TOKEN, { title: 'T' });
    expect(outcome).toMatchObject({
      kind: 'pauseProvider',
      certainty: 'notProcessed',
      provider: { status: 400, reason: 'invalid_grant', detail: 'Invalid JWT Signature.' },
    });
    expect(JSON.stringify(outcome)).not.toContain('PRIVATE KEY');
  });
});

test('a platform whose key in Firebase is wrong waits alone, and is told of once', async () => {
  const error = { status: 'UNAUTHENTICATED', message: 'Auth error from APNS', details: [] as unknown[] };
  error.details.push({
    '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
    errorCode: 'THIRD_PARTY_AUTH_ERROR',
  });
  let asked = 0;
  const peer = await startHttp2Peer((stream) =>
    ++asked <= 2 ? answerJson(stream, 401, { error }) : answerJson(stream, 200, { name: 'projects/p/messages/1' }),
  );
  const told: string[] = [];
  const sends = sender({
    endpoint: `https://localhost:${peer.port}`,
    ca: [peer.ca, simulator.ca],
    onEvent: (event) => event.name === 'platformRefused' && told.push(event.detail),
  });
  for (let i = 0; i < 2; i++) {
    const outcome = await sends.sendOne(TOKEN, { title: 'T' });
    expect(outcome).toMatchObject({ kind: 'retry', provider: { status: 401, reason: 'THIRD_PARTY_AUTH_ERROR' } });
    expect(outcome.kind === 'retry' && outcome.afterMs >= 600_000).toBe(true);
  }
  expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
  expect(told).toEqual(['Auth error from APNS']);
  peer.close();
});

describe('a token endpoint of its own kind', () => {
  let server: Server;
  let asked: number;
  let answer: () => [status: number, body: unknown];

  beforeEach(async () => {
    asked = 0;
    answer = () => [200, {}];
    server = createServer(certificates, (request, response) => {
      asked++;
      const [status, body] = answer();
      request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(body)));
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Google's own push endpoint, with this token endpoint. */
  async function sendsThrough(options: Partial<Parameters<typeof sender>[0]> = {}): Promise<FcmSender> {
    const peer = await startHttp2Peer((stream) => answerJson(stream, 200, { name: 'projects/p/messages/1' }));
    peers.push(peer);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const serviceAccount = { ...simulator.fcm.serviceAccount, token_uri: `https://localhost:${port}/token` };
    return sender({ serviceAccount, endpoint: `https://localhost:${peer.port}`, ca: peer.ca, ...options });
  }
  const peers: Peer[] = [];
  afterEach(() => {
    for (const peer of peers.splice(0)) peer.close();
  });

  test('that gives an empty token opens the breaker, and the push comes back', async () => {
    answer = () => [200, { access_token: '', expires_in: 3_600 }];
    expect(await (await sendsThrough()).sendOne(TOKEN, { title: 'T' })).toMatchObject({
      kind: 'retry',
      certainty: 'notProcessed',
    });
  });

  test.each([0, -5, 60, 300, 1e300])(
    'that gives a token for %i s is not asked again for each push',
    async (expires) => {
      answer = () => [200, { access_token: 'token', expires_in: expires }];
      const sends = await sendsThrough();
      for (let i = 0; i < 10; i++) expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
      expect(asked).toBe(1);
    },
  );

  test('that fails is asked again after a moment, also when the clock is put back an hour meanwhile', async () => {
    answer = () => [500, {}];
    const pending = (await sendsThrough()).sendOne(TOKEN, { title: 'T' });
    while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    answer = () => [200, { access_token: 'token', expires_in: 3_600 }];
    await new Promise((resolve) => setTimeout(resolve, 100));
    clock.shiftMs = -3_600_000;
    expect((await pending).kind).toBe('sent');
  });
});

test('never more than 100 streams a connection', async () => {
  simulator.fcm.setFaults({ latencyMs: 30, streams: 1_000 });
  const sends = sender({ connectionsMax: 1 });
  const message = sends.prepare({ title: 'T' });
  let most = 0;
  const outcomes = outcomesOf(500, (push, done) =>
    sends.send(TOKEN, message, push, (context, outcome) => {
      most = Math.max(most, sends.state().inFlight);
      done(context, outcome);
    }),
  );
  expect((await outcomes).every((outcome) => outcome.kind === 'sent')).toBe(true);
  expect(most).toBeLessThanOrEqual(100);
  expect(most).toBeGreaterThan(50);
});
