import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

/** What the platform's JavaScript SDK asks around a push token; `npm run test:sdk` runs the SDK itself. */
describe.each(stores)('a device with an auth token, on %s', (store) => {
  let gatehouse: Gatehouse;
  let authToken: string;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
    authToken = await gatehouse.newUser('ada');
  });
  afterAll(() => gatehouse.close());
  const asDevice = (path: string, method: string) =>
    gatehouse.ask(`/v3${path}`, {
      method,
      headers: { authToken, appId: gatehouse.appId, 'content-type': 'application/json' },
    });

  it('answers 200 with who it is, and with where everything is', async () => {
    const me = await asDevice('/me', 'PUT');
    expect(me.status).toBe(200);
    expect(me.body.data).toMatchObject({ uid: 'ada', authToken });
    expect(me.body.data.createdAt).toBeGreaterThan(1_600_000_000);
    const host = new URL(gatehouse.url).host;
    const settings = await asDevice('/settings', 'GET');
    expect(settings.body.data).toEqual({ CHAT_API_VERSION: 'v3', CLIENT_API_HOST: host, ADMIN_API_HOST: host });
  });

  it('answers 401 to an API key, which is nobody', async () => {
    expect((await gatehouse.asApp('/v3/me', { method: 'PUT', body: {} })).body.error.code).toBe(
      'AUTH_ERR_AUTH_TOKEN_NOT_FOUND',
    );
  });

  it('lets a page of another origin ask as a device, and not as anybody else', async () => {
    const tokens = await gatehouse.ask('/v3/notifications/push/v1/tokens', { method: 'OPTIONS' });
    expect(tokens.status).toBe(204);
    expect(tokens.headers.get('access-control-allow-origin')).toBe('*');
    expect(tokens.headers.get('access-control-allow-headers')).toContain('authtoken');
    expect(tokens.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(tokens.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await asDevice('/me', 'PUT')).headers.get('access-control-allow-origin')).toBe('*');
    const rules = await gatehouse.ask('/v3/moderation/rules', { method: 'OPTIONS' });
    expect(rules.status).toBe(405);
    expect((await gatehouse.asApp('/v3/moderation/rules')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('answers 401 to everything after the device signed out', async () => {
    expect((await asDevice('/me', 'DELETE')).body).toEqual({ data: { success: true } });
    expect((await asDevice('/me', 'PUT')).status).toBe(401);
  });
});
