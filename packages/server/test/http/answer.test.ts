import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { sendBytes } from './wire.ts';

/** What differs from one answer to the next, and what says whether the connection stays. */
const passing = /^(date|connection|keep-alive|x-request-id|x-rate-?limit-(remaining|reset)|ratelimit): /i;

describe('the head of an answer', () => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse('sqlite');
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
