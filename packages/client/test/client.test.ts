import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../../server/test/gatehouse.ts';
import {
  type CreateRuleBody,
  GatehouseClient,
  GatehouseError,
  GatehouseUnreachable,
  operations,
} from '../src/index.ts';

const rule = (id: string): CreateRuleBody => ({
  id,
  name: id,
  conditions: [{ entity: 'message', operand: 'text', category: 'word', operator: 'contains', value: ['spam'] }],
  action: ['blockMessage'],
});

describe.each(stores)('the client against a service on %s', (store) => {
  let gatehouse: Gatehouse;
  let app: GatehouseClient;
  let account: GatehouseClient;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
    app = new GatehouseClient({ url: gatehouse.url, credentials: { apikey: gatehouse.fullAccess } });
    const { key, secret, appId, url } = gatehouse;
    account = new GatehouseClient({ url, appId, credentials: { key, secret } });
  });
  afterAll(() => gatehouse.close());

  it('has a method for every operation of the document', async () => {
    const { body } = await gatehouse.ask('/openapi.json');
    const ids = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    for (const id of Object.keys(operations)) expect(ids).toContain(id);
    for (const id of Object.keys(operations)) expect(Reflect.get(app, id), id).toBeTypeOf('function');
  });

  it('makes a rule with an API key and reads it back on the management side', async () => {
    const made = await app.createRule({ body: rule('no-spam') });
    expect(made.data.id).toBe('no-spam');
    const seen = await account.getRuleOfApp({ ruleId: 'no-spam' });
    expect(seen.data.revisionId).toBe(made.data.revisionId);
  });

  it('guards a change with the revision that the caller has seen', async () => {
    const made = await app.createRule({ body: rule('guarded') });
    await app.replaceRule(
      { ruleId: 'guarded', body: { ...rule('guarded'), name: 'Two' } },
      { ifMatch: made.data.revisionId },
    );
    await expect(
      app.replaceRule({ ruleId: 'guarded', body: rule('guarded') }, { ifMatch: made.data.revisionId }),
    ).rejects.toMatchObject({ status: 412, code: 'ERR_REVISION_CONFLICT' });
  });

  it('walks a listing page by page, in order and without gaps', async () => {
    const ids = Array.from({ length: 7 }, (_, i) => `walked-${i}`);
    for (const id of ids) await app.createRule({ body: rule(id) });
    const { data } = await app.listRules({ limit: 100 });
    const whole = data.map(({ id }) => id);
    const seen: string[] = [];
    for await (const { id } of app.all('listRules', { limit: 2 })) seen.push(id);
    expect(seen).toEqual(whole);
    expect(seen).toEqual(expect.arrayContaining(ids));
    const firstTwo: string[] = [];
    for await (const { id } of account.all('listRulesOfApp', { limit: 1 })) {
      firstTwo.push(id);
      if (firstTwo.length === 2) break;
    }
    expect(firstTwo).toEqual(whole.slice(0, 2));
  });

  it('hands an export over as it comes, to be read as text or as a stream', async () => {
    await app.createKeywordList({ body: { id: 'exported', searchTerms: ['one', 'two, three'] } });
    const csv = await app.exportKeywordList({ id: 'exported' });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(await csv.text()).toBe('one\r\n"two, three"\r\n');
    const lines = await account.exportKeywordListOfApp({ id: 'exported', format: 'jsonl' });
    let text = '';
    for await (const part of lines.body ?? []) text += new TextDecoder().decode(part);
    expect(text).toBe('"one"\n"two, three"\n');
  });

  it('registers a push token as the device itself and lists it', async () => {
    const authToken = await gatehouse.newUser('ada');
    await app.addApnsProvider({ body: await apnsProvider() });
    const device = new GatehouseClient({ url: gatehouse.url, appId: gatehouse.appId, credentials: { authToken } });
    await device.registerPushToken({
      body: { platform: 'apns_ios_device', deviceToken: 'ab'.repeat(32), providerId: 'apns-main' },
    });
    const tokens: string[] = [];
    for await (const token of app.all('listPushTokens', { uid: 'ada', limit: 1 })) tokens.push(token.pushToken);
    expect(tokens).toEqual(['ab'.repeat(32)]);
    await expect(device.listRules()).rejects.toMatchObject({ status: 401 });
  });

  it('throws what the service said: status, code, fields and request id', async () => {
    const refused = await app.createRule({ body: { ...rule('bad id!'), name: '' } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(GatehouseError);
    expect(refused).toMatchObject({ status: 400, code: 'ERR_BAD_REQUEST', tries: 1 });
    expect(Object.keys((refused as GatehouseError).details).sort()).toEqual(['id', 'name']);
    expect((refused as GatehouseError).requestId).toMatch(/./);
  });

  it('says which parameter is missing before anything is sent', async () => {
    const { key, secret, url } = gatehouse;
    const nowhere = new GatehouseClient({ url, credentials: { key, secret } });
    await expect(nowhere.listRulesOfApp()).rejects.toThrow('needs appId');
  });

  it('keeps odd ids inside their place in the path', async () => {
    await expect(app.getRule({ ruleId: '../keywords' })).rejects.toMatchObject({ code: /NOT_FOUND|BAD_REQUEST/ });
    await expect(app.getRule({ ruleId: '..' })).rejects.toMatchObject({ code: /NOT_FOUND|BAD_REQUEST/ });
  });

  it('says that nobody answers when nobody does', async () => {
    const lost = new GatehouseClient({
      url: 'http://127.0.0.1:9',
      credentials: { apikey: 'x' },
      retry: { retries: 1, firstWaitMs: 1 },
    });
    const error = await lost.listRules().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatehouseUnreachable);
    expect(error).toMatchObject({ tries: 2 });
  });
});

async function apnsProvider() {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
  const p8Key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
  return { providerId: 'apns-main', keyId: 'ABC123DEFG', teamId: 'TEAM123456', bundleId: 'org.example.chat', p8Key };
}
