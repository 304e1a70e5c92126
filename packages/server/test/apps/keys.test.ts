import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import { revokeApiKey } from '../../src/apps/api-keys.ts';
import { deleteApp } from '../../src/apps/apps.ts';
import { revokeKeyPair } from '../../src/apps/key-pairs.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { makePlace, type Place, until } from '../store/place.ts';

describe.each(stores)('API keys on %s', (store) => {
  let gatehouse: Gatehouse;
  let place: Place;
  beforeAll(async () => {
    place = await makePlace(store);
    gatehouse = await startGatehouse(store, place.environment);
  });
  afterAll(async () => {
    await gatehouse.close();
    await place.remove();
  });

  const create = async (scope: string) => {
    const { status, body } = await gatehouse.asManager('/apikeys', { body: { name: 'back end', scope } });
    expect(status).toBe(200);
    return body.data as { id: string; apiKey: string; hint: string };
  };
  const works = async (apikey: string): Promise<number> =>
    (await gatehouse.ask('/v3/moderation/rules', { headers: { apikey } })).status;

  it('are made with 200, shown once, and listed by a hint', async () => {
    const made = await create('fullAccess');
    expect(made.apiKey).toMatch(/^[0-9a-f]{40}$/);
    expect(await works(made.apiKey)).toBe(200);
    const { text, body } = await gatehouse.asManager('/apikeys');
    expect(text).not.toContain(made.apiKey);
    const { apiKey: _, ...kept } = made;
    expect(body.data).toContainEqual(kept);
    expect(Object.keys(kept)).toEqual(['id', 'name', 'scope', 'hint', 'createdAt']);
  });

  it('of scope authOnly may make auth tokens, and nothing else', async () => {
    const { apiKey: apikey } = await create('authOnly');
    const headers = { apikey };
    const tokens = '/v3/users/ada/auth_tokens';
    const made = await gatehouse.ask(tokens, { method: 'POST', headers });
    expect(made.status).toBe(200);
    for (const [method, path] of [
      ['GET', tokens],
      ['DELETE', `${tokens}/${made.body.data.authToken}`],
      ['GET', '/v3/moderation/rules'],
      ['GET', '/v3/notifications/push/v1/tokens'],
      ['DELETE', '/v3/notifications/push/v1/tokens'],
    ]) {
      const { status, body } = await gatehouse.ask(path ?? '', { method: method ?? '', headers });
      expect([status, body.error.code], path).toEqual([403, 'AUTH_ERR_NO_ACCESS']);
    }
  });

  it.each([
    [{ name: 'x' }, 'scope'],
    [{ name: 'x', scope: 'admin' }, 'scope'],
    [{ scope: 'fullAccess' }, 'name'],
    [{ name: 'x', scope: 'fullAccess', key: 'mine' }, 'key'],
  ])('answer 400 to %j', async (body, field) => {
    const answer = await gatehouse.asManager('/apikeys', { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toEqual([field]);
  });

  it('are revoked at once; 404 after that, and 404 for a key of another app', async () => {
    const { id, apiKey } = await create('fullAccess');
    expect(await works(apiKey)).toBe(200);
    const other = await gatehouse.newApp();
    const headers = { key: gatehouse.key, secret: gatehouse.secret };
    const elsewhere = await gatehouse.ask(`/apps/${other.appId}/apikeys/${id}`, { method: 'DELETE', headers });
    expect(elsewhere.status).toBe(404);
    expect((await gatehouse.asManager(`/apikeys/${id}`, { method: 'DELETE' })).body).toEqual({
      data: { success: true },
    });
    expect(await works(apiKey)).toBe(401);
    const again = await gatehouse.asManager(`/apikeys/${id}`, { method: 'DELETE' });
    expect([again.status, again.body.error.code]).toEqual([404, 'ERR_KEY_NOT_FOUND']);
  });

  it('are kept as hashes only', async () => {
    const { apiKey } = await create('fullAccess');
    const rows = await gatehouse.app.store.all('SELECT * FROM api_keys');
    expect(JSON.stringify(rows)).not.toContain(apiKey);
  });

  it('stop within a second when another process revokes them, as pairs and the keys of a deleted app do', async () => {
    const other = await openApp(place.config, { logTo: { write: () => {} } });
    try {
      const { id, apiKey } = await create('fullAccess');
      expect(await works(apiKey)).toBe(200);
      await other.store.change(revokeApiKey, { appId: gatehouse.appId, id, actor: 'test' });
      await until(async () => (await works(apiKey)) === 401, 1000);

      const pair = await gatehouse.ask('/keypairs', {
        headers: { key: gatehouse.key, secret: gatehouse.secret },
        body: { name: 'short' },
      });
      const headers = { key: pair.body.data.key, secret: pair.body.data.secret };
      const manages = async (appId: string): Promise<number> =>
        (await gatehouse.ask(`/apps/${appId}`, { headers })).status;
      const doomed = await gatehouse.newApp();
      expect([await manages(doomed.appId), await works(doomed.fullAccess)]).toEqual([200, 200]);
      await other.store.change(deleteApp, { id: doomed.appId, actor: 'test' });
      await until(async () => (await works(doomed.fullAccess)) === 401 && (await manages(doomed.appId)) === 404, 1000);
      expect(await manages(gatehouse.appId)).toBe(200);
      await other.store.change(revokeKeyPair, { accountId: gatehouse.accountId, id: pair.body.data.id, actor: 'test' });
      await until(async () => (await manages(gatehouse.appId)) === 401, 1000);
    } finally {
      await other.close();
    }
  });
});
