/** What all three operations of the contract answer when the request does not reach them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Ask, type Gatehouse, startGatehouse, stores, type Tenant } from '../gatehouse.ts';
import { apnsProvider } from './signing-keys.ts';

const base = '/v3/notifications/push/v1';

interface Contracted {
  name: string;
  where: 'app' | 'mgmt';
  path(appId: string): string;
  method: string;
  body?: () => unknown;
  wrongMethod: string;
  allow: string;
}

const operations: Contracted[] = [
  {
    name: 'listRules on the management host',
    where: 'mgmt',
    path: (appId) => `/apps/${appId}/moderation/rules`,
    method: 'GET',
    wrongMethod: 'DELETE',
    allow: 'GET, POST',
  },
  {
    name: 'listRules on the application host',
    where: 'app',
    path: () => '/v3/moderation/rules',
    method: 'GET',
    wrongMethod: 'PATCH',
    allow: 'GET, POST',
  },
  {
    name: 'listPushTokens',
    where: 'app',
    path: () => `${base}/tokens`,
    method: 'GET',
    wrongMethod: 'PUT',
    allow: 'DELETE, GET, POST',
  },
  {
    name: 'addApnsProvider',
    where: 'app',
    path: () => `${base}/providers/apns`,
    method: 'POST',
    body: () => apnsProvider('apns-main'),
    wrongMethod: 'DELETE',
    allow: 'GET, POST, PUT',
  },
];
const ofApp = operations.filter(({ where }) => where === 'app');

describe.each(stores)('the operations of the contract on %s', (store) => {
  let open: Gatehouse;
  let housed: Gatehouse;
  let strict: Gatehouse;
  beforeAll(async () => {
    open = await startGatehouse(store);
    housed = await startGatehouse(store, { GATEHOUSE_DOMAIN: 'chat.example.org', GATEHOUSE_REGION: 'eu' });
    strict = await startGatehouse(store, { GATEHOUSE_RATE_PER_MINUTE: '1' });
  });
  afterAll(() => Promise.all([open.close(), housed.close(), strict.close()]));

  function call(gatehouse: Gatehouse, op: Contracted, ask: Ask & { tenant?: Tenant; pathAppId?: string } = {}) {
    const tenant = ask.tenant ?? gatehouse;
    const credentials: Record<string, string> =
      op.where === 'app' ? { apikey: tenant.fullAccess } : { key: gatehouse.key, secret: gatehouse.secret };
    return gatehouse.ask(op.path(ask.pathAppId ?? tenant.appId), {
      method: op.method,
      ...(op.body && { body: op.body() }),
      ...ask,
      headers: ask.headers ?? credentials,
    });
  }

  function expectError({ status, headers, body }: Answer, expected: number, code: string): void {
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(body)).toEqual(['error']);
    expect(Object.keys(body.error)).toEqual(['code', 'message', 'devMessage', 'details', 'source']);
    expect(body.error.code).toBe(code);
    expect(body.error.source).toBe('gatehouse');
    expect(body.error.devMessage).toContain(headers.get('x-request-id'));
    expect(body.error.message).not.toBe('');
  }

  it.each(operations)('$name answers 200 with the right credentials', async (op) => {
    expect((await call(open, op)).status).toBe(200);
  });

  it.each(operations)('$name answers 401 without credentials and with unknown ones', async (op) => {
    const [empty, unknown] =
      op.where === 'app'
        ? ['AUTH_ERR_EMPTY_APIKEY', 'AUTH_ERR_APIKEY_NOT_FOUND']
        : ['AUTH_ERR_EMPTY_AUTH_HEADER', 'AUTH_ERR_KEY_PAIR_NOT_FOUND'];
    expectError(await call(open, op, { headers: {} }), 401, empty);
    const wrong = [
      { apikey: '0'.repeat(40), key: '0'.repeat(40), secret: open.secret },
      { apikey: `${open.fullAccess} `.slice(1), key: open.key, secret: '0'.repeat(40) },
      { apikey: open.key, key: open.fullAccess, secret: open.secret },
    ];
    for (const headers of wrong) expectError(await call(open, op, { headers }), 401, unknown);
  });

  it('answers 401 when only one of key and secret is sent', async () => {
    const [op] = operations;
    if (op === undefined) throw new Error('no operation');
    for (const headers of [{ key: open.key }, { secret: open.secret }, { key: '', secret: '' }])
      expectError(await call(open, op, { headers }), 401, 'AUTH_ERR_EMPTY_AUTH_HEADER');
  });

  it.each(operations)('$name takes header names in any case', async (op) => {
    const tenant = await open.newApp();
    const headers: Record<string, string> =
      op.where === 'app' ? { ApiKey: tenant.fullAccess, APPID: tenant.appId } : { KEY: open.key, Secret: open.secret };
    expect((await call(open, op, { tenant, headers })).status).toBe(200);
  });

  it.each(ofApp)('$name answers 403 AUTH_ERR_NO_ACCESS to an authOnly key', async (op) => {
    expectError(await call(open, op, { headers: { apikey: open.authOnly } }), 403, 'AUTH_ERR_NO_ACCESS');
  });

  it.each(ofApp)("$name answers 401 to a device's auth token: it is not a key", async (op) => {
    const authToken = await open.newUser('ada');
    expectError(await call(open, op, { headers: { authToken } }), 401, 'AUTH_ERR_EMPTY_APIKEY');
  });

  it('answers 404 to an app that is not there, and to one of another account, in the same words', async () => {
    const [op] = operations;
    if (op === undefined) throw new Error('no operation');
    for (const pathAppId of ['0123456789abcdef', 'nonsense', open.appId.toUpperCase(), housed.appId])
      expectError(await call(open, op, { pathAppId }), 404, 'ERR_APP_NOT_FOUND');
  });

  it.each(ofApp)('$name answers 404 when the header appId names another app', async (op) => {
    for (const appid of ['0123456789abcdef', (await open.newApp()).appId])
      expectError(await call(open, op, { headers: { apikey: open.fullAccess, appid } }), 404, 'ERR_APP_NOT_FOUND');
  });

  it.each(operations)('$name answers 405 with Allow to another method', async (op) => {
    const answer = await call(open, op, { method: op.wrongMethod });
    expectError(answer, 405, 'ERR_METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe(op.allow);
  });

  it.each(operations)(
    '$name answers 421 on a host of a configured house that is not its own, and says which is',
    async (op) => {
      const right = op.where === 'app' ? `{appId}.api-eu.chat.example.org` : 'mgmt.chat.example.org';
      const answer = await call(housed, op);
      expectError(answer, 421, 'ERR_WRONG_HOST');
      expect(answer.body.error.message).toContain(right);
    },
  );

  it.each(operations)('$name answers 429 with Retry-After when the key has used its share', async (op) => {
    const tenant = op.where === 'app' ? await strict.newApp() : strict;
    expect((await call(strict, op, { tenant })).status).toBe(200);
    const answer = await call(strict, op, { tenant });
    expectError(answer, 429, 'ERR_TOO_MANY_REQUESTS');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  describe('addApnsProvider', () => {
    const send = (body: string | Uint8Array, type?: string): Promise<Answer> =>
      open.asApp(`${base}/providers/apns`, {
        method: 'POST',
        body,
        headers: type === undefined ? {} : { 'content-type': type },
      });

    it('answers 413 to a body over 1 MB, counted or not', async () => {
      const large = JSON.stringify({ ...apnsProvider('large'), padding: 'x'.repeat(1024 * 1024) });
      expectError(await send(large, 'application/json'), 413, 'ERR_PAYLOAD_TOO_LARGE');
      const chunked = await fetch(`${open.url}${base}/providers/apns`, {
        method: 'POST',
        headers: { apikey: open.fullAccess, 'content-type': 'application/json' },
        body: new Blob([large]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect(chunked.status).toBe(413);
    });

    it('answers 415 to any other content type, and to none', async () => {
      const body = JSON.stringify(apnsProvider('typed'));
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])
        expectError(await send(body, type), 415, 'ERR_UNSUPPORTED_MEDIA_TYPE');
      expectError(await send(new TextEncoder().encode(body)), 415, 'ERR_UNSUPPORTED_MEDIA_TYPE');
    });

    it('takes application/json with a charset', async () => {
      const body = JSON.stringify(apnsProvider('with-charset'));
      expect((await send(body, 'Application/JSON; charset=UTF-8')).status).toBe(200);
    });
  });
});
