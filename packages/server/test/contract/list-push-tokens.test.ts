import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { apnsProvider } from './signing-keys.ts';

const path = '/v3/notifications/push/v1/tokens';
const fields = ['authToken', 'pushTokenType', 'createdAt', 'updatedAt', 'platform', 'providerId', 'pushToken', 'uid'];
const isoMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface Listed {
  authToken: string;
  pushToken: string;
  uid: string;
  [field: string]: string;
}

const tokenOf = (mark: 'de' | 'fa', n: number): string => mark + String(n).padStart(2, '0');

describe.each(stores)('listPushTokens on %s', (store) => {
  let gatehouse: Gatehouse;
  const authTokens: { uid: string; authToken: string }[] = [];

  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
    await gatehouse.asApp('/v3/notifications/push/v1/providers/apns', { body: apnsProvider('apns main') });
    for (let i = 0; i < 25; i++) {
      const uid = `user-${i % 10}`;
      const authToken = await gatehouse.newUser(uid);
      authTokens.push({ uid, authToken });
      await register({ authToken, platform: 'apns_ios_device', deviceToken: tokenOf('de', i) });
      if (i % 5 === 0) await register({ authToken, platform: 'apns_ios_voip', voipToken: tokenOf('fa', i) });
    }
  });
  afterAll(() => gatehouse.close());

  async function register(body: Record<string, string>): Promise<void> {
    expect((await gatehouse.asApp(path, { body: { providerId: 'apns main', ...body } })).body).toEqual({
      data: { success: true },
    });
  }
  const list = async (query = ''): Promise<Listed[]> => (await gatehouse.asApp(path + query)).body.data.pushTokens;

  it('answers 200 with data.pushTokens and eight fields in the order of the contract', async () => {
    const { authToken } = authTokens[1] ?? { authToken: '' };
    const { status, text, body } = await gatehouse.asApp(`${path}?authToken=${authToken}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    const [token] = body.data.pushTokens;
    expect(Object.keys(token)).toEqual(fields);
    expect(text).toBe(
      `{"data":{"pushTokens":[{"authToken":"${authToken}","pushTokenType":"chat","createdAt":"${token.createdAt}","updatedAt":"${token.updatedAt}",` +
        '"platform":"apns_ios_device","providerId":"apns main","pushToken":"de01","uid":"user-1"}]}}',
    );
  });

  it('gives each record strings only, and times as ISO 8601 UTC with milliseconds', async () => {
    for (const token of await list()) {
      expect(Object.keys(token)).toEqual(fields);
      for (const field of fields) expect(token[field]).toBeTypeOf('string');
      expect(token.createdAt).toMatch(isoMs);
      expect(token.updatedAt).toMatch(isoMs);
    }
  });

  it('says call for a VoIP token and chat for any other', async () => {
    const types = (await list()).map(({ platform, pushTokenType }) => `${platform} ${pushTokenType}`);
    expect(new Set(types)).toEqual(new Set(['apns_ios_device chat', 'apns_ios_voip call']));
  });

  it('lists the tokens of one auth token, of one user, or all', async () => {
    const [{ authToken, uid } = { authToken: '', uid: '' }] = authTokens;
    expect((await list(`?authToken=${authToken}`)).map(({ pushToken }) => pushToken).sort()).toEqual(['de00', 'fa00']);
    const ofUser = await list(`?uid=${uid}`);
    expect(ofUser.map(({ pushToken }) => pushToken).sort()).toEqual(['de00', 'de10', 'de20', 'fa00', 'fa10', 'fa20']);
    expect(await list()).toHaveLength(30);
    expect(await list('?all=true')).toEqual(await list());
    expect(await list(`?authToken=${authToken}&uid=${uid}`)).toHaveLength(2);
    expect(await list(`?authToken=${authToken}&uid=somebody-else`)).toEqual([]);
  });

  it('answers 200 with an empty array for an unknown auth token, an unknown user and an app without tokens', async () => {
    const empty = '{"data":{"pushTokens":[]}}';
    const other = await gatehouse.newApp();
    expect((await gatehouse.asApp(`${path}?authToken=nobody_1`)).text).toBe(empty);
    expect((await gatehouse.asApp(`${path}?uid=nobody`)).text).toBe(empty);
    expect((await gatehouse.ask(path, { headers: { apikey: other.fullAccess } })).text).toBe(empty);
  });

  it('shows an app none of the tokens of another', async () => {
    const other = await gatehouse.newApp();
    const headers = { apikey: other.fullAccess };
    const [{ authToken } = { authToken: '' }] = authTokens;
    expect((await gatehouse.ask(`${path}?authToken=${authToken}`, { headers })).body.data.pushTokens).toEqual([]);
  });

  it('pages through every token once with any limit, and says limit, count and the next cursor', async () => {
    const everything = (await list()).map(({ pushToken }) => pushToken);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1000 }), async (limit) => {
        const seen: string[] = [];
        for (let cursor = ''; ; ) {
          const { body } = await gatehouse.asApp(`${path}?limit=${limit}${cursor}`);
          const { pushTokens } = body.data;
          expect(body.meta.current).toEqual({ limit, count: pushTokens.length });
          seen.push(...pushTokens.map(({ pushToken }: Listed) => pushToken));
          if (body.meta.next === undefined) break;
          expect(pushTokens).toHaveLength(limit);
          cursor = `&cursor=${body.meta.next.cursor}`;
        }
        expect(seen).toEqual(everything);
      }),
      { numRuns: 15, examples: [[1], [7], [30], [1000]] },
    );
  });

  it('pages the tokens of a user as well', async () => {
    const { body } = await gatehouse.asApp(`${path}?uid=user-0&limit=4`);
    const rest = await gatehouse.asApp(`${path}?uid=user-0&limit=4&cursor=${body.meta.next.cursor}`);
    const tokens = [...body.data.pushTokens, ...rest.body.data.pushTokens].map(({ pushToken }: Listed) => pushToken);
    expect(tokens.sort()).toEqual((await list('?uid=user-0')).map(({ pushToken }) => pushToken).sort());
    expect(rest.body.meta).toEqual({ current: { limit: 4, count: 2 } });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=xyz&limit=1', 'cursor'],
    ['cursor=WyJhIl0', 'limit'],
    ['all=perhaps', 'all'],
    ['uid=a%20b', 'uid'],
    ['uid=', 'uid'],
    [`uid=${'a'.repeat(101)}`, 'uid'],
    ['authToken=a%0Ab', 'authToken'],
    [`authToken=${'a'.repeat(256)}`, 'authToken'],
  ])('answers 400 to ?%s and names the field', async (query, field) => {
    const { status, body } = await gatehouse.asApp(`${path}?${query}`);
    expect(status).toBe(400);
    expect(body.error.code).toBe('ERR_BAD_REQUEST');
    expect(Object.keys(body.error.details)).toEqual([field]);
  });

  it('moves updatedAt and keeps createdAt when a token is registered again', async () => {
    const { authToken } = authTokens[3] ?? { authToken: '' };
    const [before] = await list(`?authToken=${authToken}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await register({ authToken, platform: 'apns_ios_device', deviceToken: 'de03' });
    const [after] = await list(`?authToken=${authToken}`);
    expect(after?.createdAt).toBe(before?.createdAt);
    expect(Date.parse(after?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before?.updatedAt ?? ''));
  });
});
