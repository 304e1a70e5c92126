import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apnsProvider } from '../contract/signing-keys.ts';
import { type Ask, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

type AuditRow = {
  at: number;
  account_id: string | null;
  app_id: string | null;
  actor: string;
  action: string;
  target: string;
  before: string | null;
  after: string | null;
};

const push = '/v3/notifications/push/v1';
const rule = {
  name: 'Rule',
  action: ['blockMessage'],
  conditions: [{ operand: 'text', category: 'word', value: 'x' }],
};

describe.each(stores)('the audit on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  const rows = (): Promise<AuditRow[]> =>
    gatehouse.app.store.all<AuditRow>('SELECT at, account_id, app_id, actor, action, target, before, after FROM audit');
  /** What a request added to the audit. */
  async function added(request: () => Promise<{ status: number }>): Promise<[number, AuditRow[]]> {
    const before = new Set((await rows()).map((row) => JSON.stringify(row)));
    const { status } = await request();
    return [status, (await rows()).filter((row) => !before.has(JSON.stringify(row)))];
  }
  const manage = (path: string, ask: Ask) =>
    gatehouse.ask(path, { ...ask, headers: { key: gatehouse.key, secret: gatehouse.secret } });

  it('has one row for every write, with who, what, when and what it was before and after', async () => {
    const authToken = await gatehouse.newUser('ada');
    const writes: [
      action: string,
      target: string,
      hasBefore: boolean,
      hasAfter: boolean,
      () => Promise<{ status: number }>,
    ][] = [
      ['createRule', 'r', false, true, () => gatehouse.asApp('/v3/moderation/rules', { body: { id: 'r', ...rule } })],
      ['replaceRule', 'r', true, true, () => gatehouse.asApp('/v3/moderation/rules/r', { method: 'PUT', body: rule })],
      ['deleteRule', 'r', true, false, () => gatehouse.asApp('/v3/moderation/rules/r', { method: 'DELETE' })],
      [
        'createKeywordList',
        'l',
        false,
        true,
        () => gatehouse.asApp('/v3/moderation/keywords', { body: { id: 'l', searchTerms: ['a'] } }),
      ],
      [
        'replaceKeywordList',
        'l',
        true,
        true,
        () => gatehouse.asApp('/v3/moderation/keywords/l', { method: 'PUT', body: { searchTerms: ['b'] } }),
      ],
      ['deleteKeywordList', 'l', true, false, () => gatehouse.asApp('/v3/moderation/keywords/l', { method: 'DELETE' })],
      [
        'addApnsProvider',
        'p',
        false,
        true,
        () => gatehouse.asApp(`${push}/providers/apns`, { body: apnsProvider('p') }),
      ],
      [
        'replaceApnsProvider',
        'p',
        true,
        true,
        () => gatehouse.asApp(`${push}/providers/apns`, { method: 'PUT', body: apnsProvider('p') }),
      ],
      [
        'setDefaultApnsProvider',
        'p',
        false,
        false,
        () => gatehouse.asApp(`${push}/providers/apns/default/p`, { method: 'PUT' }),
      ],
      [
        'registerPushToken',
        'ada',
        false,
        true,
        () =>
          gatehouse.asApp(`${push}/tokens`, { body: { authToken, deviceToken: 'dd', platform: 'apns_ios_device' } }),
      ],
      ['deletePushToken', 'ada', true, false, () => gatehouse.asApp(`${push}/tokens/dd`, { method: 'DELETE' })],
      ['deleteApnsProvider', 'p', true, false, () => gatehouse.asApp(`${push}/providers/apns/p`, { method: 'DELETE' })],
      [
        'revokeAuthToken',
        'ada',
        true,
        false,
        () => gatehouse.asApp(`/v3/users/ada/auth_tokens/${authToken}`, { method: 'DELETE' }),
      ],
      ['createAuthToken', 'ada', false, true, () => gatehouse.asApp('/v3/users/ada/auth_tokens', { method: 'POST' })],
    ];
    for (const [action, target, hasBefore, hasAfter, request] of writes) {
      const started = Date.now();
      const [status, [row, ...more]] = await added(request);
      expect([status, more], action).toEqual([200, []]);
      expect(row, action).toMatchObject({ action, target, app_id: gatehouse.appId });
      expect(row?.actor).toMatch(/^apiKey:[0-9a-f-]{36}$/);
      expect(row?.at).toBeGreaterThanOrEqual(started - 1);
      expect([row?.before !== null, row?.after !== null], action).toEqual([hasBefore, hasAfter]);
      for (const text of [row?.before, row?.after]) if (text) expect(JSON.parse(text)).toBeTypeOf('object');
    }
  });

  it('has one row for every write of the account, by the pair that made it', async () => {
    const made: Record<string, string> = {};
    const keep = (name: string, answer: { status: number; body: { data: { id: string } } }) => {
      made[name] = answer.body.data.id;
      return answer;
    };
    const writes: [action: string, () => Promise<{ status: number }>][] = [
      ['createApp', async () => keep('app', await manage('/apps', { body: { name: 'A' } }))],
      [
        'createApiKey',
        async () => keep('key', await manage(`/apps/${made.app}/apikeys`, { body: { name: 'k', scope: 'authOnly' } })),
      ],
      ['revokeApiKey', () => manage(`/apps/${made.app}/apikeys/${made.key}`, { method: 'DELETE' })],
      ['createKeyPair', async () => keep('pair', await manage('/keypairs', { body: { name: 'p' } }))],
      ['revokeKeyPair', () => manage(`/keypairs/${made.pair}`, { method: 'DELETE' })],
      ['deleteApp', () => manage(`/apps/${made.app}`, { method: 'DELETE' })],
    ];
    for (const [action, request] of writes) {
      const [status, [row, ...more]] = await added(request);
      expect([status, more, row?.action], action).toEqual([200, [], action]);
      expect(row?.actor).toMatch(/^keyPair:[0-9a-f-]{36}$/);
    }
    // The audit of an app outlives the app.
    const kept = (await rows()).filter(({ app_id }) => app_id === made.app).map(({ action }) => action);
    expect(kept.sort()).toEqual(['createApiKey', 'createApp', 'deleteApp', 'revokeApiKey']);
  });

  it('names a device by its user, and no auth token or device token whole', async () => {
    await gatehouse.asApp(`${push}/providers/apns`, { body: apnsProvider('default') });
    const authToken = await gatehouse.newUser('grace');
    const deviceToken = 'ce'.repeat(32);
    const [, [row]] = await added(() =>
      gatehouse.ask(`${push}/tokens`, {
        headers: { authToken },
        body: { deviceToken, platform: 'apns_ios_device' },
      }),
    );
    expect(row?.actor).toBe('user:grace');
    const everything = JSON.stringify(await rows());
    expect(everything).not.toContain(authToken);
    expect(everything).not.toContain(deviceToken);
  });

  it('has no row for a device that says again what is known of it', async () => {
    const authToken = await gatehouse.newUser('known');
    const register = (platform: string) => () =>
      gatehouse.asApp(`${push}/tokens`, { body: { authToken, deviceToken: 'da'.repeat(32), platform } });
    const rowsOf = async (platform: string) => (await added(register(platform)))[1].map(({ action }) => action);
    expect(await rowsOf('apns_ios_device')).toEqual(['registerPushToken']);
    expect(await rowsOf('apns_ios_device')).toEqual([]);
    expect(await rowsOf('apns_flutter_device')).toEqual(['registerPushToken']);
  });

  it('has no row for a request that was refused', async () => {
    const refusals: (() => Promise<{ status: number }>)[] = [
      () => gatehouse.asApp('/v3/moderation/rules', { body: {} }),
      () => gatehouse.asApp('/v3/moderation/rules/none', { method: 'DELETE' }),
      () => gatehouse.asApp('/v3/moderation/rules', { body: { id: 'profanity-filter', ...rule } }),
      () => gatehouse.ask('/v3/moderation/rules', { headers: { apikey: gatehouse.authOnly }, body: rule }),
      () => gatehouse.asManager('/apikeys/none', { method: 'DELETE' }),
    ];
    for (const refusal of refusals) {
      const [status, found] = await added(refusal);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(found).toEqual([]);
    }
  });
});
