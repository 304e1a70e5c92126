import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWebhookSender, signWebhook, verifyWebhook, type WebhookSender } from '../src/index.ts';
import { outcomesOf } from './sim.ts';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.from('the secret before that one......').toString('base64')}`;
let server: Server;
let url: string;
let handle: (request: IncomingMessage, response: ServerResponse, body: string) => void;
let sender: WebhookSender;

beforeEach(async () => {
  handle = (_request, response) => void response.end();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => handle(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook`;
  sender = createWebhookSender({ allowPrivate: true, timeoutMs: 500 });
});

afterEach(async () => {
  await sender.close(100);
  server.closeAllConnections();
  server.close();
});

describe('a webhook', () => {
  test('is signed so that another library verifies it, with each secret while one is being changed', async () => {
    const verified: unknown[] = [];
    handle = (request, response, body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      for (const secret of [SECRET, OLD_SECRET]) verified.push(new Webhook(secret).verify(body, headers));
      response.end();
    };
    const outcome = await sender.sendOne(
      { url, secrets: [SECRET, OLD_SECRET] },
      { body: '{"type":"message.blocked"}' },
      'evt_1',
    );
    expect(outcome).toEqual({
      kind: 'sent',
      certainty: 'processed',
      provider: { status: 200, reason: '', id: 'evt_1' },
    });
    expect(verified).toEqual([{ type: 'message.blocked' }, { type: 'message.blocked' }]);
  });

  test('verifies with ours too, and not when changed, late or signed by another', () => {
    const timestamp = 1_700_000_000;
    const headers = {
      id: 'evt_1',
      timestamp: String(timestamp),
      signature: signWebhook([SECRET], 'evt_1', timestamp, 'body'),
    };
    expect(verifyWebhook(SECRET, headers, 'body', timestamp * 1000)).toBe(true);
    expect(verifyWebhook(SECRET, headers, 'body!', timestamp * 1000)).toBe(false);
    expect(verifyWebhook(OLD_SECRET, headers, 'body', timestamp * 1000)).toBe(false);
    expect(verifyWebhook(SECRET, headers, 'body', (timestamp + 301) * 1000)).toBe(false);
    expect(verifyWebhook(SECRET, { ...headers, signature: 'v1,' }, 'body', timestamp * 1000)).toBe(false);
    expect(() => signWebhook(['whsec_short'], 'a', 1, 'b')).toThrow(/secret/);
  });

  test.each([
    [200, 'sent'],
    [204, 'sent'],
    [302, 'failMessage'],
    [400, 'retry'],
    [404, 'retry'],
    [410, 'dropToken'],
    [429, 'retry'],
    [500, 'retry'],
  ])('answered %i is %s', async (status, kind) => {
    handle = (_request, response) =>
      void response.writeHead(status, { location: 'http://127.0.0.1:1/', 'retry-after': '3' }).end();
    const outcome = await sender.sendOne({ url, secrets: [SECRET] }, { body: '{}' });
    expect(outcome).toMatchObject({ kind, certainty: 'processed', provider: { status } });
    if (outcome.kind === 'retry') expect(outcome.afterMs).toBe(3_000);
  });

  test('that is never answered is unknown after the time-out', async () => {
    handle = () => undefined;
    expect(await sender.sendOne({ url, secrets: [SECRET] }, { body: '{}' })).toMatchObject({
      kind: 'retry',
      certainty: 'unknown',
    });
  });

  test('to nobody was not processed', async () => {
    expect(await sender.sendOne({ url: 'http://127.0.0.1:9/', secrets: [SECRET] }, { body: '{}' })).toMatchObject({
      kind: 'retry',
      certainty: 'notProcessed',
    });
  });

  test.each(['http://example.com/', 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/'])(
    'to %s is refused when addresses are guarded',
    async (address) => {
      const guarded = createWebhookSender();
      const outcome = await guarded.sendOne({ url: address, secrets: [SECRET] }, { body: '{}' });
      expect(outcome).toMatchObject({
        kind: 'failMessage',
        certainty: 'notProcessed',
        provider: { reason: 'badAddress' },
      });
      await guarded.close();
    },
  );

  test('to a slow receiver holds up no other receiver', async () => {
    const patient = createWebhookSender({ allowPrivate: true, timeoutMs: 60_000 });
    const waiting: ServerResponse[] = [];
    handle = (_request, response) => void waiting.push(response);
    let slow = 0;
    for (let i = 0; i < 30; i++) patient.send({ url, secrets: [SECRET] }, { body: '{}' }, i, () => slow++);
    const other = createServer((_request, response) => void response.end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const target = {
      url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
      secrets: [SECRET],
    };
    const outcomes = await outcomesOf(20, (push, done) => patient.send(target, { body: '{}' }, push, done));
    expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true);
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(8);
    expect(slow).toBe(0);
    for (const response of waiting) response.destroy();
    await patient.close();
    other.closeAllConnections();
    other.close();
  });
});
