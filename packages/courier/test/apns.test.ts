import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PUSH_TYPES } from '../src/apns/payload.ts';
import { createApnsChannels, createApnsSender, type Notification, NotificationError } from '../src/index.ts';
import { WireText } from '../src/wire-text.ts';
import { clock, received, sender, simulator } from './apns-setup.ts';
import { outcomesOf, TOKEN } from './sim.ts';

describe('a push', () => {
  test.each(['lean', 'node'] as const)(
    'is accepted under the id it was given, over the %s transport',
    async (transport) => {
      const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
      const outcome = await sender({ transport }).sendOne(TOKEN, { title: 'Hi', body: 'there' }, id);
      expect(outcome).toEqual({ kind: 'sent', certainty: 'processed', provider: { status: 200, reason: '', id } });
      expect(received().headers[':path']).toBe(`/3/device/${TOKEN}`);
      expect(received().payload).toEqual({ aps: { alert: { title: 'Hi', body: 'there' } } });
    },
  );

  test('carries what the notification says', async () => {
    await sender().sendOne(TOKEN, {
      title: 'T',
      subtitle: 'S',
      body: 'B',
      sound: 'ping.caf',
      badge: 3,
      category: 'msg',
      threadId: 'conv',
      contentAvailable: true,
      mutableContent: true,
      collapseId: 'conv-1',
      ttlSeconds: 0,
      priority: 'normal',
      data: { conversation: 'c1', n: 1 },
      apns: { payload: { aps: { 'interruption-level': 'time-sensitive' } } },
    });
    expect(received().headers).toMatchObject({
      'apns-topic': simulator.apns.bundleId,
      'apns-push-type': 'alert',
      'apns-priority': '5',
      'apns-expiration': '0',
      'apns-collapse-id': 'conv-1',
    });
    expect(received().payload).toEqual({
      aps: {
        alert: { title: 'T', subtitle: 'S', body: 'B' },
        sound: 'ping.caf',
        badge: 3,
        category: 'msg',
        'thread-id': 'conv',
        'content-available': 1,
        'mutable-content': 1,
        'interruption-level': 'time-sensitive',
      },
      conversation: 'c1',
      n: 1,
    });
  });

  test('takes the provider settings includeContentAvailable and includeMutableContent, unless it says otherwise', async () => {
    const sends = sender({ includeContentAvailable: true, includeMutableContent: true });
    await sends.sendOne(TOKEN, { title: 'T' });
    expect(received().payload).toEqual({
      aps: { alert: { title: 'T' }, 'content-available': 1, 'mutable-content': 1 },
    });
    await sends.sendOne(TOKEN, { title: 'T', mutableContent: false });
    expect(received().payload).toEqual({ aps: { alert: { title: 'T' }, 'content-available': 1 } });
  });

  test.each(Object.entries(PUSH_TYPES))(
    'of type %s has the topic and priority Apple asks for',
    async (pushType, { suffix }) => {
      const type = Object.keys(PUSH_TYPES).find((name): name is keyof typeof PUSH_TYPES => name === pushType);
      const outcome = await sender().sendOne(TOKEN, {
        title: 'T',
        contentAvailable: true,
        ...(type === undefined ? {} : { apns: { pushType: type } }),
      });
      expect(outcome.kind).toBe('sent');
      expect(received().headers['apns-topic']).toBe(simulator.apns.bundleId + suffix);
      expect(received().headers['apns-priority']).toBe(pushType === 'background' ? '5' : '10');
    },
  );

  test('that may wait has the time it ends at', async () => {
    const before = Math.floor(clock.epochMs() / 1000);
    await sender().sendOne(TOKEN, { title: 'T', ttlSeconds: 90 });
    const expiration = Number(received().headers['apns-expiration']);
    expect(expiration).toBeGreaterThanOrEqual(before + 90);
    expect(expiration).toBeLessThanOrEqual(before + 95);
    await sender().sendOne(TOKEN, { title: 'T' });
    expect(received().headers).not.toHaveProperty('apns-expiration');
  });

  test('without anything to show is a background push at priority 5', async () => {
    await sender().sendOne(TOKEN, { contentAvailable: true, priority: 'high' });
    expect(received().headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
    expect(received().payload).toEqual({ aps: { 'content-available': 1 } });
  });

  test('can be a Live Activity', async () => {
    const live = {
      event: 'update',
      timestamp: 1_700_000_000,
      contentState: { score: 2 },
      staleDate: 1_700_000_100,
      relevanceScore: 75,
    } as const;
    await sender().sendOne(TOKEN, { liveActivity: live });
    expect(received().payload).toEqual({
      aps: {
        event: 'update',
        timestamp: 1_700_000_000,
        'content-state': { score: 2 },
        'stale-date': 1_700_000_100,
        'relevance-score': 75,
      },
    });
  });

  test('can go to a broadcast channel', async () => {
    const sends = sender();
    const message = sends.prepare({ title: 'T', apns: { channelId: 'dHN0LXNyY2gtY2hubA==' } });
    const [outcome] = await outcomesOf(1, (push, done) => sends.sendBroadcast(message, push, done));
    expect(outcome?.kind).toBe('sent');
    expect(received().headers[':path']).toBe(`/4/broadcasts/apps/${simulator.apns.bundleId}`);
    expect(received().headers['apns-channel-id']).toBe('dHN0LXNyY2gtY2hubA==');
  });

  test('to a token that is not 64 digits long goes out all the same', async () => {
    const outcome = await sender().sendOne('c0ffee'.repeat(30), { title: 'T' });
    expect(outcome.kind).toBe('sent');
    expect(received().headers[':path']).toBe(`/3/device/${'c0ffee'.repeat(30)}`);
  });

  test.each(['', 'zz', '../../x', `${TOKEN}/..`, 'g'.repeat(64)])('to the token %j never leaves', async (token) => {
    const outcome = await sender().sendOne(token, { title: 'T' });
    expect(outcome).toMatchObject({
      kind: 'dropToken',
      certainty: 'notProcessed',
      provider: { reason: 'BadDeviceToken' },
    });
    expect(simulator.apns.records.counts().received).toBe(0);
  });

  test('with an id that is no UUID is refused to the caller, and takes no room', async () => {
    const sends = sender({ queueMax: 1 });
    await expect(sends.sendOne(TOKEN, { title: 'T' }, 'not-a-uuid')).rejects.toThrow(NotificationError);
    expect((await sends.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
  });
});

describe('a push that cannot be built', () => {
  class Broken extends WireText {
    override writeTo(): void {
      throw new Error('no bytes');
    }
  }
  const noFields = {
    get fields(): never {
      throw new Error('no headers');
    },
  };

  test.each([
    ['body', 'lean'],
    ['body', 'node'],
    ['head', 'lean'],
    ['head', 'node'],
  ] as const)('for want of its %s fails alone, over the %s transport', async (part, transport) => {
    const sends = sender({ transport });
    const good = sends.prepare({ title: 'Hi' });
    const { app, steady, payload, expiration, collapseId, channelId, hasOwnTopic } = good;
    const message = { app, steady, payload, expiration, collapseId, channelId, hasOwnTopic, smaller: () => undefined };
    const bad = part === 'body' ? { ...message, payload: new Broken('{}') } : { ...message, steady: noFields };
    expect((await sends.sendOne(TOKEN, good)).kind).toBe('sent');
    expect(await sends.sendOne(TOKEN, bad)).toMatchObject({
      kind: 'failMessage',
      certainty: 'notProcessed',
      provider: { status: 0, reason: 'notBuilt', detail: part === 'body' ? 'no bytes' : 'no headers' },
    });
    const outcomes = await outcomesOf(60, (push, done) => sends.send(TOKEN, push % 20 === 10 ? bad : good, push, done));
    expect(outcomes.filter(({ kind }) => kind === 'failMessage')).toHaveLength(3);
    expect(outcomes.filter(({ kind }) => kind !== 'failMessage' && kind !== 'sent')).toEqual([]);
    expect(sends.state()).toMatchObject({ queued: 0, inFlight: 0 });
  });
});

describe('payload limits', () => {
  const sizes: readonly (readonly [string, Notification, number])[] = [
    ['alert', { title: 'T', body: 'ä'.repeat(5_000) }, 4_096],
    ['voip', { title: 'T', body: '👩‍👩‍👧‍👦'.repeat(500), apns: { pushType: 'voip' } }, 5_120],
  ];
  test.each(sizes)('%s is cut to its limit, at a whole character', async (_type, notification, limit) => {
    expect((await sender().sendOne(TOKEN, notification)).kind).toBe('sent');
    const body = simulator.apns.records.latest().at(-1)?.body ?? '';
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(limit);
    expect(Buffer.byteLength(body)).toBeGreaterThan(limit - 30);
    expect(JSON.parse(body).aps.alert.body).toMatch(/^(ä+|(👩‍👩‍👧‍👦)+)…$/u);
  });

  test.each([
    ['apns.topic', { topic: 'com.example\r\nx: y' }],
    ['apns.topic', { topic: '' }],
    ['apns.channelId', { channelId: 'canäl' }],
  ])('an %s that cannot stand in a header is told to the caller', (field, apns) => {
    expect(() => sender().prepare({ title: 'T', apns })).toThrow(expect.objectContaining({ field }));
  });

  test('the same message sent once and many times is the same bytes', async () => {
    const sends = sender();
    const notification = { title: 'Grüße \ud800 "x"', body: '日本 👩‍👩‍👧‍👦', data: { n: [1, null] } };
    const message = sends.prepare(notification);
    for (let i = 0; i < 3; i++) expect((await sends.sendOne(TOKEN, message)).kind).toBe('sent');
    const bodies = simulator.apns.records.latest().map((record) => record.body);
    expect(bodies.map((body) => JSON.parse(body))).toEqual(
      Array.from({ length: 3 }, () => ({
        aps: { alert: { title: notification.title, body: notification.body } },
        n: [1, null],
      })),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  test('a payload Apple finds too large all the same is cut and sent again once', async () => {
    simulator.apns.setFaults({ bodyBytesMax: 2_048 });
    const sends = sender();
    expect((await sends.sendOne(TOKEN, { title: 'T', body: 'ä'.repeat(1_500) })).kind).toBe('sent');
    expect(simulator.apns.records.counts().byReason).toEqual({ PayloadTooLarge: 1 });
    const body = simulator.apns.records.latest().at(-1)?.body ?? '';
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(2_048);
    expect(JSON.parse(body).aps.alert.body).toMatch(/^ä+…$/);
    simulator.apns.setFaults({ bodyBytesMax: 100 });
    expect(await sends.sendOne(TOKEN, { title: 'T', body: 'ä'.repeat(1_500) })).toMatchObject({
      kind: 'failMessage',
      provider: { status: 413, reason: 'PayloadTooLarge' },
    });
    expect(simulator.apns.records.counts().byReason).toEqual({ PayloadTooLarge: 3 });
  });

  test('data that can never fit is told to the caller', () => {
    expect(() => sender().prepare({ title: 'T', data: { blob: 'x'.repeat(5_000) } })).toThrow(
      /takes 5\d\d\d bytes .*at most 4096/,
    );
  });

  test.each(['x'.repeat(65), 'ü'.repeat(33), ''])('the collapse id %j is told to the caller', (collapseId) => {
    expect(() => sender().prepare({ title: 'T', collapseId })).toThrow(NotificationError);
  });
});

test('broadcast channels are made, read, listed and removed', async () => {
  const channels = createApnsChannels({ ...simulator.apns, production: false, ca: simulator.ca });
  const made = await channels.create(1);
  expect(made).toMatchObject({ status: 201, channelId: expect.stringMatching(/.+/) });
  expect((await channels.read(made.channelId)).status).toBe(200);
  expect(JSON.parse((await channels.list()).body)).toEqual({ channels: [made.channelId] });
  expect((await channels.remove(made.channelId)).status).toBe(204);
  expect(await channels.read(made.channelId)).toMatchObject({
    status: 400,
    body: expect.stringContaining('ChannelNotRegistered'),
  });
});

test.each([
  '',
  'not a key',
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
])('a key that is no P-256 key is refused without being quoted', (p8Key) => {
  let message = '';
  try {
    createApnsSender({ ...simulator.apns, production: false, p8Key });
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }
  expect(message).toMatch(/^p8Key/);
  if (p8Key !== '') expect(message).not.toContain(p8Key.slice(30, 60) || p8Key);
});
