import { describe, expect, it } from 'vitest';
import { GatehouseClient } from '../src/index.ts';

interface Sent {
  method: string;
  headers: Record<string, string>;
}

/** A client whose network does as the script says; the last step is repeated. */
function scripted(...steps: (Response | Error)[]) {
  const sent: Sent[] = [];
  const client = new GatehouseClient({
    url: 'http://gatehouse.test',
    credentials: { apikey: 'k' },
    retry: { firstWaitMs: 1 },
    fetch: async (_url, init) => {
      sent.push({ method: init.method ?? '', headers: init.headers as Record<string, string> });
      const step = steps[Math.min(sent.length, steps.length) - 1];
      if (step instanceof Error) throw step;
      return (step ?? new Response('{}')).clone();
    },
  });
  return { client, sent };
}

const ours = { 'x-request-id': 'r1', 'content-type': 'application/json' };
const page = new Response('{"data":[],"meta":{"current":{"limit":50,"count":0}}}', { headers: ours });
const done = new Response('{"data":{"id":"a"}}', { headers: ours });
const limited = (after: string) =>
  new Response('{"error":{"code":"ERR_TOO_MANY_REQUESTS"}}', {
    status: 429,
    headers: { ...ours, 'retry-after': after },
  });
const operationFailed = (headers: Record<string, string>) =>
  new Response('{"error":{"code":"ERR_OPERATION_FAILED"}}', { status: 503, headers });
const notTaken = operationFailed({ ...ours, 'retry-after': '0' });
const perhapsTaken = operationFailed(ours);
const proxyLost = new Response('<h1>Bad gateway</h1>', { status: 502 });
const dropped = new TypeError('fetch failed');
const app = { body: { name: 'a' } };

describe('retries', () => {
  it('reads again after a lost connection', async () => {
    const { client, sent } = scripted(dropped, dropped, page);
    await client.listRules();
    expect(sent).toHaveLength(3);
  });

  it('does not send a POST again when nobody knows whether it arrived', async () => {
    const { client, sent } = scripted(dropped, done);
    await expect(client.createApp(app)).rejects.toThrow('cannot be reached');
    expect(sent).toHaveLength(1);
    const behindProxy = scripted(proxyLost, done);
    await expect(behindProxy.client.createApp(app)).rejects.toMatchObject({ status: 502, code: 'HTTP_502' });
    expect(behindProxy.sent).toHaveLength(1);
    const inDoubt = scripted(perhapsTaken, done);
    await expect(inDoubt.client.createApp(app)).rejects.toMatchObject({ status: 503 });
    expect(inDoubt.sent).toHaveLength(1);
  });

  it('sends a POST again that was refused before anything was done, with the same idempotency key', async () => {
    const { client, sent } = scripted(limited('0'), notTaken, done);
    await client.createApp(app);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('makes a new idempotency key for a new request', async () => {
    const { client, sent } = scripted(done);
    await client.createApp(app);
    await client.createApp(app);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  it('hands over the refusal when it would have to wait longer than a minute', async () => {
    const { client, sent } = scripted(limited('3600'), page);
    await expect(client.listRules()).rejects.toMatchObject({ status: 429, tries: 1 });
    expect(sent).toHaveLength(1);
  });

  it('waits until the date that Retry-After names', async () => {
    const { client, sent } = scripted(limited(new Date(Date.now() - 1000).toUTCString()), page);
    await client.listRules();
    expect(sent).toHaveLength(2);
  });

  it('gives up after three more tries', async () => {
    const { client, sent } = scripted(notTaken);
    await expect(client.listRules()).rejects.toMatchObject({ code: 'ERR_OPERATION_FAILED', tries: 4 });
    expect(sent).toHaveLength(4);
  });

  it('never repeats a guarded change, which its own first try would now refuse', async () => {
    const { client, sent } = scripted(dropped, done);
    await expect(client.deleteRule({ ruleId: 'a' }, { ifMatch: 'r' })).rejects.toThrow('cannot be reached');
    expect(sent).toHaveLength(1);
  });

  it('stops at once when the caller gives up while it waits', async () => {
    const { client, sent } = scripted(limited('30'), page);
    const giveUp = new AbortController();
    const asked = client.listRules({}, { signal: giveUp.signal });
    setTimeout(() => giveUp.abort(new Error('enough')), 10);
    await expect(asked).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  it('asks the browser to send its cookie, and no other credential, for a session', async () => {
    let seen: RequestInit = {};
    const client = new GatehouseClient({
      url: 'http://gatehouse.test',
      credentials: { session: 'cookie' },
      appId: 'a1b2c3d4e5f60718',
      fetch: async (_url, init) => {
        seen = init;
        return page.clone();
      },
    });
    await client.listRules();
    expect(seen.credentials).toBe('include');
    expect(seen.headers).toEqual({ accept: 'application/json, */*;q=0.5', appid: 'a1b2c3d4e5f60718' });
  });
});
