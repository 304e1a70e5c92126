import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tx } from '../../src/store/store.ts';
import { announce } from '../../src/webhooks/announce.ts';
import { forgetOldEvents, laneOf } from '../../src/webhooks/delivery.ts';
import { Endpoints } from '../../src/webhooks/endpoints.ts';
import { Outside } from '../../src/webhooks/outside.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';

const path = '/v3/webhooks';

describe.each(stores)('webhook deliveries on %s', (store) => {
  let gatehouse: Gatehouse;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    gatehouse = await startGatehouse(store, {
      GATEHOUSE_PRIVATE_HOSTS: `${receiver.host},127.0.0.1:1`,
      GATEHOUSE_WEBHOOK_RETRY_MS: '20',
      GATEHOUSE_WEBHOOK_PAUSE_AFTER_MS: '0',
      GATEHOUSE_WEBHOOKS_MAX: '100',
    });
  });
  afterAll(async () => {
    await gatehouse.close();
    await receiver.close();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.behave(answer(200, 'ok'));
  });

  const endpoint = async (body: object = {}) => {
    for (const { id } of (await gatehouse.asApp(path)).body.data)
      await gatehouse.asApp(`${path}/${id}`, { method: 'DELETE' });
    return (await gatehouse.asApp(path, { body: { url: `${receiver.url}/hook`, ...body } })).body.data;
  };
  const happen = (trigger: 'message_flagged' | 'rule_changed', data: Record<string, unknown> = { n: 1 }) =>
    gatehouse.app.store.change(announce, { appId: gatehouse.appId, trigger, data });
  const deliveries = async (id: string, query = '') =>
    (await gatehouse.asApp(`${path}/${id}/deliveries${query}`)).body.data;
  const settled = (id: string, status: string) =>
    vi.waitFor(
      async () => {
        const [first] = await deliveries(id);
        expect(first.status).toBe(status);
        return first;
      },
      { timeout: 20_000, interval: 30 },
    );

  it('knows at once whether anybody listens', async () => {
    const { store: opened, keyring } = gatehouse.app;
    const outside = new Outside([receiver.host]);
    const endpoints = new Endpoints(opened, keyring, outside, { endpointsMax: 1 });
    const { id } = await endpoint({ triggers: ['message_flagged'] });
    const heard = async (): Promise<boolean[]> => [
      await endpoints.hasListener(gatehouse.appId, 'message_flagged'),
      await endpoints.hasListener(gatehouse.appId, 'moderation_engine_approved'),
    ];
    expect(await heard()).toEqual([true, false]);
    await gatehouse.asApp(`${path}/${id}`, { method: 'PATCH', body: { triggers: null } });
    expect(await heard()).toEqual([true, true]);
    await gatehouse.asApp(`${path}/${id}`, { method: 'DELETE' });
    expect(await heard()).toEqual([false, false]);
    outside.close();
  });

  it('brings an event, signed, in the envelope, to an endpoint that chose it', async () => {
    const { id, secret } = await endpoint({ triggers: ['message_flagged'] });
    await happen('rule_changed');
    await happen('message_flagged', { message: { id: 'm1', text: 'ünïcode "quoted"' } });
    const [got] = await receiver.until(1);
    expect(got && new Webhook(secret).verify(got.body, got.headers)).toEqual({
      trigger: 'message_flagged',
      data: { message: { id: 'm1', text: 'ünïcode "quoted"' } },
      appId: gatehouse.appId,
      region: 'eu',
      webhook: id,
    });
    expect(got).toMatchObject({ method: 'POST', path: '/hook' });
    const delivery = await settled(id, 'delivered');
    expect(delivery).toMatchObject({ trigger: 'message_flagged', tries: 1, eventId: got?.headers['webhook-id'] });
    expect(delivery.answers).toMatchObject([{ status: 200, excerpt: 'ok' }]);
    expect(receiver.received.length).toBe(1);
  });

  // The writer thread of the embedded store runs registered changes only, and none of them fails after it has announced.
  it.runIf(store === 'postgres')('tells nothing of a change that was rolled back', async () => {
    const { id } = await endpoint();
    await expect(gatehouse.app.store.change(announceAndFail, { appId: gatehouse.appId })).rejects.toThrow();
    await happen('message_flagged');
    await receiver.until(1);
    expect(await deliveries(id)).toHaveLength(1);
  });

  // The embedded store has one writer: nobody deletes anything in the middle of a change.
  it.runIf(store === 'postgres')('goes on where an endpoint is deleted while it is told', async () => {
    const { id } = await endpoint();
    const deleteIt = () => gatehouse.asApp(`${path}/${id}`, { method: 'DELETE' });
    let tries = 0;
    const told = await gatehouse.app.store.change(async (tx: Tx) => {
      tries++;
      const insertMany: Tx['insertMany'] = async (table, ...rest) => {
        if (table === 'webhook_deliveries') await deleteIt();
        return tx.insertMany(table, ...rest);
      };
      const disturbed = new Proxy(tx, { get: (_, name) => (name === 'insertMany' ? insertMany : bound(tx, name)) });
      await announce(disturbed, { appId: gatehouse.appId, trigger: 'message_flagged', data: {} });
      return 'done';
    }, {});
    expect([told, tries]).toEqual(['done', 2]);
  });

  it('sends again after a rude answer, with the same id, and lists every answer', async () => {
    const { id, secret } = await endpoint();
    receiver.behave((_, response) => {
      if (receiver.received.length === 1) answer(500, `oops ${secret}`, { connection: 'close' })(_, response);
      else if (receiver.received.length === 2) response.socket?.destroy();
      else answer(204)(_, response);
    });
    await happen('message_flagged');
    const delivery = await settled(id, 'delivered');
    expect(delivery.tries).toBe(3);
    expect(delivery.answers[0]).toMatchObject({ status: 500, excerpt: 'oops whsec_[secret]' });
    expect(delivery.answers[1].error).toBe('The connection was cut.');
    expect(delivery.answers[2].status).toBe(204);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await gatehouse.asApp(`${path}/${id}`)).body.data.failingSince).toBeUndefined();
  });

  it('waits as long as Retry-After says', async () => {
    const { id } = await endpoint();
    receiver.behave(answer(429, '', { 'retry-after': '3600' }));
    await happen('message_flagged');
    const delivery = await vi.waitFor(async () => {
      const [first] = await deliveries(id);
      expect(first.tries).toBe(1);
      return first;
    });
    expect(delivery.status).toBe('pending');
    expect(Date.parse(delivery.nextTryAt) - Date.parse(delivery.updatedAt)).toBeGreaterThanOrEqual(3_600_000);
  });

  it('sends nothing that was owed to a deleted endpoint to a new one with its id', async () => {
    await endpoint({ id: 'again' });
    receiver.behave(answer(429, '', { 'retry-after': '1' }));
    await happen('message_flagged');
    await vi.waitFor(async () => expect((await deliveries('again'))[0].tries).toBe(1));
    await endpoint({ id: 'again', url: `${receiver.url}/new`, triggers: ['rule_changed'] });
    receiver.behave(answer(200));
    const left = () =>
      gatehouse.app.store.all("SELECT id FROM outbox WHERE kind = 'webhook' AND lane = $1", [
        laneOf(gatehouse.appId, 'again'),
      ]);
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 20_000, interval: 30 });
    expect(receiver.received.map((request) => request.path)).toEqual(['/hook']);
    expect(await deliveries('again')).toEqual([]);
  });

  // Only PostgreSQL lets a test write what it likes.
  it.runIf(store === 'postgres')('gives up after the last try, and sends again when asked', async () => {
    const { id } = await endpoint();
    await gatehouse.asApp(`${path}/${id}/pause`, { method: 'POST' });
    await happen('message_flagged');
    await gatehouse.app.store.change(useUpTries, { id });
    receiver.behave(answer(500));
    await gatehouse.asApp(`${path}/${id}/resume`, { method: 'POST' });
    const delivery = await settled(id, 'failed');
    expect(delivery).toMatchObject({ tries: 18, answers: [{ status: 500 }] });
    expect(delivery.nextTryAt).toBeUndefined();
    receiver.behave(answer(200));
    await gatehouse.asApp(`${path}/${id}/deliveries/${delivery.eventId}/redeliver`, { method: 'POST' });
    expect((await settled(id, 'delivered')).tries).toBe(1);
  });

  it('follows no redirect with a signed body', async () => {
    const { id } = await endpoint();
    receiver.behave((request, response) =>
      request.path === '/hook' && receiver.received.length === 1
        ? answer(302, '', { location: `${receiver.url}/elsewhere` })(request, response)
        : answer(200)(request, response),
    );
    await happen('message_flagged');
    const delivery = await settled(id, 'delivered');
    expect(delivery.answers[0].status).toBe(302);
    expect(receiver.received.map((request) => request.path)).toEqual(['/hook', '/hook']);
  });

  it('counts what the endpoint answered with 2xx as delivered, though the rest of the answer is cut', async () => {
    const { id } = await endpoint();
    receiver.behave((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('begun', () => response.destroy());
    });
    await happen('message_flagged');
    expect(await settled(id, 'delivered')).toMatchObject({ answers: [{ status: 200, excerpt: 'begun' }] });
    expect(receiver.received).toHaveLength(1);
  });

  it('reads only so much of an answer, and what is not HTTP at all is a failed try', async () => {
    const { id } = await endpoint();
    receiver.behave((request, response) => {
      if (receiver.received.length === 1) response.socket?.end('SSH-2.0-rude\r\n\r\n');
      else answer(200, 'a\u0000b'.repeat(500_000))(request, response);
    });
    await happen('message_flagged');
    const delivery = await settled(id, 'delivered');
    expect(delivery.answers[0].error).toBe('What came back is not HTTP.');
    expect(delivery.answers[1].excerpt.length).toBe(500);
    expect(delivery.answers[1].excerpt).not.toContain('\u0000');
  });

  it('pauses an endpoint that is gone for long, with an alarm, keeps what happens, and sends it once it is resumed', async () => {
    const { id } = await endpoint({ url: 'http://127.0.0.1:1/gone' });
    await happen('message_flagged');
    await vi.waitFor(async () => expect((await gatehouse.asApp(`${path}/${id}`)).body.data.status).toBe('paused'), {
      timeout: 20_000,
      interval: 50,
    });
    expect((await gatehouse.asApp(`${path}/${id}`)).body.data.pausedReason).toContain('took nothing since');
    expect(gatehouse.logs()).toContain('webhook endpoint paused');
    const [first] = await deliveries(id, '?status=pending');
    expect(first.answers.at(-1).error).toBe('The connection was refused.');
    await happen('rule_changed');
    await gatehouse.asApp(`${path}/${id}`, { method: 'PATCH', body: { url: `${receiver.url}/back` } });
    expect(receiver.received).toEqual([]);
    expect((await gatehouse.asApp(`${path}/${id}/resume`, { method: 'POST' })).body.data.status).toBe('active');
    const got = await receiver.until(2);
    expect(got.map(({ body }) => JSON.parse(body).trigger).sort()).toEqual(['message_flagged', 'rule_changed']);
  });

  it('pauses an endpoint that answers 410 at once', async () => {
    const { id } = await endpoint();
    receiver.behave(answer(410));
    await happen('message_flagged');
    await vi.waitFor(async () => expect((await gatehouse.asApp(`${path}/${id}`)).body.data.status).toBe('paused'), {
      timeout: 10_000,
      interval: 30,
    });
    expect(receiver.received.length).toBe(1);
  });

  it('is not held up by an endpoint that never answers', async () => {
    await endpoint();
    const hanging: ServerResponse[] = [];
    receiver.behave((request, response) => {
      if (request.path === '/quick') answer(200)(request, response);
      else hanging.push(response);
    });
    const quick = (await gatehouse.asApp(path, { body: { id: 'quick', url: `${receiver.url}/quick` } })).body.data;
    for (let n = 0; n < 20; n++) await happen('message_flagged', { n });
    await vi.waitFor(async () => expect(await deliveries(quick.id, '?status=delivered&limit=100')).toHaveLength(20), {
      timeout: 10_000,
      interval: 30,
    });
    expect(hanging.length).toBeGreaterThan(0);
    for (const response of hanging) response.end();
  });

  it('signs with both secrets while one is rotated out, and with the new one alone without overlap', async () => {
    const { id, secret } = await endpoint();
    const rotate = (overlapHours: number) => gatehouse.asApp(`${path}/${id}/rotate-secret`, { body: { overlapHours } });
    const second = (await rotate(1)).body.data.secret;
    await gatehouse.asApp(`${path}/${id}/test`, { method: 'POST' });
    const both = receiver.received.at(-1);
    for (const known of [secret, second])
      expect(both && new Webhook(known).verify(both.body, both.headers)).toMatchObject({ trigger: 'webhook_test' });
    const third = (await rotate(0)).body.data.secret;
    await gatehouse.asApp(`${path}/${id}/test`, { method: 'POST' });
    const alone = receiver.received.at(-1);
    expect(alone && new Webhook(third).verify(alone.body, alone.headers)).toBeTruthy();
    expect(() => alone && new Webhook(second).verify(alone.body, alone.headers)).toThrow();
  });

  it('answers 200 to a test with what the endpoint said, good or bad', async () => {
    const { id } = await endpoint();
    receiver.behave(answer(418, 'teapot'));
    const bad = await gatehouse.asApp(`${path}/${id}/test`, { method: 'POST' });
    expect(bad.status).toBe(200);
    expect(bad.body.data).toMatchObject({ status: 418, excerpt: 'teapot' });
    await gatehouse.asApp(`${path}/${id}`, { method: 'PATCH', body: { url: 'http://127.0.0.1:1/' } });
    const gone = await gatehouse.asApp(`${path}/${id}/test`, { method: 'POST' });
    expect(gone.body.data.error).toBe('The connection was refused.');
    expect(await deliveries(id)).toEqual([]);
  });

  it('pages deliveries without repeating or losing one, and sends one again when asked', async () => {
    const { id } = await endpoint();
    for (let n = 0; n < 5; n++) await happen('message_flagged', { n });
    await receiver.until(5);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await gatehouse.asApp(`${path}/${id}/deliveries?limit=2${cursor}`);
      seen.push(...body.data.map(({ eventId }: { eventId: string }) => eventId));
      cursor = body.meta.next === undefined ? '' : `&cursor=${body.meta.next.cursor}`;
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual([...seen].sort().reverse());
    await settled(id, 'delivered');
    const [newest] = seen;
    const again = await gatehouse.asApp(`${path}/${id}/deliveries/${newest}/redeliver`, { method: 'POST' });
    expect(again.status).toBe(200);
    await receiver.until(6);
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(newest);
    expect(
      (await gatehouse.asApp(`${path}/${id}/deliveries/evt_none/redeliver`, { method: 'POST' })).body.error.code,
    ).toBe('ERR_DELIVERY_NOT_FOUND');
  });

  it('forgets old events with everything that was owed for them', async () => {
    const { id } = await endpoint();
    await gatehouse.asApp(`${path}/${id}/pause`, { method: 'POST' });
    await happen('message_flagged');
    expect(await deliveries(id)).toHaveLength(1);
    while ((await gatehouse.app.store.change(forgetOldEvents, { before: Date.now() + 1, max: 10 })) > 0);
    expect(await deliveries(id)).toEqual([]);
    await gatehouse.asApp(`${path}/${id}/resume`, { method: 'POST' });
    await happen('rule_changed');
    const [only] = await receiver.until(1);
    expect(only && JSON.parse(only.body).trigger).toBe('rule_changed');
  });
});

function bound(tx: Tx, name: string | symbol): unknown {
  const value: unknown = Reflect.get(tx, name);
  return typeof value === 'function' ? value.bind(tx) : value;
}

async function announceAndFail(tx: Tx, { appId }: { appId: string }): Promise<void> {
  await announce(tx, { appId, trigger: 'message_flagged', data: {} });
  throw new Error('changed my mind');
}

async function useUpTries(tx: Tx, { id }: { id: string }): Promise<void> {
  await tx.run('UPDATE webhook_deliveries SET tries = 17 WHERE endpoint_id = $1', [id]);
}
