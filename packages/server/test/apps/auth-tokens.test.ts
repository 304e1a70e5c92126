import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthToken } from '../../src/apps/auth-tokens.ts';
import { ApiError } from '../../src/errors.ts';
import { apnsProvider } from '../contract/signing-keys.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const push = '/v3/notifications/push/v1';

describe.each(stores)("users' auth tokens on %s", (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
    await gatehouse.asApp(`${push}/providers/apns`, { body: apnsProvider('default') });
  });
  afterAll(() => gatehouse.close());

  const path = (uid: string): string => `/users/${uid}/auth_tokens`;
  const register = (authToken: string, deviceToken: string) =>
    gatehouse.ask(`${push}/tokens`, { headers: { authToken }, body: { deviceToken, platform: 'apns_ios_device' } });

  it('are made with 200 on both hosts, in the form of the platform, and listed', async () => {
    const made = [
      await gatehouse.asApp(`/v3${path('ada')}`, { method: 'POST' }),
      await gatehouse.asManager(path('ada'), { method: 'POST' }),
      await gatehouse.asApp(`/v3${path('ada')}`, { body: { force: true } }),
    ];
    for (const { status, body } of made) {
      expect(status).toBe(200);
      expect(Object.keys(body.data)).toEqual(['uid', 'authToken', 'createdAt']);
      expect(body.data.authToken).toMatch(/^ada_\d{13}[0-9a-f]{32}$/);
      expect(Math.abs(body.data.createdAt - Date.now() / 1000)).toBeLessThan(600);
    }
    const tokens = made.map(({ body }) => body.data.authToken).sort();
    const listed = await gatehouse.asManager(path('ada'));
    expect(listed.body.data.map(({ authToken }: { authToken: string }) => authToken).sort()).toEqual(tokens);
    expect((await gatehouse.asApp(`/v3${path('ada')}`)).body).toEqual(listed.body);
    expect((await gatehouse.asApp(`/v3${path('nobody')}`)).body).toEqual({ data: [] });
  });

  it('answer 400 to a uid that cannot be one', async () => {
    for (const uid of ['a%20b', 'x'.repeat(101), 'a%0Ab', '%E2%82%AC']) {
      const { status, body } = await gatehouse.asApp(`/v3${path(uid)}`, { method: 'POST' });
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['uid']]);
    }
  });

  it('answer 401 without a key', async () => {
    expect((await gatehouse.ask(`/v3${path('ada')}`, { method: 'POST' })).status).toBe(401);
    expect((await gatehouse.ask(`/apps/${gatehouse.appId}${path('ada')}`, { method: 'POST' })).status).toBe(401);
  });

  it('let a device register and remove its own push token, and nobody else’s', async () => {
    const ofAda = 'ad'.repeat(32);
    const [ada, eve] = [await gatehouse.newUser('ada2'), await gatehouse.newUser('eve')];
    expect((await register(ada, ofAda)).body).toEqual({ data: { success: true } });
    expect((await register('unknown_1', ofAda)).status).toBe(401);
    const theft = await gatehouse.ask(`${push}/tokens/${ofAda}`, { method: 'DELETE', headers: { authToken: eve } });
    expect([theft.status, theft.body.error.code]).toEqual([404, 'ERR_TOKEN_NOT_FOUND']);
    const forged = await gatehouse.ask(`${push}/tokens`, {
      method: 'DELETE',
      headers: { authToken: eve },
      body: { authToken: ada },
    });
    expect(forged.status).toBe(400);
    const own = await gatehouse.ask(`${push}/tokens/${ofAda}`, { method: 'DELETE', headers: { authToken: ada } });
    expect([own.status, own.body.data.pushTokens[0].pushToken]).toEqual([200, ofAda]);
  });

  it('are revoked at once with the push tokens under them; 404 after that', async () => {
    const authToken = await gatehouse.newUser('grace');
    await register(authToken, 'cc'.repeat(32));
    const revoke = (uid: string) => gatehouse.asApp(`/v3${path(uid)}/${authToken}`, { method: 'DELETE' });
    expect((await revoke('ada')).status).toBe(404);
    expect((await revoke('grace')).body).toEqual({ data: { success: true } });
    expect((await register(authToken, 'dd'.repeat(32))).status).toBe(401);
    expect((await gatehouse.asApp(`${push}/tokens?uid=grace`)).body.data.pushTokens).toEqual([]);
    const again = await revoke('grace');
    expect([again.status, again.body.error.code]).toEqual([404, 'ERR_AUTH_TOKEN_NOT_FOUND']);
  });

  it('of one app are unknown in another', async () => {
    const authToken = await gatehouse.newUser('linus');
    const other = await gatehouse.newApp();
    const headers = { authToken, appId: other.appId };
    const { status } = await gatehouse.ask(`${push}/tokens`, { method: 'DELETE', headers });
    expect(status).toBe(401);
  });

  it('are refused, not broken, when the app went away in the meantime', async () => {
    const failure = await gatehouse.app.store
      .change(createAuthToken, { appId: '0000000000000000', uid: 'ada', actor: 'test' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ code: 'ERR_APP_NOT_FOUND' });
  });
});
