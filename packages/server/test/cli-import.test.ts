import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatehouse } from './cli-run.ts';
import { type Gatehouse, startGatehouse } from './gatehouse.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
const data = join(folder, 'data');
let here: Gatehouse;
beforeAll(async () => {
  here = await startGatehouse('sqlite', { GATEHOUSE_DATA: data });
});
afterAll(async () => {
  await here.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = (value: unknown, more: object = {}) => ({ operand: 'text', category: 'word', value, ...more });
const apnsBody = () => ({
  providerId: 'apns-main',
  keyId: 'ABC123DEFG',
  teamId: 'TEAM123456',
  bundleId: 'org.example.chat',
  p8Key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
});

async function runImport(from: string, fromKey: string, apikey: string, name: string, more: string[] = []) {
  const env = { GATEHOUSE_URL: here.url, GATEHOUSE_API_KEY: apikey, GATEHOUSE_DATA: data, FROM_API_KEY: fromKey };
  const args = [
    '--state',
    join(folder, `${name}.json`),
    '--providers',
    join(folder, `${name}-providers`),
    '--json',
    ...more,
  ];
  const ran = await gatehouse(['import', '--from', from, ...args], { env });
  return { ...ran, report: ran.stdout === '' ? undefined : JSON.parse(ran.stdout) };
}

describe('gatehouse import from another Gatehouse', () => {
  let there: Gatehouse;
  let into: { appId: string; fullAccess: string };
  const deviceToken = 'cd'.repeat(32);
  let authToken: string;
  const ask = (path: string) => here.ask(`/v3${path}`, { headers: { apikey: into.fullAccess } });

  beforeAll(async () => {
    there = await startGatehouse('sqlite');
    into = await here.newApp();
    await there.asApp('/v3/moderation/keywords', {
      body: { id: 'tricks', name: 'Tricks', searchTerms: ['a, b', 'c'] },
    });
    const refers = text(['tricks'], { isKeywordsReferencePresent: true });
    for (const body of [
      { id: 'no-tricks', name: 'No tricks', conditions: [refers], action: ['blockMessage'] },
      {
        id: 'no-codes',
        name: 'No codes',
        conditions: [text(['[0-9]{4,}'], { category: 'pattern' })],
        action: ['dropMessage'],
      },
    ])
      expect((await there.asApp('/v3/moderation/rules', { body })).status).toBe(200);
    await there.asApp('/v3/moderation/reasons', { body: { id: 'off-topic', name: 'Off topic' } });
    const profanity = (await there.asApp('/v3/moderation/rules/profanity-filter')).body.data;
    await there.asApp('/v3/moderation/rules/profanity-filter', {
      method: 'PUT',
      body: { ...profanity, enabled: false },
    });
    await there.asApp('/v3/notifications/push/v1/providers/apns', { body: apnsBody() });
    authToken = await there.newUser('ada');
    await there.ask('/v3/notifications/push/v1/tokens', {
      headers: { authToken, appId: there.appId },
      body: { platform: 'apns_ios_device', deviceToken, providerId: 'apns-main' },
    });
  });
  afterAll(() => there.close());

  it('carries policy over, and says which provider to add before its tokens can come', async () => {
    const { code, report } = await runImport(there.url, there.fullAccess, into.fullAccess, 'twin');
    expect(code).toBe(1);
    expect(report.carried).toMatchObject({ lists: 1, reasons: 1, rules: 3 });
    expect(report.providersToAdd).toMatchObject([{ kind: 'apns', providerId: 'apns-main' }]);
    expect(report.notCarried).toEqual([{ what: 'token of ada', reason: expect.stringContaining('APNS provider') }]);
    expect((await ask('/moderation/keywords/tricks')).body.data.searchTerms).toEqual(['a, b', 'c']);
    expect((await ask('/moderation/rules/no-tricks')).body.data.conditions[0]).toMatchObject({ value: ['tricks'] });
    expect((await ask('/moderation/rules/profanity-filter')).body.data).toMatchObject({
      enabled: false,
      default: true,
    });
    expect((await ask('/moderation/reasons/off-topic')).status).toBe(200);
  });

  it('takes the device over with its auth token once the provider is there, and nothing else a second time', async () => {
    const [provider] = (await runImport(there.url, there.fullAccess, into.fullAccess, 'twin')).report.providersToAdd;
    const p8 = join(folder, 'key.p8');
    writeFileSync(p8, apnsBody().p8Key);
    const env = { GATEHOUSE_URL: here.url, GATEHOUSE_API_KEY: into.fullAccess };
    expect(readFileSync(provider.file, 'utf8')).not.toContain('p8Key"');
    expect((await gatehouse(['providers', 'add', 'apns', provider.file, '--p8', p8], { env })).stderr).toBe('');
    const { code, report } = await runImport(there.url, there.fullAccess, into.fullAccess, 'twin');
    expect(report).toMatchObject({ carried: { tokens: 1 }, notCarried: [], providersToAdd: [] });
    expect(code).toBe(0);
    const { body } = await here.ask('/v3/notifications/push/v1/tokens', { headers: { apikey: into.fullAccess } });
    const [{ createdAt, updatedAt }] = (await there.asApp('/v3/notifications/push/v1/tokens')).body.data.pushTokens;
    const times = { createdAt, updatedAt };
    expect(body.data.pushTokens).toMatchObject([{ uid: 'ada', authToken, pushToken: deviceToken, ...times }]);
  });

  it('does not write over what was changed here since', async () => {
    const rule = (await ask('/moderation/rules/no-codes')).body.data;
    const headers = { apikey: into.fullAccess };
    await here.ask('/v3/moderation/rules/no-codes', { method: 'PUT', headers, body: { ...rule, enabled: false } });
    const { report } = await runImport(there.url, there.fullAccess, into.fullAccess, 'twin');
    expect(report.carried).toEqual({});
    expect((await ask('/moderation/rules/no-codes')).body.data.enabled).toBe(false);
  });
});

describe('gatehouse import from a platform with its known oddities', () => {
  let platform: Server;
  let url: string;
  let tokenPages = 0;
  let failAtPage = 2;
  const token = (i: number) => ({
    authToken: `u${i}_1700000000000abc`,
    pushTokenType: 'chat',
    platform: i === 3 ? 'windows_phone' : 'apns_ios_device',
    providerId: 'apns-main',
    pushToken: String(i).padStart(64, 'e'),
    uid: `u${i}`,
  });
  const answers: Record<string, (query: URLSearchParams) => unknown> = {
    // No data wrapper, and `{}` for an empty list.
    '/v3/moderation/keywords': () => [{ id: 'slang', name: 'Slang', category: 'word', searchTerms: {} }],
    '/v3/moderation/keywords/slang': () => ({ id: 'slang', name: 'Slang', category: 'word', searchTerms: ['yeet'] }),
    '/v3/moderation/reasons': () => ({ data: {} }),
    '/v3/moderation/rules': () => ({
      data: [
        {
          id: 'one-text',
          name: 'One text',
          enabled: true,
          filters: {},
          conditions: [{ id: 1, ...text('slang', { isKeywordReferencePresent: true }), operator: 'contains' }],
          action: ['blockMessage'],
        },
        {
          id: 'braces',
          name: 'Braces',
          enabled: true,
          conditions: [text(['^{A-Za-z0-9._%+-}+@{a-z}+$'], { category: 'pattern' })],
          action: ['blockMessage'],
        },
        {
          id: 'future',
          name: 'Future',
          conditions: [text(['x'], { category: 'mind-reading' })],
          action: ['blockMessage'],
        },
        {
          id: 'email_filter',
          name: 'E-mail',
          default: true,
          enabled: true,
          conditions: [text(['^[^@]+@[^@]+$'], { category: 'pattern' })],
          action: ['dropMessage'],
        },
      ],
      meta: { current: { limit: 100, count: 4 } },
    }),
    '/v3/notifications/push/v1/providers/apns': () => ({ data: { pushProviders: [] } }),
    '/v3/notifications/push/v1/providers/fcm': () => ({ data: { pushProviders: {} } }),
    '/v3/notifications/push/v1/tokens': (query) => {
      const at = Number(query.get('cursor') ?? '0');
      tokenPages++;
      if (tokenPages === failAtPage) return undefined;
      return {
        data: { pushTokens: [token(at), token(at + 1)] },
        meta: { current: { limit: 2, count: 2 }, ...(at < 4 && { next: { cursor: String(at + 2) } }) },
      };
    },
  };

  beforeAll(async () => {
    platform = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://platform');
      if (request.headers.apikey !== 'their-key' || request.headers.appid !== 'their-app') {
        response.writeHead(401).end('{"error":{"code":"AUTH_ERR_APIKEY_NOT_FOUND","message":"no"}}');
        return;
      }
      const answer = answers[pathname];
      const body = answer?.(searchParams);
      if (answer === undefined) response.writeHead(404).end('{"error":{"code":"ERR_API_NOT_FOUND"}}');
      else if (body === undefined) response.writeHead(400).end('{"error":{"code":"ERR_BAD_REQUEST"}}');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
    const address = platform.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v3`;
  });
  afterAll(() => void platform.close());

  it('carries over what can be, goes on where it stopped, and reports the rest', async () => {
    const { fullAccess } = await here.newApp();
    const headers = { apikey: fullAccess };
    await here.ask('/v3/notifications/push/v1/providers/apns', { headers, body: apnsBody() });
    const cut = await runImport(url, 'their-key', fullAccess, 'odd', ['--app-id', 'their-app']);
    expect(cut.report.carried).toMatchObject({ lists: 1, tokens: 2 });
    failAtPage = -1;
    const first = tokenPages;
    const { code, report } = await runImport(url, 'their-key', fullAccess, 'odd', ['--app-id', 'their-app']);
    expect(code).toBe(1);
    expect(tokenPages - first).toBe(2);
    expect(report.carried.tokens).toBe(3);
    expect(report.notCarried.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(['rule future', 'notification settings', 'custom providers', 'token of u3']),
    );
    expect(report.lookAt).toMatchObject([{ what: 'rule braces' }]);

    const rules = (await here.ask('/v3/moderation/rules?limit=100', { headers })).body.data;
    const byId = new Map<string, Record<string, unknown>>(rules.map((rule: { id: string }) => [rule.id, rule]));
    expect(byId.get('one-text')).toMatchObject({
      conditions: [{ isKeywordsReferencePresent: true, value: ['slang'] }],
    });
    // The switch and the action are theirs; the pattern stays ours, for theirs is anchored to the whole message.
    expect(byId.get('email_filter')).toMatchObject({ enabled: true, default: true, action: ['dropMessage'] });
    expect(JSON.stringify(byId.get('email_filter'))).not.toContain('^[^@]+@[^@]+$');
    expect((await here.ask('/v3/moderation/keywords/slang', { headers })).body.data.searchTerms).toEqual(['yeet']);
    const tokens = (await here.ask('/v3/notifications/push/v1/tokens', { headers })).body.data.pushTokens;
    expect(tokens).toHaveLength(5);
  });

  it('says what is wrong with the key there, without repeating it', async () => {
    const { code, stderr } = await runImport(url, 'wrong-key', here.fullAccess, 'wrong', ['--app-id', 'their-app']);
    expect(code).toBe(1);
    expect(stderr).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
    expect(stderr).not.toContain('wrong-key');
    expect(existsSync(join(folder, 'wrong-providers'))).toBe(false);
  });
});
