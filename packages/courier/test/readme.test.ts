import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { compileFunction } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as courier from '../src/index.ts';
import { type Simulator, startSimulator } from '../src/simulator/index.ts';
import { TOKEN, until } from './sim.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
let simulator: Simulator;
let closers: (() => Promise<void>)[];

beforeEach(async () => {
  closers = [];
  simulator = await startSimulator();
});

afterEach(async () => {
  for (const close of closers) await close();
  await simulator.close();
});

function kept<T extends { close(): Promise<void> }>(made: T): T {
  closers.push(() => made.close());
  return made;
}

/** The package as a reader would import it, but sending to the simulator. */
function exports() {
  const { ca } = simulator;
  const local = { ca, allowPrivate: true };
  return {
    ...courier,
    createApnsSender: (options: courier.ApnsOptions) =>
      kept(courier.createApnsSender({ host: simulator.apns.host, ca, ...options })),
    createFcmSender: (options: courier.FcmOptions) =>
      kept(courier.createFcmSender({ endpoint: simulator.fcm.endpoint, ca, rampMs: 0, ...options })),
    createWebPushSender: (options: courier.WebPushOptions) =>
      kept(courier.createWebPushSender({ ...local, ...options })),
    createWebhookSender: () => kept(courier.createWebhookSender({ ...local, onEvent: () => undefined })),
    startSimulator: async (options: Parameters<typeof startSimulator>[0]) => kept(await startSimulator(options)),
  };
}

/** Runs the examples under a heading, one after the other, with what they take for granted. */
async function run(heading: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const code = [...section.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n');
  expect(code).not.toBe('');
  const body = code.replace(/import (\{[^}]+\}) from '@gatehouse\/courier(\/simulator)?';/g, 'const $1 = courier;');
  const names = { ...exports(), courier: exports(), ...given };
  await compileFunction(`return (async () => {${body}\n})()`, Object.keys(names))(...Object.values(names));
}

test('APNs: one push, then many at once', async () => {
  const { keyId, teamId, p8Key } = simulator.apns;
  const settled: string[] = [];
  await run('APNs', {
    keyId,
    teamId,
    p8Key,
    deviceToken: TOKEN,
    registeredAtMs: 0,
    forget: () => undefined,
    tokens: Array.from({ length: 50 }, (_, i) => i.toString(16).padStart(64, '0')),
    ids: Array.from({ length: 50 }, () => randomUUID()),
    settle: (_row: number, outcome: courier.Outcome) => settled.push(outcome.kind),
  });
  await until(() => settled.length === 50);
  expect(new Set(settled)).toEqual(new Set(['sent']));
  expect(simulator.apns.records.counts().accepted).toBe(51);
});

test('FCM: to a token and to an installation', async () => {
  const keyFile = JSON.stringify(simulator.fcm.serviceAccount);
  await run('FCM', { keyFile, registrationToken: 'fcm-token-123', fid: 'fid-1' });
  expect(simulator.fcm.records.counts()).toMatchObject({ received: 2, accepted: 2 });
});

test('Web Push: to a subscription', async () => {
  await run('Web Push and UnifiedPush', { ...simulator.webpush.subscribe() });
  expect(simulator.webpush.records.counts()).toMatchObject({ received: 1, accepted: 1 });
});

test('webhooks: sent, and verified by the receiver', async () => {
  let received = 0;
  const server = createServer((request, response) => {
    received++;
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const event = { id: 'evt_1', type: 'message.rejected' };
  const timestamp = Math.floor(Date.now() / 1000);
  const rawBody = JSON.stringify(event);
  await run('Webhooks', {
    url: `http://127.0.0.1:${port}/hook`,
    secret,
    event,
    id: event.id,
    timestamp: String(timestamp),
    signature: courier.signWebhook([secret], event.id, timestamp, rawBody),
    rawBody,
  });
  expect(received).toBe(1);
  server.closeAllConnections();
  server.close();
});

test('the simulator: started, changed and read', async () => {
  await run('The simulator', {});
});
