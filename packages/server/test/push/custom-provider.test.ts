import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stores } from '../gatehouse.ts';
import { base, startVendors, until, type Vendors } from './vendors.ts';

interface Call {
  uid: string;
  id: string;
  headers: IncomingMessage['headers'];
  response: ServerResponse;
}

const answerOk = ({ response }: Call): void => void response.writeHead(200).end();

describe.each(stores)('the custom provider on %s', (store) => {
  let house: Vendors;
  let hook: Server;
  let webhookURL = '';
  let calls: Call[] = [];
  let answer = answerOk;
  beforeAll(async () => {
    house = await startVendors(store);
    hook = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const { headers } = request;
        const call = { uid: JSON.parse(body).data.to.uid, id: String(headers['webhook-id']), headers, response };
        calls.push(call);
        answer(call);
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const address = hook.address();
    webhookURL = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/push`;
  });
  afterAll(async () => {
    await house.close();
    hook.close();
  });
  const custom = (method: string, body?: unknown, path = '') =>
    house.asApp(`${base}/providers/custom${path}`, { method, ...(body !== undefined && { body }) });
  const test = async (uid: string) => (await custom('POST', { pushToken: uid }, '/custom/test')).body.data;
  beforeEach(async () => {
    calls = [];
    answer = answerOk;
    expect((await custom('POST', { webhookURL })).status).toBe(200);
  });
  afterEach(() => custom('DELETE'));

  const health = async () =>
    (await house.asApp(`${base}/providers/health`)).body.data.find((one: { kind: string }) => one.kind === 'custom');

  it.each([404, 410])(
    'fails the push of a user whom it answers with %i, and everybody else gets theirs',
    async (status) => {
      answer = ({ uid, response }) => void response.writeHead(uid === 'nobody' ? status : 200).end();
      const done = await house.finished(await house.send({ to: { uids: ['nobody', 'ada', 'grace'] }, title: 'x' }));
      expect(done.counts).toMatchObject({ sent: 2, failed: 1 });
      expect(done.failedByReason).toEqual({ [`http${status}`]: 1 });
      expect((await health()).isPaused).toBe(false);
    },
  );

  it('is paused when it knows nobody, and what waits goes out once the address is mended', async () => {
    answer = ({ response }) => void response.writeHead(404).end();
    const uids = Array.from({ length: 60 }, (_, i) => `user-${i}`);
    const id = await house.send({ to: { uids }, title: 'x' });
    await until(async () => (await health()).isPaused);
    answer = answerOk;
    await custom('PUT', { webhookURL });
    const { sent, failed } = (await house.finished(id)).counts;
    expect(sent + failed).toBe(60);
    expect(sent).toBeGreaterThan(30);
  });

  it('is called for a chat push at once while it has all the calls of a broadcast that it takes', async () => {
    let held: Call[] = [];
    answer = (call) => void (call.uid === 'chatting' ? answerOk(call) : held.push(call));
    const uids = Array.from({ length: 200 }, (_, i) => `user-${i}`);
    const id = await house.send({ to: { uids }, title: 'to many' });
    await until(() => held.length === 48);
    expect((await house.finished(await house.send({ to: { uids: ['chatting'] }, title: 'hello' }))).counts.sent).toBe(
      1,
    );
    // None of the broadcast's calls had ended when it came.
    expect(calls.findIndex(({ uid }) => uid === 'chatting')).toBe(48);
    answer = answerOk;
    for (const call of held) answerOk(call);
    held = [];
    expect((await house.finished(id)).counts).toMatchObject({ sent: 200, failed: 0 });
  });

  it.each([429, 503])('is left alone for as long as it asks for with %i', async (status) => {
    answer = ({ response }) => void response.writeHead(status, { 'retry-after': '600' }).end();
    const before = Date.now();
    const id = await house.send({ to: { uids: ['patient'] }, title: 'x' });
    const job = () =>
      house.app.store.get<{ ready_at: number }>(
        "SELECT ready_at FROM outbox WHERE group_key = $1 AND leased_by = '' AND attempts > 0",
        [id],
      );
    await until(async () => (await job()) !== undefined);
    expect((await job())?.ready_at).toBeGreaterThanOrEqual(before + 600_000);
    expect(calls).toHaveLength(1);
  });

  it('has taken a push once it said so, though the rest of its answer is cut', async () => {
    answer = ({ response }) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('begun', () => response.destroy());
    };
    expect((await house.finished(await house.send({ to: { uids: ['ada'] }, title: 'x' }))).counts.sent).toBe(1);
    expect(calls).toHaveLength(1);
  });

  it('shows no password, whatever the receiver repeats', async () => {
    const login = { useBasicAuth: true, basicAuthUsername: 'house', basicAuthPassword: 'pass-word-1' };
    await custom('PUT', { webhookURL, ...login });
    answer = ({ headers, response }) => {
      const sent = Buffer.from(String(headers.authorization).slice('Basic '.length), 'base64');
      response.writeHead(400).end(`${headers.authorization}\n${sent}`);
    };
    const shown = await test('anybody');
    expect(shown).toMatchObject({ status: 400, detail: 'Basic [secret] house:[secret]' });
  });
});
