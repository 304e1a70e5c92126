import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { sendBytes } from './wire.ts';

describe('bytes that are not a request', () => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse('sqlite');
  });
  afterAll(() => gatehouse.close());

  it.each<[string, string | Uint8Array, number]>([
    ['nothing like HTTP', 'hello\r\n\r\n', 400],
    ['a TLS greeting', Buffer.from('16030100c2010000be0303', 'hex'), 400],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a version from the future', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['U+0000 in the address', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['U+0000 in a header', 'GET / HTTP/1.1\r\nHost: x\r\napikey: a\0b\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\na: b\r\n c: d\r\nx y: z\r\n\r\n', 400],
    ['headers of 100 KB', `GET / HTTP/1.1\r\nHost: x\r\na: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
  ])('answers %s with a status, an envelope and a request id, and closes', async (_, bytes, status) => {
    const answer = await sendBytes(gatehouse.url, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const requestId = /x-request-id: (\S+)/i.exec(head)?.[1];
    expect(requestId).toBeTypeOf('string');
    const { error } = JSON.parse(body);
    expect(error).toMatchObject({ code: 'ERR_BAD_REQUEST', source: 'gatehouse' });
    expect(error.devMessage).toContain(requestId);
  });

  it('outlives random bytes, cut requests and clients that go away', async () => {
    const head = `POST /v3/moderation/rules HTTP/1.1\r\nHost: x\r\napikey: ${gatehouse.fullAccess}\r\nContent-Type: application/json\r\n`;
    await Promise.all([
      ...Array.from({ length: 50 }, () =>
        sendBytes(gatehouse.url, randomBytes(1 + Math.floor(Math.random() * 4000)), 50),
      ),
      ...Array.from({ length: 20 }, (_, i) => sendBytes(gatehouse.url, head.slice(0, i * 7), 50)),
      sendBytes(gatehouse.url, `${head}Content-Length: 100\r\n\r\n{"name":`, 50),
      sendBytes(gatehouse.url, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{"name":`, 50),
    ]);
    expect((await gatehouse.asApp('/v3/moderation/rules')).status).toBe(200);
    expect((await gatehouse.ask('/readyz')).status).toBe(200);
    expect(gatehouse.logs()).not.toContain('"level":50');
  });
});
