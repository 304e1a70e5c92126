import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { sendBytes } from './wire.ts';

/** What differs from one answer to the next, and what says whether the connection stays. */
const passing = /^(date|connection|keep-alive|x-request-id|x-rate-?limit-(remaining|reset)|ratelimit): /i;

describe('the head of an answer', () => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse('sqlite');
    // The first request compiles schemas, and what follows takes silence for the end of an answer.
    await gatehouse.asApp('/v3/moderation/rules');
    await gatehouse.asApp('/v3/moderation/rules/none');
  });
  afterAll(() => gatehouse.close());

  const request = (path: string, connection: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\napikey: ${gatehouse.fullAccess}\r\nConnection: ${connection}\r\n\r\n`;
  const heads = (received: string): string[] => received.match(/HTTP\/1\.1 \d+ .*?\r\n\r\n/gs) ?? [];
  const lasting = (head: string): string[] =>
    head
      .split('\r\n')
      .filter((line) => !passing.test(line))
      .map((line) => line.toLowerCase())
      .sort();

  it.each([
    ['/v3/moderation/rules', 200],
    ['/v3/moderation/rules/none', 404],
    ['/v3/notifications/push/v1/tokens?limit=x', 400],
    ['/v3/notifications/push/v1/tokens?authToken=nobody', 200],
    // Pages of other origins may see this one.
    ['/v3/notifications/v1/preferences?uid=ada', 200],
    ['/livez', 200],
    ['/nothing', 404],
  ])('of %s is the same whether the connection stays or not', async (path, status) => {
    const [kept = ''] = heads(await sendBytes(gatehouse.url, request(path, 'keep-alive')));
    const [closed = ''] = heads(await sendBytes(gatehouse.url, request(path, 'close'), 5000));
    expect(kept).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\S`));
    expect(lasting(kept)).toEqual(lasting(closed));
    expect(kept).toMatch(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=\d+\r\n/);
    expect(closed).toMatch(/\r\nConnection: close\r\n/);
    for (const head of [kept, closed]) {
      expect(head).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
      expect(head).toMatch(/\r\ncache-control: no-store\r\n/);
      expect(head).toMatch(/\r\nx-request-id: \S+\r\n/);
      const sent = Date.parse(/\r\nDate: (.+)\r\n/.exec(head)?.[1] ?? '');
      expect(Math.abs(sent - Date.now())).toBeLessThan(60_000);
    }
  });

  it('comes once for each of several requests sent at once, in their order', async () => {
    const paths = ['/v3/moderation/rules', '/livez', '/v3/moderation/rules/none', '/v3/moderation/rules?limit=1'];
    const received = await sendBytes(gatehouse.url, paths.map((path) => request(path, 'keep-alive')).join(''));
    expect(heads(received).map((head) => head.slice(9, 12))).toEqual(['200', '200', '404', '200']);
  });

  it('and its body are whole and in order for requests of every kind that come in one piece', async () => {
    const text = 'grüß dich 👋';
    const conditions = [{ operand: 'text', category: 'word', value: ['never'] }];
    const rule = { id: 'greetings', name: text, action: ['blockMessage'], filters: [], conditions };
    await gatehouse.asApp('/v3/moderation/rules', { body: rule });
    const message = { sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text } };
    // The first message of an app waits for its rules to be compiled.
    await gatehouse.asApp('/v3/moderation/messages', { body: message });
    const body = JSON.stringify(message);
    const key = `apikey: ${gatehouse.fullAccess}\r\nHost: x\r\n`;
    const post = `POST /v3/moderation/messages HTTP/1.1\r\n${key}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const get = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\n${key}\r\n`;
    const requests = [
      get('/v3/moderation/rules/greetings'),
      get('/livez', 'HEAD'),
      post,
      get('/nothing'),
      get('/v3/moderation/rules'),
      get('/v3/notifications/push/v1/tokens?authToken=nobody'),
      get('/livez'),
    ];
    const received = Buffer.from(await sendBytes(gatehouse.url, requests.join('')), 'latin1');
    const bodies: string[] = [];
    for (let at = 0; at < received.length; ) {
      const end = received.indexOf('\r\n\r\n', at) + 4;
      const head = received.subarray(at, end).toString();
      // An answer to HEAD says how long its body would be.
      const length = bodies.length === 1 ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      bodies.push(received.subarray(end, end + length).toString());
      at = end + length;
    }
    expect(bodies).toHaveLength(requests.length);
    expect(JSON.parse(bodies[0] ?? '').data.name).toBe(text);
    expect(bodies[1]).toBe('');
    expect(JSON.parse(bodies[2] ?? '').data.data.text).toBe(text);
    expect(JSON.parse(bodies[3] ?? '').error.code).toBe('ERR_API_NOT_FOUND');
    expect(JSON.parse(bodies[4] ?? '').data.length).toBeGreaterThan(0);
    expect(bodies[5]).toBe('{"data":{"pushTokens":[]}}');
    expect(JSON.parse(bodies[6] ?? '').status).toBe('ok');
  });

  it('is not missed by callers who stay when others leave before theirs', async () => {
    const leave = () => sendBytes(gatehouse.url, request('/v3/moderation/rules', 'keep-alive').slice(0, -2), 1);
    const stay = () => gatehouse.ask('/livez');
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? leave() : stay())));
    for (const [i, answer] of answers.entries()) if (i % 2 === 1) expect(answer).toMatchObject({ status: 200 });
  });

  it('says no cache-control of ours where an answer has its own', async () => {
    const page = await gatehouse.ask('/dashboard/');
    const asset = /(?:src|href)="([^"]*assets\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    const { headers } = await gatehouse.ask(new URL(asset, `${gatehouse.url}/dashboard/`).pathname);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('ends the connection for a client that asks for HTTP/1.0', async () => {
    const received = await sendBytes(gatehouse.url, 'GET /livez HTTP/1.0\r\n\r\n', 5000);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/\r\nConnection: close\r\n/);
  });
});
