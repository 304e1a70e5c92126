import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/webhooks';
const url = 'https://chat.example.org/hook';

describe.each(stores)('webhook endpoints on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_WEBHOOKS_MAX: '3' });
  });
  afterAll(() => gatehouse.close());

  it('answers 200 to create, get, list, change and delete, and shows the secret only when it is made', async () => {
    const made = await gatehouse.asApp(path, {
      body: { id: 'crud', url, description: 'x', triggers: ['message_flagged'] },
    });
    expect(made.status).toBe(200);
    const { secret, ...shown } = made.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({ id: 'crud', url, description: 'x', triggers: ['message_flagged'], status: 'active' });
    expect((await gatehouse.asApp(`${path}/crud`)).body).toEqual({ data: shown });
    expect((await gatehouse.asManager('/webhooks')).body).toEqual({ data: [shown] });
    const changed = await gatehouse.asApp(`${path}/crud`, { method: 'PATCH', body: { triggers: null } });
    expect(changed.body.data).toMatchObject({ url, description: 'x', triggers: null });
    expect(changed.text).not.toContain(secret);
    const audited = await gatehouse.app.store.all<{ after: string | null }>(
      "SELECT after FROM audit WHERE target = 'crud'",
    );
    expect(JSON.stringify(audited)).not.toContain(secret);
    expect(audited.length).toBe(2);
    expect((await gatehouse.asApp(`${path}/crud`, { method: 'DELETE' })).body.data.success).toBe(true);
    expect((await gatehouse.asApp(path)).body).toEqual({ data: [] });
  });

  it('answers 400 to an address that is not https, not public or not an address, with the reason', async () => {
    const refused = [
      'http://chat.example.org/hook',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://10.0.0.8/',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/',
      'https://0.0.0.0/',
      'https://user:word@chat.example.org/',
      'ftp://chat.example.org/',
      'chat.example.org',
    ];
    for (const address of refused) {
      const answer = await gatehouse.asApp(path, { body: { url: address } });
      expect([address, answer.status]).toEqual([address, 400]);
      expect(answer.body.error.details.url[0]).toMatch(/\.$/);
    }
  });

  it('answers 400 to an unknown trigger, an empty choice and an unknown field', async () => {
    for (const body of [
      { url, triggers: ['everything'] },
      { url, triggers: [] },
      { url, secret: 'mine' },
      { description: 'no address' },
    ])
      expect((await gatehouse.asApp(path, { body })).status).toBe(400);
  });

  it('answers 404 for an endpoint of another app as for one that never was', async () => {
    await gatehouse.asApp(path, { body: { id: 'ours', url } });
    const other = await gatehouse.newApp();
    const foreign = await gatehouse.ask(`${path}/ours`, { headers: { apikey: other.fullAccess } });
    const none = await gatehouse.ask(`${path}/never`, { headers: { apikey: other.fullAccess } });
    expect(foreign.status).toBe(404);
    expect(foreign.body.error.code).toBe('ERR_WEBHOOK_NOT_FOUND');
    expect(foreign.body.error.message).toBe(none.body.error.message);
    for (const action of ['pause', 'resume', 'test', 'rotate-secret'])
      expect(
        (await gatehouse.ask(`${path}/ours/${action}`, { body: {}, headers: { apikey: other.fullAccess } })).status,
      ).toBe(404);
  });

  it('answers 409 when the id is taken and when the app has as many as it may', async () => {
    await gatehouse.asApp(path, { body: { id: 'taken', url } });
    expect((await gatehouse.asApp(path, { body: { id: 'taken', url } })).body.error.code).toBe(
      'ERR_WEBHOOK_ALREADY_EXISTS',
    );
    expect((await gatehouse.asApp(path, { body: { url } })).status).toBe(200);
    expect((await gatehouse.asApp(path, { body: { url } })).body.error.code).toBe('ERR_WEBHOOK_LIMIT_REACHED');
  });

  it('answers 401 without a key and 403 to a key that may only make auth tokens', async () => {
    expect((await gatehouse.ask(path)).status).toBe(401);
    expect((await gatehouse.ask(path, { headers: { apikey: gatehouse.authOnly } })).status).toBe(403);
  });
});
