import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { importSPKI, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { ApnsAuth } from '../src/apns/auth.ts';
import { APNS_REASONS, reasonRow } from '../src/apns/reasons.ts';
import { ApnsHubs, createApnsSender, mayDrop } from '../src/index.ts';
import { startSimulator } from '../src/simulator/index.ts';
import { clock, sender, simulator } from './apns-setup.ts';
import { ManualClock, outcomesOf, ShiftedClock, TOKEN } from './sim.ts';

describe("Apple's answers", () => {
  const SPECIFIED: Readonly<Record<string, string>> = {
    sent: '200:',
    dropToken: '400:BadDeviceToken 400:DeviceTokenNotForTopic 410:Unregistered 410:ExpiredToken',
    pauseProvider:
      '400:TopicDisallowed 400:BadTopic 400:MissingTopic 403:InvalidProviderToken 403:MissingProviderToken 403:Forbidden 403:BadCertificate 403:BadCertificateEnvironment 403:BadEnvironmentKeyIdInToken 403:BadEnvironmentKeyInToken 400:FeatureNotEnabled 400:TopicMismatch',
    failMessage:
      '400:BadCollapseId 400:BadExpirationDate 400:BadMessageId 400:BadPriority 400:DuplicateHeaders 400:InvalidPushType 400:PayloadEmpty 400:MissingDeviceToken 404:BadPath 405:MethodNotAllowed 413:PayloadTooLarge 400:MissingChannelId 400:BadChannelId 400:ChannelNotRegistered 400:BadRequestParams 400:BadRequestPayload 400:MissingPushType 400:CannotCreateChannelConfig',
    reconnect: '400:IdleTimeout 403:ExpiredProviderToken 403:UnrelatedKeyIdInToken',
    retry:
      '429:TooManyRequests 429:TooManyProviderTokenUpdates 500:InternalServerError 503:ServiceUnavailable 503:Shutdown',
  };
  const rows = Object.entries(SPECIFIED).flatMap(([kind, list]) => list.split(' ').map((row) => [row, kind] as const));
  test.each(rows)('the specification says %s is %s', (row, kind) => {
    const [status = '', reason = ''] = row.split(':');
    expect(reasonRow(Number(status), reason).kind).toBe(kind);
  });

  test('the table has the rows of the specification and no others', () => {
    const table = APNS_REASONS.map(({ status, reason, kind }) => [`${status}:${reason}`, kind]);
    expect(table.sort()).toEqual([...rows].sort());
  });

  test.each([
    [400, 'failMessage'],
    [403, 'pauseProvider'],
    [410, 'dropToken'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [418, 'failMessage'],
  ])('a %i with a reason nobody documented is %s', (status, kind) => {
    expect(reasonRow(status, 'NewReason').kind).toBe(kind);
  });

  test('a 410 drops a token only if it was registered before', async () => {
    simulator.apns.kill(TOKEN, 1_700_000_000_000);
    const outcome = await sender().sendOne(TOKEN, { title: 'T' });
    expect(outcome).toMatchObject({ kind: 'dropToken', provider: { status: 410, timestampMs: 1_700_000_000_000 } });
    expect(mayDrop(outcome, 1_699_999_999_999)).toBe(true);
    expect(mayDrop(outcome, 1_700_000_000_000)).toBe(false);
  });

  test('a 429 waits as long as Apple says', async () => {
    simulator.apns.setFaults({ tooManyShare: 1, retryAfterSeconds: 7 });
    expect(await sender().sendOne(TOKEN, { title: 'T' })).toMatchObject({
      kind: 'retry',
      afterMs: 7_000,
      certainty: 'processed',
    });
  });

  test('a wrong key pauses the provider, and what waits comes back unsent', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const sends = sender({ p8Key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() });
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(50, (push, done) => sends.send(TOKEN, message, push, done));
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['pauseProvider']));
    expect(simulator.apns.records.counts().received).toBe(1);
    expect(sends.state().paused).toMatchObject({ status: 403, reason: 'InvalidProviderToken' });
    expect(sends.capacity()).toBe(0);
  });

  test('a wrong topic pauses this app and not another with the same key', async () => {
    const hubs = new ApnsHubs(clock);
    const wrong = sender({ bundleId: 'com.example.other' }, hubs);
    const right = sender({}, hubs);
    expect((await right.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect(await wrong.sendOne(TOKEN, { title: 'T' })).toMatchObject({
      kind: 'pauseProvider',
      provider: { reason: 'TopicDisallowed' },
    });
    expect(wrong.capacity()).toBe(0);
    expect((await right.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect(right.state().connections).toBe(1);
    wrong.resume();
    expect(wrong.capacity()).toBeGreaterThan(0);
  });

  test('a topic of the message’s own that is refused fails that message and pauses nothing', async () => {
    const sends = sender();
    const wrong = { title: 'T', apns: { topic: 'com.typo.app' } };
    for (let i = 0; i < 30; i++)
      expect(await sends.sendOne(TOKEN, wrong)).toMatchObject({
        kind: 'failMessage',
        provider: { status: 400, reason: 'TopicDisallowed' },
      });
    expect(sends.state().paused).toBeUndefined();
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    const same = sender({ bundleId: 'com.example.other' });
    const usual = { title: 'T', apns: { topic: 'com.example.other' } };
    expect((await same.sendOne(TOKEN, usual)).kind).toBe('pauseProvider');
  });

  test('a wave of bad tokens stops the provider instead of dropping them all', async () => {
    const events: string[] = [];
    const sends = sender({ connectionsMax: 1, onEvent: (event) => events.push(event.name) });
    const message = sends.prepare({ title: 'T' });
    await sends.sendOne(TOKEN, message);
    simulator.apns.setFaults({ badTokenShare: 1 });
    const outcomes = await outcomesOf(500, (push, done) => sends.send(TOKEN, message, push, done));
    const dropped = outcomes.filter((outcome) => outcome.kind === 'dropToken').length;
    expect(dropped).toBeLessThan(30);
    expect(outcomes.filter((outcome) => outcome.kind === 'pauseProvider').length).toBe(500 - dropped);
    expect(sends.state().paused).toMatchObject({ reason: 'BadDeviceToken' });
    expect(events).toContain('badTokenWave');
    simulator.apns.setFaults({ badTokenShare: 0 });
    sends.resume();
    expect((await sends.sendOne(TOKEN, message)).kind).toBe('sent');
  });

  test('a bad token is kept while nothing gets through, also when pushes come one by one and after each resume', async () => {
    simulator.apns.setFaults({ badTokenShare: 1 });
    const sends = sender();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 24; i++)
        expect(await sends.sendOne(TOKEN, { title: 'T' })).toMatchObject({
          kind: 'failMessage',
          provider: { reason: 'BadDeviceToken', detail: expect.stringContaining('kept') },
        });
      expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('pauseProvider');
      sends.resume();
    }
    simulator.apns.setFaults({ badTokenShare: 0 });
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    simulator.apns.setFaults({ badTokenShare: 1 });
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('dropToken');
  });

  test('many unregistered tokens are no wave', async () => {
    const sends = sender();
    const message = sends.prepare({ title: 'T' });
    simulator.apns.setFaults({ goneShare: 1 });
    const outcomes = await outcomesOf(300, (push, done) => sends.send(TOKEN, message, push, done));
    expect(outcomes.every((outcome) => outcome.kind === 'dropToken')).toBe(true);
  });
});

describe('the provider token', () => {
  test('is an ES256 JWT that another library verifies', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const manual = new ManualClock(Date.now());
    const headers = new ApnsAuth(privateKey, 'KEY1234567', 'TEAM123456', 'localhost', manual).forConnection()();
    const jwt = headers.fields.find(([name]) => name === 'authorization')?.[1].slice('bearer '.length) ?? '';
    const key = await importSPKI(
      createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
      'ES256',
    );
    const { payload, protectedHeader } = await jwtVerify(jwt, key);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' });
    expect(payload).toEqual({ iss: 'TEAM123456', iat: Math.floor(manual.epochMs() / 1000) });
  });

  test('over a day changes on a connection at most once in 20 minutes and at least once in 60', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const manual = new ManualClock();
    const auth = new ApnsAuth(privateKey, 'KEY1234567', 'TEAM123456', 'localhost', manual);
    const connections = [{ headers: auth.forConnection(), jwt: '', sinceMs: 0 }];
    const kept: number[] = [];
    for (let minute = 0; minute < 24 * 60; minute++) {
      if (minute % 7 === 0) connections.push({ headers: auth.forConnection(), jwt: '', sinceMs: 0 });
      for (const connection of connections) {
        const jwt = connection.headers().fields.find(([name]) => name === 'authorization')?.[1] ?? '';
        if (jwt === connection.jwt) continue;
        if (connection.jwt !== '') kept.push((manual.epochMs() - connection.sinceMs) / 60_000);
        connection.jwt = jwt;
        connection.sinceMs = manual.epochMs();
        const { iat } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
        expect(manual.epochMs() / 1000 - iat).toBeLessThanOrEqual(20 * 60);
      }
      manual.pass(60_000);
    }
    expect(kept.length).toBeGreaterThan(1_000);
    expect(Math.min(...kept)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...kept)).toBeLessThanOrEqual(60);
  });

  test('made by a clock that was ahead is for no new connection once the clock is put back; one that slips by seconds is', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const manual = new ManualClock();
    manual.pass(10 * 3_600_000);
    const auth = new ApnsAuth(privateKey, 'KEY1234567', 'TEAM123456', 'localhost', manual);
    const jwtOf = (headers: ReturnType<typeof auth.forConnection>) =>
      headers().fields.find(([name]) => name === 'authorization')?.[1] ?? '';
    const old = auth.forConnection();
    const made = jwtOf(old);
    manual.pass(-5_000);
    expect(jwtOf(auth.forConnection())).toBe(made);
    manual.pass(-3_600_000);
    const { iat } = JSON.parse(Buffer.from(jwtOf(auth.forConnection()).split('.')[1] ?? '', 'base64url').toString());
    expect(iat).toBe(Math.floor(manual.epochMs() / 1000));
    expect(jwtOf(old)).toBe(made);
  });

  test('is changed in time on a connection that lives for hours', async () => {
    const sends = sender();
    for (const minutes of [0, 54, 56, 120, 300]) {
      clock.shiftMs = minutes * 60_000;
      expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    }
    expect(simulator.apns.records.counts().byReason).toEqual({});
    expect(sends.state().connections).toBe(1);
  });

  test('that Apple calls expired is replaced on a new connection, and the push goes through', async () => {
    const apple = new ShiftedClock();
    const ahead = await startSimulator({ clock: apple });
    const sends = sender({ ...ahead.apns, ca: ahead.ca });
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    // Ours has gone slow: 30 minutes to us were 65 to Apple.
    clock.shiftMs = 30 * 60_000;
    apple.shiftMs = 65 * 60_000;
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect(ahead.apns.records.counts().byReason).toEqual({ ExpiredProviderToken: 1 });
    await ahead.close();
  });

  test('that Apple calls expired although it is new pauses the provider and names the clock', async () => {
    const appleClock = new ShiftedClock();
    appleClock.shiftMs = 61 * 60_000;
    const ahead = await startSimulator({ clock: appleClock });
    const sends = sender({ ...ahead.apns, ca: ahead.ca });
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(50, (push, done) => sends.send(TOKEN, message, push, done));
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['pauseProvider']));
    expect(outcomes[0]).toMatchObject({
      provider: { reason: 'ExpiredProviderToken', detail: expect.stringContaining('clock') },
    });
    expect(ahead.apns.records.counts().received).toBe(1);
    await ahead.close();
  });
});

