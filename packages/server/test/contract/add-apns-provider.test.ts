import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Gatehouse, startGatehouse, stores, type Tenant } from '../gatehouse.ts';
import { apnsProvider, bare, makeP8 } from './signing-keys.ts';

const path = '/v3/notifications/push/v1/providers/apns';
const shownFields = [
  'providerId',
  'keyId',
  'teamId',
  'bundleId',
  'p8KeyFilename',
  'includeContentAvailable',
  'includeMutableContent',
  'productionMode',
  'p8KeyFingerprint',
  'isDefault',
  'createdAt',
  'updatedAt',
];
const escapedLines = (pem: string): string => pem.replaceAll('\n', '\\n');

/** Keys that are not what Apple gives out, and what the refusal must say of each. */
function wrongKeys(): [what: string, key: string, reason: RegExp][] {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ed = generateKeyPairSync('ed25519');
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
  const good = makeP8().pem;
  return [
    ['an RSA key', rsa.privateKey.export(pkcs8).toString(), /rsa.*not an EC key/],
    ['an Ed25519 key', ed.privateKey.export(pkcs8).toString(), /ed25519.*not an EC key/],
    ['a key on P-384', makeP8('P-384').pem, /secp384r1.*not P-256/],
    ['a public key', ec.publicKey.export({ type: 'spki', format: 'pem' }).toString(), /is a public key/],
    ['a bare public key', bare(ec.publicKey.export({ type: 'spki', format: 'pem' }).toString()), /not a PKCS#8/],
    ['a certificate', good.replaceAll('PRIVATE KEY', 'CERTIFICATE'), /is a certificate/],
    [
      'an EC PEM that is not PKCS#8',
      ec.privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
      /EC PRIVATE KEY/,
    ],
    ['a bare SEC1 key', bare(ec.privateKey.export({ type: 'sec1', format: 'pem' }).toString()), /not a PKCS#8/],
    [
      'an encrypted key',
      ec.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'open sesame' }).toString(),
      /ENCRYPTED PRIVATE KEY/,
    ],
    ['a key without its last line', good.slice(0, -30), /cut off/],
    ['a key with half its middle', good.replace(bare(good).slice(40, 64), ''), /not a PKCS#8/],
    ['garbage', 'not a key at all!', /neither PEM nor base64/],
    ['base64 of something else', Buffer.from('hello, this is no key').toString('base64'), /not a PKCS#8/],
  ];
}

describe.each(stores)('addApnsProvider on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  const add = (tenant: Tenant, body: unknown): Promise<Answer> =>
    gatehouse.ask(path, { headers: { apikey: tenant.fullAccess }, body });
  const list = (tenant: Tenant): Promise<Answer> => gatehouse.ask(path, { headers: { apikey: tenant.fullAccess } });

  it('answers 200 to the nine fields of the contract and shows all of them but the key', async () => {
    const tenant = await gatehouse.newApp();
    const key = makeP8();
    const sent = {
      providerId: 'apns-main',
      keyId: 'ABC123DEFG',
      teamId: 'team123456',
      bundleId: 'org.example.chat',
      p8KeyFilename: 'AuthKey_from_Apple.p8',
      p8Key: key.pem,
      includeContentAvailable: true,
      includeMutableContent: true,
      productionMode: true,
    };
    const { status, body, text } = await add(tenant, sent);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(Object.keys(body.data)).toEqual(['pushProviders']);
    const [shown] = body.data.pushProviders;
    expect(Object.keys(shown)).toEqual(shownFields);
    const { p8Key: _, ...kept } = sent;
    const publicDer = createPublicKey(key.pem).export({ type: 'spki', format: 'der' });
    expect(shown).toMatchObject({
      ...kept,
      isDefault: true,
      p8KeyFingerprint: createHash('sha256').update(publicDer).digest('hex'),
    });
    for (const time of [shown.createdAt, shown.updatedAt]) expect(new Date(time).toISOString()).toBe(time);
    expect(text).not.toContain(key.base64.slice(0, 40));
  });

  it('fills what may be left out: three switches off and the file name that Apple gives', async () => {
    const { body } = await add(await gatehouse.newApp(), apnsProvider('plain'));
    expect(body.data.pushProviders[0]).toMatchObject({
      p8KeyFilename: 'AuthKey_ABC123DEFG.p8',
      includeContentAvailable: false,
      includeMutableContent: false,
      productionMode: false,
    });
  });

  it('takes the key as PEM, with escaped line breaks, with Windows line breaks and as bare base64, and means the same', async () => {
    const tenant = await gatehouse.newApp();
    const { pem, base64 } = makeP8();
    const forms = {
      pem,
      escaped: escapedLines(pem),
      'escaped-twice': escapedLines(pem.replaceAll('\n', '\r\n')).replaceAll('\r', '\\r'),
      windows: pem.replaceAll('\n', '\r\n'),
      bare: base64,
      'bare-with-lines': base64.replace(/(.{50})/g, '$1\n'),
    };
    for (const [providerId, p8Key] of Object.entries(forms))
      expect((await add(tenant, apnsProvider(providerId, p8Key))).status, providerId).toBe(200);
    const { pushProviders } = (await list(tenant)).body.data;
    expect(pushProviders).toHaveLength(6);
    expect(new Set(pushProviders.map((one: { p8KeyFingerprint: string }) => one.p8KeyFingerprint)).size).toBe(1);
  });

  it.each(wrongKeys())(
    'answers 400 with details.p8Key to %s, saying why and not repeating it',
    async (_, key, reason) => {
      const tenant = await gatehouse.newApp();
      const { status, body, text } = await add(tenant, apnsProvider('wrong', key));
      expect(status).toBe(400);
      expect(Object.keys(body.error.details)).toEqual(['p8Key']);
      expect(body.error.details.p8Key).toHaveLength(1);
      expect(body.error.details.p8Key[0]).toMatch(reason);
      expect(body.error.details.p8Key[0]).toMatch(/PKCS#8 EC P-256 private key\.$/);
      expect(text).not.toContain(bare(key).slice(0, 16));
      expect((await list(tenant)).body.data.pushProviders).toEqual([]);
    },
  );

  it.each([
    ['keyId', 'ABC123DEF'],
    ['keyId', 'ABC123DEFGH'],
    ['keyId', 'ABC-23DEFG'],
    ['keyId', 1234567890],
    ['teamId', 'TEAM 23456'],
    ['teamId', ''],
    ['teamId', 'TEAM123456\n'],
    ['bundleId', 'org..chat'],
    ['bundleId', 'a'.repeat(256)],
    ['providerId', ''],
    ['providerId', 'a/b'],
    ['providerId', 'a'.repeat(101)],
    ['p8KeyFilename', 'a\nb'],
    ['p8KeyFilename', 'a'.repeat(256)],
    ['p8KeyFilename', 7],
    ['includeContentAvailable', 'true'],
    ['includeMutableContent', 1],
    ['productionMode', null],
    ['p8Key', 42],
    ['p8Key', ''],
    ['p8Key', 'A'.repeat(4097)],
  ])('answers 400 and names the field when %s is %j', async (field, value) => {
    const { status, body } = await add(gatehouse, { ...apnsProvider('bad'), [field]: value });
    expect(status).toBe(400);
    expect(body.error.code).toBe('ERR_BAD_REQUEST');
    expect(Object.keys(body.error.details)).toEqual([field]);
    expect((await list(gatehouse)).body.data.pushProviders).toEqual([]);
  });

  it('names every required field at once', async () => {
    const { status, body } = await add(gatehouse, {});
    expect(status).toBe(400);
    expect(Object.keys(body.error.details).sort()).toEqual(['bundleId', 'keyId', 'p8Key', 'providerId', 'teamId']);
  });

  it('takes what a listing shows, and decides on it itself', async () => {
    const tenant = await gatehouse.newApp();
    const shown = { p8KeyFingerprint: 'mauve', isDefault: false, createdAt: 'mauve', updatedAt: 'mauve' };
    const { status, body } = await add(tenant, { ...apnsProvider('shown'), ...shown });
    expect(status).toBe(200);
    expect(Object.keys(body.data.pushProviders[0])).toEqual(shownFields);
    expect(body.data.pushProviders[0].isDefault).toBe(true);
    const rows = await gatehouse.app.store.all('SELECT * FROM providers WHERE app_id = $1', [tenant.appId]);
    expect(JSON.stringify(rows)).not.toContain('mauve');
  });

  it.each(['bundelId', 'color', 'constructor'])('answers 400 to the unknown field %s', async (field) => {
    const { status, body } = await add(gatehouse, { ...apnsProvider('extra'), [field]: 'mauve' });
    expect(status).toBe(400);
    expect(body.error.details).toEqual({ [field]: [expect.stringContaining('check its spelling')] });
    expect((await list(gatehouse)).body.data.pushProviders).toEqual([]);
  });

  it('answers 409 to an id that is taken and leaves the first provider untouched', async () => {
    const tenant = await gatehouse.newApp();
    const { body: first } = await add(tenant, apnsProvider('taken'));
    const sealed = await gatehouse.app.store.get('SELECT sealed FROM providers WHERE app_id = $1', [tenant.appId]);
    const { status, body } = await add(tenant, { ...apnsProvider('taken'), bundleId: 'org.example.other' });
    expect(status).toBe(409);
    expect(body.error.code).toBe('ERR_PROVIDER_ALREADY_EXISTS');
    expect((await list(tenant)).body).toEqual(first);
    expect(await gatehouse.app.store.get('SELECT sealed FROM providers WHERE app_id = $1', [tenant.appId])).toEqual(
      sealed,
    );
  });

  it('lets one of many callers win who add the same id at once', async () => {
    const tenant = await gatehouse.newApp();
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(tenant, apnsProvider('contested'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect((await list(tenant)).body.data.pushProviders).toHaveLength(1);
  });

  it('makes the first provider the default, lists them in the order they were made, and keeps apps apart', async () => {
    const [tenant, other] = [await gatehouse.newApp(), await gatehouse.newApp()];
    for (const providerId of ['zeta', 'alpha', 'mid']) await add(tenant, apnsProvider(providerId));
    const { body } = await add(other, apnsProvider('zeta'));
    const shown = (answer: Answer['body']): string[] =>
      answer.data.pushProviders.map(
        (one: { providerId: string; isDefault: boolean }) => `${one.providerId} ${one.isDefault}`,
      );
    const [first, ...rest] = shown((await list(tenant)).body);
    expect(first).toBe('zeta true');
    expect(rest.sort()).toEqual(['alpha false', 'mid false']);
    expect(shown(body)).toEqual(['zeta true']);
  });
});
