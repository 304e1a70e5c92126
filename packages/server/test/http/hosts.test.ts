import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { askHost, type Reply } from './wire.ts';

const rules = '/v3/moderation/rules';
const managedRules = (appId: string): string => `/apps/${appId}/moderation/rules`;
const unknownApp = '00000000deadbeef';

/** The answer without what must differ: the request's own id. */
function told({ status, text, headers }: Reply): { status: number; body: string } {
  return { status, body: text.replaceAll(String(headers['x-request-id']), '<request id>') };
}

describe.each(stores)('hosts on %s', (store) => {
  describe('with a domain', () => {
    let gatehouse: Gatehouse;
    beforeAll(async () => {
      gatehouse = await startGatehouse(store, { GATEHOUSE_DOMAIN: 'Chat.example.org', GATEHOUSE_REGION: 'us' });
    });
    afterAll(() => gatehouse.close());

    const asApp = (host: string, path = rules, headers = {}): Promise<Reply> =>
      askHost(gatehouse.url + path, host, { apikey: gatehouse.fullAccess, ...headers });
    const asManager = (host: string, appId = gatehouse.appId, headers = {}): Promise<Reply> =>
      askHost(gatehouse.url + managedRules(appId), host, {
        key: gatehouse.key,
        secret: gatehouse.secret,
        ...headers,
      });
    const appHost = (appId = gatehouse.appId, region = 'us'): string => `${appId}.api-${region}.chat.example.org`;

    it('serves an app on its own host and management on the management host, in any case and with any port', async () => {
      for (const host of [appHost(), appHost().toUpperCase(), `${appHost()}:8443`])
        expect((await asApp(host)).status).toBe(200);
      for (const host of ['mgmt.chat.example.org', 'MGMT.chat.example.org', 'mgmt.chat.example.org:80'])
        expect((await asManager(host)).status).toBe(200);
    });

    it.each([
      ['localhost'],
      ['chat.example.org'],
      ['mgmt.chat.example.org'],
      ['[::1]:8080'],
      ['not-hex.api-us.chat.example.org'],
      ['0123456789abcdef.api-us.evil.org'],
      ['0123456789abcdef.api-us.chat.example.org.evil.org'],
    ])('answers 421 to a request of an app at %s and says where it belongs', async (host) => {
      const { status, text } = await asApp(host);
      expect(status).toBe(421);
      expect(JSON.parse(text).error).toMatchObject({
        code: 'ERR_WRONG_HOST',
        message: 'Requests of an app go to {appId}.api-us.chat.example.org.',
      });
    });

    it('answers 421 to another region and names the host of this one', async () => {
      const { status, text } = await asApp(appHost(gatehouse.appId, 'eu'));
      expect(status).toBe(421);
      expect(JSON.parse(text).error.message).toContain(appHost());
    });

    it('answers 421 to management on any other host', async () => {
      for (const host of [appHost(), 'chat.example.org', 'localhost']) {
        const { status, text } = await asManager(host);
        expect(status).toBe(421);
        expect(JSON.parse(text).error.message).toContain('mgmt.chat.example.org');
      }
    });

    it('answers 421 before it looks at credentials, so that a wrong host tells nothing of them', async () => {
      expect((await asApp('localhost', rules, { apikey: 'wrong' })).status).toBe(421);
    });

    it('gives the host of another app, of an unknown app and of its own app under another name one and the same answer', async () => {
      const other = await gatehouse.newApp();
      const [theirs, nobodys] = [await asApp(appHost(other.appId)), await asApp(appHost(unknownApp))];
      expect(theirs.status).toBe(404);
      expect(told(theirs)).toEqual(told(nobodys));
      expect(told(await asApp(appHost(), rules, { appid: other.appId }))).toEqual(told(nobodys));
    });

    it('answers for its own health on any host', async () => {
      for (const path of ['/livez', '/readyz', '/version', '/openapi.json'])
        expect((await askHost(gatehouse.url + path, 'probe.internal', {})).status).toBe(200);
    });
  });

  describe('with a management host of its own', () => {
    it('serves management there and says so elsewhere', async () => {
      const gatehouse = await startGatehouse(store, {
        GATEHOUSE_DOMAIN: 'example.org',
        GATEHOUSE_MANAGEMENT_HOST: 'console.example.net',
      });
      const ask = (host: string): Promise<Reply> =>
        askHost(gatehouse.url + managedRules(gatehouse.appId), host, { key: gatehouse.key, secret: gatehouse.secret });
      try {
        expect((await ask('console.example.net')).status).toBe(200);
        const wrong = await ask('mgmt.example.org');
        expect([wrong.status, JSON.parse(wrong.text).error.message]).toEqual([
          421,
          'Management requests go to console.example.net.',
        ]);
      } finally {
        await gatehouse.close();
      }
    });
  });

  describe('without a domain', () => {
    let gatehouse: Gatehouse;
    beforeAll(async () => {
      gatehouse = await startGatehouse(store);
    });
    afterAll(() => gatehouse.close());

    const asApp = (host: string, headers: Record<string, string> = {}): Promise<Reply> =>
      askHost(gatehouse.url + rules, host, { apikey: gatehouse.fullAccess, ...headers });
    const asManager = (appId: string, host = 'anything', headers: Record<string, string> = {}): Promise<Reply> =>
      askHost(gatehouse.url + managedRules(appId), host, { key: gatehouse.key, secret: gatehouse.secret, ...headers });

    it('serves every path on any host name', async () => {
      for (const host of [
        'localhost',
        'example.com',
        '10.1.2.3:99',
        '[::1]',
        `${gatehouse.appId}.api-mars.localhost`,
      ]) {
        expect((await asApp(host)).status, host).toBe(200);
        expect((await asManager(gatehouse.appId, host)).status, host).toBe(200);
      }
    });

    it('gives every disagreement about the app the answer of an app that does not exist', async () => {
      const other = await gatehouse.newApp();
      const nobodys = told(await asManager(unknownApp));
      expect(nobodys.status).toBe(404);
      const disagreements = await Promise.all([
        asApp(`${other.appId}.api-eu.localhost`),
        asApp(`${unknownApp}.api-eu.localhost`),
        asApp('localhost', { appid: other.appId }),
        asApp('localhost', { appid: unknownApp }),
        asApp(`${gatehouse.appId}.api-eu.localhost`, { appid: other.appId }),
        asManager(gatehouse.appId, `${other.appId}.api-eu.localhost`),
        asManager(gatehouse.appId, 'localhost', { appid: other.appId }),
        asManager('not-an-app-id'),
      ]);
      for (const answer of disagreements) expect(told(answer)).toEqual(nobodys);
    });

    it("keeps a pair that is granted one app out of the account's other apps, with the same answer", async () => {
      const other = await gatehouse.newApp();
      const { body } = await gatehouse.ask('/keypairs', {
        headers: { key: gatehouse.key, secret: gatehouse.secret },
        body: { name: 'one app', apps: [gatehouse.appId] },
      });
      const granted = { key: body.data.key, secret: body.data.secret };
      expect((await asManager(gatehouse.appId, 'localhost', granted)).status).toBe(200);
      expect(told(await asManager(other.appId, 'localhost', granted))).toEqual(
        told(await asManager(unknownApp, 'localhost', granted)),
      );
    });

    it('knows a device by the app of the host, and not on the host of another', async () => {
      const other = await gatehouse.newApp();
      const authtoken = await gatehouse.newUser('ada');
      const remove = (host: string): Promise<Reply> =>
        askHost(
          `${gatehouse.url}/v3/notifications/push/v1/tokens`,
          host,
          { authtoken },
          { method: 'DELETE', json: {} },
        );
      expect((await remove(`${gatehouse.appId}.api-eu.localhost`)).status).toBe(200);
      const [theirs, nobodys] = [
        await remove(`${other.appId}.api-eu.localhost`),
        await remove(`${unknownApp}.api-eu.localhost`),
      ];
      expect(theirs.status).toBe(401);
      expect(told(theirs)).toEqual(told(nobodys));
    });
  });
});
