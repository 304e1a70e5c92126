import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { ApnsHubs, type ApnsSender, createApnsSender } from '../src/index.ts';
import { answer, type Peer, startHttp2Peer } from './peer.ts';
import { outcomesOf, TOKEN } from './sim.ts';

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
