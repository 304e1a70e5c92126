import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPause } from '../../src/outbox/lanes.ts';
import { announce } from '../../src/webhooks/announce.ts';
import { laneOf } from '../../src/webhooks/delivery.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';

const path = '/v3/webhooks';
const firstRetryMs = 60_000;

describe.each(stores)('an endpoint that fails, on %s', (store) => {
  let gatehouse: Gatehouse;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    gatehouse = await startGatehouse(store, {
      GATEHOUSE_PRIVATE_HOSTS: receiver.host,
      GATEHOUSE_WEBHOOK_RETRY_MS: String(firstRetryMs),
    });
  });
  afterAll(async () => {
    await gatehouse.close();
    await receiver.close();
  });

  const happen = async (times: number) => {
    for (let n = 0; n < times; n++)
      await gatehouse.app.store.change(announce, {
        appId: gatehouse.appId,
        trigger: 'message_flagged',
        data: { n },
      });
  };
  const hold = (id: string) => findPause(gatehouse.app.store, { kind: 'webhook', lane: laneOf(gatehouse.appId, id) });
  /** Waits until so many were answered and that is written down. */
  const tried = (id: string, count: number) =>
    vi.waitFor(
      async () => {
        const { data } = (await gatehouse.asApp(`${path}/${id}/deliveries?limit=100`)).body;
        expect(data.filter(({ tries }: { tries: number }) => tries > 0).length).toBeGreaterThanOrEqual(count);
      },
      { timeout: 20_000, interval: 30 },
    );

  it('rests once for all that failed together, and not at all at another address', async () => {
    const { id } = (await gatehouse.asApp(path, { body: { url: `${receiver.url}/old` } })).body.data;
    const hanging: ServerResponse[] = [];
    receiver.behave((_, response) => void hanging.push(response));
    await happen(20);
    await vi.waitFor(() => expect(hanging.length).toBe(16), { timeout: 20_000 });
    // Slots that come free before the rest begins take the others.
    receiver.behave(answer(503));
    for (const response of hanging) response.writeHead(503).end();
    await tried(id, 16);
    const { pausedAt = 0, until = 0 } = (await hold(id)) ?? {};
    expect(until - pausedAt).toBeGreaterThan(0);
    expect(until - pausedAt).toBeLessThanOrEqual(firstRetryMs);
    expect((await gatehouse.asApp(`${path}/${id}`)).body.data).toMatchObject({
      status: 'active',
      failingSince: expect.any(String),
    });

    receiver.behave(answer(200));
    const mended = await gatehouse.asApp(`${path}/${id}`, { method: 'PATCH', body: { url: `${receiver.url}/new` } });
    expect(mended.body.data.failingSince).toBeUndefined();
    expect(await hold(id)).toBeUndefined();
    await happen(1);
    const paths = () => receiver.received.map((request) => request.path);
    await vi.waitFor(() => expect(paths()).toContain('/new'), { timeout: 20_000 });
    await gatehouse.asApp(`${path}/${id}`, { method: 'DELETE' });
  });

  it('sends at once what waits, when somebody asks for it', async () => {
    const { id } = (await gatehouse.asApp(path, { body: { url: `${receiver.url}/hook` } })).body.data;
    receiver.behave(answer(503));
    await happen(6);
    await tried(id, 5);
    await vi.waitFor(async () => expect(await hold(id)).toBeDefined(), { timeout: 20_000 });
    receiver.behave(answer(200));
    const waits = await gatehouse.asApp(`${path}/${id}/deliveries?status=pending&limit=100`);
    const { eventId } = waits.body.data.find(({ tries }: { tries: number }) => tries > 0);
    await gatehouse.asApp(`${path}/${id}/deliveries/${eventId}/redeliver`, { method: 'POST' });
    const find = async () => {
      const { data } = (await gatehouse.asApp(`${path}/${id}/deliveries?limit=100`)).body;
      return data.find((one: { eventId: string }) => one.eventId === eventId);
    };
    await vi.waitFor(async () => expect(await find()).toMatchObject({ status: 'delivered', tries: 2 }), {
      timeout: 20_000,
      interval: 30,
    });
    await gatehouse.asApp(`${path}/${id}`, { method: 'DELETE' });
  });

  it('does not blame a new address for what the old one answers', async () => {
    const { id } = (await gatehouse.asApp(path, { body: { url: `${receiver.url}/old` } })).body.data;
    const hanging: ServerResponse[] = [];
    receiver.behave((_, response) => void hanging.push(response));
    await happen(6);
    await vi.waitFor(() => expect(hanging.length).toBe(6), { timeout: 20_000 });
    await gatehouse.asApp(`${path}/${id}`, { method: 'PATCH', body: { url: `${receiver.url}/new` } });
    for (const response of hanging) response.writeHead(410).end();
    await tried(id, 6);
    expect((await gatehouse.asApp(`${path}/${id}`)).body.data.status).toBe('active');
    expect(await hold(id)).toBeUndefined();
  });
});