describe('connections', () => {
  test('are shared by apps of one environment, team and key, and by no others', async () => {
    const hubs = new ApnsHubs(clock);
    const first = sender({}, hubs);
    const same = sender({ includeMutableContent: true }, hubs);
    const otherKey = sender({ keyId: 'OTHERKEY01' }, hubs);
    expect((await first.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect((await same.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect(same.state().connections).toBe(1);
    expect(otherKey.state().connections).toBe(0);
    expect((await otherKey.sendOne(TOKEN, { title: 'T' })).kind).toBe('pauseProvider');
    expect((await first.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
  });

  test('of a key that was wrong are not those of the right one that takes its place under the same id', async () => {
    const hubs = new ApnsHubs(clock);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const wrong = sender({ p8Key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }, hubs);
    expect((await wrong.sendOne(TOKEN, { title: 'T' })).kind).toBe('pauseProvider');
    expect((await sender({}, hubs).sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
  });

  test.each([
    [true, 'api.push.apple.com:443'],
    [false, 'api.sandbox.push.apple.com:443'],
  ])('with production %s go to %s', async (production, host) => {
    const { bundleId, keyId, teamId, p8Key } = simulator.apns;
    const asked: string[] = [];
    // A proxy that lets nobody through: nothing leaves this machine.
    const proxy = createHttpServer();
    proxy.on('connect', (request, client) => {
      asked.push(request.url ?? '');
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const options = { bundleId, keyId, teamId, p8Key, production, proxy: `http://127.0.0.1:${port}` };
    const sends = createApnsSender(options, new ApnsHubs(clock));
    expect(await sends.sendOne(TOKEN, { title: 'T' })).toMatchObject({ kind: 'retry', certainty: 'notProcessed' });
    expect(new Set(asked)).toEqual(new Set([host]));
    await sends.close();
    proxy.close();
  });

  test('open one stream until the first good answer', async () => {
    simulator.apns.setFaults({ latencyMs: 20 });
    const sends = sender();
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(200, (push, done) => sends.send(TOKEN, message, push, done));
    expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true);
    // The simulator refuses a second stream before that; none was.
    expect(simulator.apns.records.counts().received).toBe(200);
  });

  test('that are cut leave their pushes unknown, and the next push opens another', async () => {
    const sends = sender({ connectionsMax: 1 });
    await sends.sendOne(TOKEN, { title: 'T' });
    simulator.apns.setFaults({ blackHoleShare: 1 });
    const pending = sends.sendOne(TOKEN, { title: 'T' });
    setTimeout(() => simulator.apns.cutConnections(), 50);
    expect(await pending).toMatchObject({ kind: 'retry', certainty: 'unknown' });
    simulator.apns.setFaults({ blackHoleShare: 0 });
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
  });

  test('that stay silent end their pushes as unknown after the time-out', async () => {
    simulator.apns.setFaults({ blackHoleShare: 1 });
    const outcome = await sender({ timeoutMs: 300 }).sendOne(TOKEN, { title: 'T' });
    expect(outcome).toMatchObject({ kind: 'retry', certainty: 'unknown', provider: { status: 0 } });
  });

  test('to nobody open the breaker, and pushes come back unsent with a time to wait', async () => {
    const sends = sender({ host: 'localhost:9' });
    const outcome = await sends.sendOne(TOKEN, { title: 'T' });
    expect(outcome).toMatchObject({
      kind: 'retry',
      certainty: 'notProcessed',
      provider: { reason: 'breakerOpen', detail: expect.stringContaining('ECONNREFUSED') },
    });
    expect(sends.state().breaker).toBe('open');
    expect(sends.capacity()).toBe(0);
  });
});

describe('back pressure', () => {
  test('send answers false when full, and onDrain tells when there is room', async () => {
    const sends = sender({ queueMax: 10 });
    const message = sends.prepare({ title: 'T' });
    let ended = 0;
    const done = (): void => {
      ended++;
    };
    const drained = new Promise<void>((resolve) => sends.onDrain(resolve));
    let taken = 0;
    while (sends.send(TOKEN, message, taken, done)) taken++;
    expect(taken).toBe(10);
    await drained;
    expect(sends.capacity()).toBeGreaterThanOrEqual(5);
    expect(ended).toBeGreaterThanOrEqual(5);
  });

  test('close ends what is held, each push once, and takes nothing more', async () => {
    simulator.apns.setFaults({ blackHoleShare: 1 });
    const sends = sender();
    const message = sends.prepare({ title: 'T' });
    const outcomes = outcomesOf(20, (push, done) => sends.send(TOKEN, message, push, done));
    await sends.close(50);
    expect((await outcomes).map((outcome) => outcome.kind)).toEqual(Array.from({ length: 20 }, () => 'retry'));
    expect(sends.send(TOKEN, message, 0, () => undefined)).toBe(false);
    await expect(sends.sendOne(TOKEN, { title: 'T' })).rejects.toThrow('closed');
  });

  test('a callback that throws is not swallowed and harms no other push', async () => {
    const sends = sender();
    const message = sends.prepare({ title: 'T' });
    const thrown = new Promise<unknown>((resolve) => {
      const listeners = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      process.once('uncaughtException', (error) => {
        for (const listener of listeners) process.on('uncaughtException', listener);
        resolve(error);
      });
    });
    sends.send(TOKEN, message, 0, () => {
      throw new Error('mine');
    });
    expect(await thrown).toMatchObject({ message: 'mine' });
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
  });
});
