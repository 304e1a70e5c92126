import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, it, vi } from 'vitest';
import { makePlace } from '../store/place.ts';
import { startService } from './service.ts';

it('a process that is told to stop says so first, serves until it was heard, and answers what is under way', async () => {
  const place = await makePlace('sqlite', { GATEHOUSE_DRAIN_MS: '3000' });
  const service = await startService(place.environment, '--json', '--port', '0');
  const { apiKeys } = JSON.parse(service.stdout());
  const headers = { apikey: apiKeys.fullAccess, 'content-type': 'application/json' };
  const statusOf = async (path: string) =>
    (await fetch(service.url + path, { headers: { ...headers, connection: 'close' } })).status;
  expect(await statusOf('/readyz')).toBe(200);

  // A request that has arrived in part when the signal comes.
  const body = JSON.stringify({ sender: 'ann', receiver: 'bob', receiverType: 'user', data: { text: 'hello' } });
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const slow = request(`${service.url}/v3/moderation/messages`, { method: 'POST', headers: { ...headers, ...length } });
  slow.write(body.slice(0, 10));
  await once(slow, 'socket');

  const ended = service.stop('SIGTERM');
  await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(503), { timeout: 2500, interval: 10 });
  expect(await statusOf('/v3/moderation/rules')).toBe(200);
  await vi.waitFor(() => expect(statusOf('/livez')).rejects.toThrow(), { timeout: 10_000, interval: 50 });
  slow.end(body.slice(10));
  const [answered]: IncomingMessage[] = await once(slow, 'response');
  expect(answered?.statusCode).toBe(200);
  expect(await ended).toBe(0);
  await place.remove();
}, 60_000);
