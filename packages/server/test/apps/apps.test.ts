import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/apps/apps.ts';
import { createKeyPair } from '../../src/apps/key-pairs.ts';
import { type Answer, type Ask, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe.each(stores)('apps on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_REGION: 'us' });
  });
  afterAll(() => gatehouse.close());

  const manage = (path: string, ask: Ask = {}): Promise<Answer> =>
    gatehouse.ask(path, { ...ask, headers: { key: gatehouse.key, secret: gatehouse.secret, ...ask.headers } });
  const newPair = async (apps: string[]): Promise<Record<string, string>> => {
    const { body } = await manage('/keypairs', { body: { name: 'some apps', apps } });
    return { key: body.data.key, secret: body.data.secret };
  };

  it('are made with 200, with the built-in rules, and listed', async () => {
    const made = await manage('/apps', { body: { name: 'Chat' } });
    expect(made.status).toBe(200);
    expect(Object.keys(made.body.data)).toEqual(['id', 'name', 'region', 'createdAt', 'updatedAt']);
    expect(made.body.data).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'Chat', region: 'us' });
    expect(made.body.data.createdAt).toMatch(iso);
    const { id } = made.body.data;
    expect((await manage('/apps')).body.data).toContainEqual(made.body.data);
    expect((await manage(`/apps/${id}`)).body.data).toEqual(made.body.data);
    expect((await manage(`/apps/${id}/moderation/rules`)).body.meta.current.count).toBe(6);
  });

  it('take an id of the caller once: 409 after that', async () => {
    const body = { name: 'Known', id: '00112233445566aa' };
    expect((await manage('/apps', { body })).body.data.id).toBe(body.id);
    const again = await manage('/apps', { body });
    expect([again.status, again.body.error.code]).toEqual([409, 'ERR_APP_ALREADY_EXISTS']);
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x', id: 'XYZ' }, 'id'],
    [{ name: 'x', id: '00112233445566AA' }, 'id'],
    [{ name: 'x', owner: 'me' }, 'owner'],
  ])('answer 400 to %j', async (body, field) => {
    const { status, body: answer } = await manage('/apps', { body });
    expect(status).toBe(400);
    expect(Object.keys(answer.error.details)).toEqual([field]);
  });

  it('answer 401 without or with wrong credentials', async () => {
    for (const [headers, code] of [
      [{}, 'AUTH_ERR_EMPTY_AUTH_HEADER'],
      [{ key: gatehouse.key, secret: 'wrong' }, 'AUTH_ERR_KEY_PAIR_NOT_FOUND'],
      [{ apikey: gatehouse.fullAccess }, 'AUTH_ERR_EMPTY_AUTH_HEADER'],
    ] as const) {
      const { status, body } = await gatehouse.ask('/apps', { headers });
      expect([status, body.error.code]).toEqual([401, code]);
    }
  });

  it('of another account are not there', async () => {
    const { store: rows } = gatehouse.app;
    const { id: accountId } = await rows.change(createAccount, { name: 'Other', actor: 'test' });
    const stranger = await rows.change(createKeyPair, { accountId, name: 'other', actor: 'test' });
    const headers = { key: stranger.key, secret: stranger.secret };
    expect((await gatehouse.ask('/apps', { headers })).body.data).toEqual([]);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/apikeys'],
      ['POST', '/users/ada/auth_tokens'],
    ])
      expect((await gatehouse.ask(`/apps/${gatehouse.appId}${path}`, { method: method ?? '', headers })).status).toBe(
        404,
      );
    expect((await gatehouse.asApp('/v3/moderation/rules')).status).toBe(200);
  });

  it('are deleted with everything in them, and their keys stop at once', async () => {
    const tenant = await gatehouse.newApp();
    const headers = { apikey: tenant.fullAccess };
    await gatehouse.ask('/v3/moderation/keywords', { headers, body: { id: 'mine', searchTerms: ['x'] } });
    await gatehouse.ask('/v3/users/ada/auth_tokens', { method: 'POST', headers });
    expect((await gatehouse.ask('/v3/moderation/rules', { headers })).status).toBe(200);
    expect((await manage(`/apps/${tenant.appId}`, { method: 'DELETE' })).body).toEqual({
      data: { success: true, message: `App ${tenant.appId} has been deleted.` },
    });
    expect((await gatehouse.ask('/v3/moderation/rules', { headers })).status).toBe(401);
    expect((await manage(`/apps/${tenant.appId}/moderation/rules`)).status).toBe(404);
    expect((await manage(`/apps/${tenant.appId}`, { method: 'DELETE' })).status).toBe(404);
    for (const table of ['api_keys', 'auth_tokens', 'keyword_lists', 'rules']) {
      const row = await gatehouse.app.store.get(`SELECT COUNT(*) AS n FROM ${table} WHERE app_id = $1`, [tenant.appId]);
      expect(row?.n, table).toBe(0);
    }
  });

  it('made again under the id of a deleted one hold nothing of it', async () => {
    const id = 'feedfacefeedface';
    await manage('/apps', { body: { name: 'First', id } });
    await manage(`/apps/${id}/moderation/rules`, {
      body: {
        id: 'of-the-first',
        name: 'x',
        action: ['blockMessage'],
        conditions: [{ operand: 'text', category: 'word', value: 'x' }],
      },
    });
    expect((await manage(`/apps/${id}/moderation/rules`)).body.meta.current.count).toBe(7);
    await manage(`/apps/${id}`, { method: 'DELETE' });
    await manage('/apps', { body: { name: 'Second', id } });
    expect((await manage(`/apps/${id}/moderation/rules`)).body.meta.current.count).toBe(6);
  });

  describe('and pairs of key and secret', () => {
    it('are made with 200 and shown once; only a hint stays', async () => {
      const { status, body } = await manage('/keypairs', { body: { name: 'operations' } });
      expect(status).toBe(200);
      expect(Object.keys(body.data).sort()).toEqual(['createdAt', 'hint', 'id', 'key', 'name', 'secret']);
      const { key, secret, ...kept } = body.data;
      const listed = await manage('/keypairs');
      expect(listed.body.data).toContainEqual(kept);
      expect(listed.text).not.toContain(key);
      expect(listed.text).not.toContain(secret);
      expect(kept.hint).toBe(`…${key.slice(-4)}`);
      expect((await gatehouse.ask('/apps', { headers: { key, secret } })).status).toBe(200);
    });

    it('with some apps granted see those apps and no other', async () => {
      const [mine, other] = [await gatehouse.newApp(), await gatehouse.newApp()];
      const headers = await newPair([mine.appId]);
      expect((await gatehouse.ask('/apps', { headers })).body.data.map(({ id }: { id: string }) => id)).toEqual([
        mine.appId,
      ]);
      expect((await gatehouse.ask(`/apps/${mine.appId}/moderation/rules`, { headers })).status).toBe(200);
      expect((await gatehouse.ask(`/apps/${other.appId}/moderation/rules`, { headers })).status).toBe(404);
    });

    it('with some apps granted get 403 on what concerns the account', async () => {
      const { appId } = await gatehouse.newApp();
      const headers = await newPair([appId]);
      const attempts: [string, Ask][] = [
        ['/apps', { body: { name: 'More' } }],
        [`/apps/${appId}`, { method: 'DELETE' }],
        ['/keypairs', {}],
        ['/keypairs', { body: { name: 'More' } }],
        ['/keypairs/some-id', { method: 'DELETE' }],
      ];
      for (const [path, ask] of attempts) {
        const { status, body } = await gatehouse.ask(path, { ...ask, headers });
        expect([status, body.error.code], path).toEqual([403, 'AUTH_ERR_NO_ACCESS']);
      }
    });

    it('answer 400 when an app to be granted is not there', async () => {
      for (const apps of [['0000000000000000'], [], ['nonsense'], 'x']) {
        const { status, body } = await manage('/keypairs', { body: { name: 'x', apps } });
        expect(status).toBe(400);
        expect(Object.keys(body.error.details)[0]).toMatch(/^apps/);
      }
    });

    it('are revoked at once; 404 after that', async () => {
      const { body } = await manage('/keypairs', { body: { name: 'short' } });
      const headers = { key: body.data.key, secret: body.data.secret };
      expect((await gatehouse.ask('/apps', { headers })).status).toBe(200);
      expect((await manage(`/keypairs/${body.data.id}`, { method: 'DELETE' })).status).toBe(200);
      expect((await gatehouse.ask('/apps', { headers })).status).toBe(401);
      const again = await manage(`/keypairs/${body.data.id}`, { method: 'DELETE' });
      expect([again.status, again.body.error.code]).toEqual([404, 'ERR_KEY_NOT_FOUND']);
    });
  });
});
