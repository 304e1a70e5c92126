import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../../server/test/gatehouse.ts';
import { type Receiver, startReceiver } from '../../server/test/receiver.ts';
import { GatehouseClient, verifyWebhook, WebhookRefused } from '../src/index.ts';

const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const other = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const body = JSON.stringify({ trigger: 't', data: { é: 1 }, appId: 'a', region: 'eu', webhook: 'w' });

function signed(at: Date, ...secrets: string[]) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign('msg_1', at, body)).join(' '),
  };
}

describe('verifyWebhook', () => {
  it('reads what was signed with the secret', async () => {
    expect(await verifyWebhook(secret, signed(new Date(), secret), body)).toEqual({ id: 'msg_1', ...JSON.parse(body) });
    expect((await verifyWebhook(secret, new Headers(signed(new Date(), secret)), body)).trigger).toBe('t');
  });

  it('takes either secret while one is rotated out', async () => {
    await verifyWebhook(secret, signed(new Date(), other, secret), body);
    await verifyWebhook([other, secret], signed(new Date(), secret), body);
  });

  it.each([
    ['another secret', () => verifyWebhook(other, signed(new Date(), secret), body)],
    ['a changed body', () => verifyWebhook(secret, signed(new Date(), secret), `${body} `)],
    ['another id', () => verifyWebhook(secret, { ...signed(new Date(), secret), 'webhook-id': 'msg_2' }, body)],
    ['an old request', () => verifyWebhook(secret, signed(new Date(Date.now() - 301_000), secret), body)],
    ['one from the future', () => verifyWebhook(secret, signed(new Date(Date.now() + 302_000), secret), body)],
    ['no signature', () => verifyWebhook(secret, { ...signed(new Date()), 'webhook-signature': undefined }, body)],
    ['nonsense', () => verifyWebhook(secret, { ...signed(new Date()), 'webhook-signature': 'v1,%%% v1 v2,aa' }, body)],
    [
      'a time that is none',
      () => verifyWebhook(secret, { ...signed(new Date(), secret), 'webhook-timestamp': 'x' }, body),
    ],
  ])('refuses %s', async (_, verify) => {
    await expect(verify()).rejects.toThrow(WebhookRefused);
  });
});

describe.each(stores)('a webhook of a service on %s', (store) => {
  let receiver: Receiver;
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    receiver = await startReceiver();
    gatehouse = await startGatehouse(store, { GATEHOUSE_PRIVATE_HOSTS: receiver.host });
  });
  afterAll(async () => {
    await gatehouse.close();
    await receiver.close();
  });

  it('passes the check', async () => {
    const client = new GatehouseClient({ url: gatehouse.url, credentials: { apikey: gatehouse.fullAccess } });
    const made = await client.createWebhook({ body: { id: 'mine', url: receiver.url, triggers: ['message_flagged'] } });
    await client.testWebhook({ webhookId: 'mine' });
    const [request] = await receiver.until(1);
    if (request === undefined) throw new Error('nothing came');
    const event = await verifyWebhook(made.data.secret, request.headers, request.body);
    expect(event).toMatchObject({ appId: gatehouse.appId, webhook: 'mine' });
  });
});
