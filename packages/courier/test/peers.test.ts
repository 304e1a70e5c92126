import { generateKeyPairSync } from 'node:crypto';
import { constants, type ServerHttp2Session } from 'node:http2';
import { afterEach, describe, expect, test } from 'vitest';
import { ApnsHubs, type ApnsSender, createApnsChannels, createApnsSender } from '../src/index.ts';
import { answer, type Peer, startHttp2Peer } from './peer.ts';
import { outcomesOf, TOKEN, until } from './sim.ts';

/** Apple as it should not be. */
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const p8Key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let peer: Peer;
let sends: ApnsSender;

function sender(options: Partial<Parameters<typeof createApnsSender>[0]> = {}, hubs = new ApnsHubs()): ApnsSender {
  sends = createApnsSender(
    {
      keyId: 'ABCDEFGHIJ',
      teamId: 'TEAMTEAMTE',
      bundleId: 'com.example.app',
      p8Key,
      production: false,
      host: `localhost:${peer.port}`,
      ca: peer.ca,
      ...options,
    },
    hubs,
  );
  return sends;
}

afterEach(async () => {
  await sends.close(0);
  peer.close();
});

describe('a peer that allows no stream', () => {
  test.each(['lean', 'node'] as const)(
    'is left after the time-out, and its pushes come back, over the %s transport',
    async (transport) => {
      peer = await startHttp2Peer(() => undefined, { streams: 0 });
      const failures: string[] = [];
      sender({
        timeoutMs: 100,
        transport,
        onEvent: (event) => event.name === 'connectFailed' && failures.push(event.detail),
      });
      const message = sends.prepare({ title: 'T' });
      const outcomes = await outcomesOf(3, (push, done) => sends.send(TOKEN, message, push, done));
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({
          kind: 'retry',
          certainty: 'notProcessed',
          provider: { reason: 'breakerOpen' },
        });
      expect(new Set(failures)).toEqual(new Set(['takes no request']));
    },
  );

  test('for a moment only is waited for', async () => {
    peer = await startHttp2Peer((stream) => answer(stream, 200), {
      streams: 0,
      onSession: (session) => setTimeout(() => session.settings({ maxConcurrentStreams: 10 }), 100),
    });
    expect((await sender().sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect(peer.connections()).toBe(1);
  });
});

describe('a peer that gets rid of every connection', () => {
  const HABITS: Readonly<Record<string, Parameters<typeof startHttp2Peer>>> = {
    'by GOAWAY at once': [() => undefined, { onSession: (session) => session.goaway(0, 0) }],
    'by GOAWAY when asked': [(_stream, session) => session.goaway(0, 0)],
    'by IdleTimeout': [(stream) => answer(stream, 400, { reason: 'IdleTimeout' })],
    'by UnrelatedKeyIdInToken': [(stream) => answer(stream, 403, { reason: 'UnrelatedKeyIdInToken' })],
  };

  test.each(Object.keys(HABITS))('%s is called ever more seldom, and then not at all for a while', async (habit) => {
    peer = await startHttp2Peer(...(HABITS[habit] ?? [() => undefined]));
    const names: string[] = [];
    sender({ timeoutMs: 500, onEvent: (event) => names.push(event.name) });
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(50, (push, done) => sends.send(TOKEN, message, push, done));
    expect(names).toContain('breakerOpened');
    expect(outcomes.some((outcome) => outcome.provider.reason === 'breakerOpen')).toBe(true);
    expect(peer.connections()).toBeLessThan(6);
  });

  test('once is no failure: the push goes through on another', async () => {
    peer = await startHttp2Peer((stream) => answer(stream, 200), {
      onSession: (session, number) => number === 1 && session.goaway(0, 0),
    });
    expect((await sender().sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect(sends.state().breaker).toBe('closed');
  });
});

test.each(['lean', 'node'] as const)(
  'a connection lost with pushes on it fails none that still wait, over the %s transport',
  async (transport) => {
    let asked = 0;
    peer = await startHttp2Peer(
      (stream, session) => {
        if (++asked === 4) session.destroy();
        else if (asked === 1 || asked > 4) answer(stream, 200);
      },
      { streams: 3 },
    );
    sender({ transport, connectionsMax: 1 });
    const message = sends.prepare({ title: 'T' });
    const outcomes = await outcomesOf(50, (push, done) => sends.send(TOKEN, message, push, done));
    const lost = outcomes.filter((outcome) => outcome.kind !== 'sent');
    for (const outcome of lost) expect(outcome).toMatchObject({ kind: 'retry', certainty: 'unknown' });
    // Those on it, and at most as many that took their places before the end was seen.
    expect(lost.length).toBeLessThanOrEqual(6);
  },
);

test.each(['lean', 'node'] as const)(
  'a spare connection that the peer closes politely is no failure, over the %s transport',
  async (transport) => {
    const sessions: ServerHttp2Session[] = [];
    let asked = 0;
    peer = await startHttp2Peer(
      async (stream) => {
        // The first proves the credentials; then the queue calls for another connection.
        if (++asked > 1) await until(() => sessions.length === 2);
        answer(stream, 200);
      },
      {
        streams: 0,
        onSession: (session) => {
          sessions.push(session);
          if (sessions.length === 1) session.settings({ maxConcurrentStreams: 1 });
        },
      },
    );
    const names: string[] = [];
    sender({ transport, connectionsMax: 2, onEvent: (event) => names.push(event.name) });
    const message = sends.prepare({ title: 'T' });
    await outcomesOf(3, (push, done) => sends.send(TOKEN, message, push, done));
    await until(() => sends.state().connections === 2);
    sessions[1]?.close();
    await until(() => sends.state().connections === 1);
    expect(names).toContain('goaway');
    expect(names).not.toContain('connectFailed');
  },
);

test('a push whose stream is refused goes to another connection that has room', async () => {
  const sessions: object[] = [];
  let refusing: object | undefined;
  const refused: object[] = [];
  peer = await startHttp2Peer(
    (stream, session) => {
      if (session === refusing) {
        refused.push(session);
        stream.close(constants.NGHTTP2_REFUSED_STREAM);
      } else setTimeout(() => answer(stream, 200), 20);
    },
    { streams: 5, onSession: (session) => sessions.push(session) },
  );
  sender({ connectionsMax: 2 });
  const message = sends.prepare({ title: 'T' });
  await outcomesOf(30, (push, done) => sends.send(TOKEN, message, push, done));
  await until(() => sends.state().connections === 2);
  await outcomesOf(30, (push, done) => sends.send(TOKEN, message, push, done));
  refusing = sessions[0];
  for (let i = 0; i < 5; i++) expect((await sends.sendOne(TOKEN, message)).kind).toBe('sent');
  expect(refused.length).toBe(1);
});

describe('senders that share a key', () => {
  test('are paused together when it is refused, and go on together when one of them is made anew', async () => {
    let isRefused = true;
    peer = await startHttp2Peer((stream) =>
      isRefused ? answer(stream, 403, { reason: 'InvalidProviderToken' }) : answer(stream, 200),
    );
    const hubs = new ApnsHubs();
    const [first, second] = [sender({}, hubs), sender({}, hubs)];
    expect((await first.sendOne(TOKEN, { title: 'T' })).kind).toBe('pauseProvider');
    expect([first.capacity(), second.capacity()]).toEqual([0, 0]);
    isRefused = false;
    await first.close();
    expect(second.capacity()).toBe(0);
    expect((await sender({}, hubs).sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    expect((await second.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    await second.close();
  });

  test('get a new connection when an app joins whose topic the old one has not seen, and once only', async () => {
    // A connection knows the topics its key had when it was made.
    const topics = ['com.example.first'];
    const known = new WeakMap<object, readonly string[]>();
    peer = await startHttp2Peer(
      (stream, session, headers) =>
        known.get(session)?.includes(String(headers['apns-topic']))
          ? answer(stream, 200)
          : answer(stream, 400, { reason: 'TopicDisallowed' }),
      { onSession: (session) => known.set(session, [...topics]) },
    );
    const hubs = new ApnsHubs();
    const first = sender({ bundleId: 'com.example.first' }, hubs);
    expect((await first.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
    topics.push('com.example.second');
    for (let i = 0; i < 2; i++) {
      const second = sender({ bundleId: 'com.example.second' }, hubs);
      expect((await second.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
      expect((await first.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
      expect(peer.connections()).toBe(2);
      if (i === 0) await second.close();
    }
    await first.close();
  });

  test.each(['DeviceTokenNotForTopic', 'BadDeviceToken'])(
    'do not answer for one whose tokens are refused in a wave as %s',
    async (reason) => {
      peer = await startHttp2Peer((stream) => answer(stream, 400, { reason }));
      const hubs = new ApnsHubs();
      const first = sender({ bundleId: 'com.example.first' }, hubs);
      const second = sender({ bundleId: 'com.example.second' }, hubs);
      for (let i = 0; i < 24; i++) await first.sendOne(TOKEN, { title: 'T' });
      expect((await first.sendOne(TOKEN, { title: 'T' })).kind).toBe('pauseProvider');
      expect(first.state().paused).toMatchObject({ status: 400, reason });
      expect((await second.sendOne(TOKEN, { title: 'T' })).kind).toBe('failMessage');
      expect(second.state().paused).toBeUndefined();
      first.resume();
      expect((await first.sendOne(TOKEN, { title: 'T' })).kind).toBe('failMessage');
      await first.close();
    },
  );
});

test('an app whose tokens are refused in a wave sends nothing of its queue any more, and is told of once', async () => {
  const asked = { 'com.example.first': 0, 'com.example.second': 0 };
  peer = await startHttp2Peer(
    (stream, _session, headers) => {
      const isFirst = headers['apns-topic'] === 'com.example.first';
      asked[isFirst ? 'com.example.first' : 'com.example.second']++;
      if (isFirst) answer(stream, 400, { reason: 'BadDeviceToken' });
      else answer(stream, 200);
    },
    { streams: 10 },
  );
  const hubs = new ApnsHubs();
  const names: string[] = [];
  const onEvent = (event: { readonly name: string }) => names.push(event.name);
  const first = sender({ bundleId: 'com.example.first', connectionsMax: 1, onEvent }, hubs);
  const second = sender({ bundleId: 'com.example.second', connectionsMax: 1 }, hubs);
  const [ours, theirs] = [first.prepare({ title: 'T' }), second.prepare({ title: 'T' })];
  const [refused, taken] = await Promise.all([
    outcomesOf(300, (push, done) => first.send(TOKEN, ours, push, done)),
    outcomesOf(50, (push, done) => second.send(TOKEN, theirs, push, done)),
  ]);
  // Enough for a wave, and those that were in flight by then.
  expect(asked['com.example.first']).toBeLessThanOrEqual(25 + 10);
  const unsent = refused.filter((outcome) => outcome.certainty === 'notProcessed');
  expect(unsent.length).toBe(300 - asked['com.example.first']);
  for (const outcome of unsent)
    expect(outcome).toMatchObject({ kind: 'pauseProvider', provider: { status: 400, reason: 'BadDeviceToken' } });
  expect(names.filter((name) => name === 'badTokenWave' || name === 'paused')).toEqual(['badTokenWave', 'paused']);
  expect(taken.every((outcome) => outcome.kind === 'sent')).toBe(true);
  expect(asked['com.example.second']).toBe(50);
  await first.close();
});

test('a call about channels that gets no answer leaves no connection behind', async () => {
  peer = await startHttp2Peer((stream) => stream.close(constants.NGHTTP2_CANCEL));
  sender();
  const channels = createApnsChannels({
    keyId: 'ABCDEFGHIJ',
    teamId: 'TEAMTEAMTE',
    bundleId: 'com.example.app',
    p8Key,
    production: false,
    host: `localhost:${peer.port}`,
    ca: peer.ca,
  });
  for (let i = 0; i < 3; i++) await expect(channels.list()).rejects.toThrow('no answer: reset:8');
  expect(peer.connections()).toBe(3);
  await until(() => peer.open() === 0);
});
