/** After everything was done once: no secret is in any answer but the one that made it, nor in a log, the audit or the store. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runSql } from '../cli/sql.ts';
import { type Answer, type Ask, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { makePlace, type Place } from '../store/place.ts';
import { apnsProvider, makeP8 } from './signing-keys.ts';

const push = '/v3/notifications/push/v1';

/** Every form that a leak could take: as it is, in base64, in hex, and as the bytes inside a base64 text. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const inside = /^[A-Za-z0-9+/]{60,}=*$/.test(secret) ? Buffer.from(secret, 'base64').subarray(36, 68) : undefined;
  return [
    // A third of it is too much already.
    bytes.subarray(0, Math.max(24, Math.floor(bytes.length / 3))),
    Buffer.from(bytes.subarray(0, 24).toString('base64')),
    Buffer.from(bytes.toString('hex').slice(0, 48)),
    ...(inside === undefined
      ? []
      : [inside, Buffer.from(inside.toString('hex')), Buffer.from(inside.toString('base64url').slice(2, -4))]),
  ];
}

async function everythingStored(place: Place, store: 'sqlite' | 'postgres'): Promise<Buffer> {
  const { dataDir } = place.config.settings;
  if (store === 'sqlite') {
    const files = readdirSync(dataDir).filter((name) => name.startsWith('gatehouse.db'));
    expect(files.length).toBeGreaterThan(0);
    return Buffer.concat(files.map((name) => readFileSync(join(dataDir, name))));
  }
  const [tables = []] = await runSql(place, ["SELECT tablename FROM pg_tables WHERE schemaname = 'public'"]);
  expect(tables.length).toBeGreaterThan(10);
  const rows = await runSql(
    place,
    tables.map(({ tablename }) => `SELECT t::text FROM "${tablename}" AS t`),
  );
  return Buffer.from(JSON.stringify(rows));
}

describe.each(stores)('secrets on %s', (store) => {
  let place: Place;
  let gatehouse: Gatehouse;
  afterEach(async () => {
    await gatehouse.close();
    await place.remove();
  });

  it('are nowhere but in the one answer that made them', async () => {
    place = await makePlace(store, { GATEHOUSE_LOG_LEVEL: 'trace', GATEHOUSE_BUSY_TIMEOUT_MS: '100' });
    gatehouse = await startGatehouse(store, place.environment);
    const [first, second, refused] = [makeP8(), makeP8(), makeP8('P-384')];
    const secrets = new Map([
      ['the key of a provider', first.base64],
      ['the key that replaced it', second.base64],
      ['a key that was refused', refused.base64],
      ['the full API key', gatehouse.fullAccess],
      ['the authOnly API key', gatehouse.authOnly],
      ['the key of the pair', gatehouse.key],
      ['the secret of the pair', gatehouse.secret],
    ]);
    const answers: string[] = [];
    const kept = (answer: Answer): Answer => {
      answers.push(answer.text + JSON.stringify([...answer.headers]));
      return answer;
    };
    const asApp = async (path: string, ask?: Ask): Promise<Answer> => kept(await gatehouse.asApp(path, ask));
    const asManager = async (path: string, ask?: Ask): Promise<Answer> => kept(await gatehouse.asManager(path, ask));

    // What makes secrets: only these answers may hold theirs.
    const key = await gatehouse.asManager('/apikeys', { body: { name: 'k', scope: 'fullAccess' } });
    const headers = { key: gatehouse.key, secret: gatehouse.secret };
    const pair = await gatehouse.ask('/keypairs', { headers, body: { name: 'p' } });
    secrets.set('a new API key', key.body.data.apiKey);
    secrets.set('the key of a new pair', pair.body.data.key);
    secrets.set('the secret of a new pair', pair.body.data.secret);

    const apns = `${push}/providers/apns`;
    await asApp(apns, { body: apnsProvider('main', first.pem) });
    await asApp(apns, { body: apnsProvider('main', first.pem) });
    await asApp(apns, { body: apnsProvider('bad', refused.pem) });
    await asApp(apns, {
      body: { ...apnsProvider('bad', second.pem), keyId: second.pem, bundleId: second.base64, [second.base64]: 1 },
    });
    await asApp(apns, { method: 'PUT', body: apnsProvider('main', second.pem.replaceAll('\n', '\\n')) });
    await asApp(apns, { method: 'PUT', body: apnsProvider('unknown', second.base64) });
    await asApp(`${apns}/default/main`, { method: 'PUT' });
    await asApp(apns);
    // In places where they do not belong.
    await asApp(apns, {
      method: 'POST',
      body: `{"p8Key":"${first.base64}",}`,
      headers: { 'content-type': 'application/json' },
    });
    await asApp(apns, { method: 'POST', body: first.pem, headers: { 'content-type': 'text/plain' } });
    await asApp(`/v3/moderation/rules?limit=${encodeURIComponent(first.base64)}`);
    await asApp(`/v3/moderation/rules/${gatehouse.secret}`);
    await asApp(`/v3/nowhere/${gatehouse.fullAccess}?apikey=${gatehouse.fullAccess}`);
    await asApp(`/v3/users/ada/auth_tokens`, { method: 'POST', body: { apikey: gatehouse.fullAccess } });
    await asManager('/apikeys');
    await asManager(`/apikeys/${key.body.data.id}`, { method: 'DELETE' });
    for (const path of ['/apps', '/keypairs']) kept(await gatehouse.ask(path, { headers }));
    kept(await gatehouse.ask(`/keypairs/${pair.body.data.id}`, { method: 'DELETE', headers }));
    kept(await gatehouse.ask('/v3/moderation/rules', { headers: { apikey: gatehouse.authOnly } }));
    for (const path of ['/metrics', '/version', '/openapi.json', '/readyz']) kept(await gatehouse.ask(path));

    const audit = await gatehouse.app.store.all('SELECT * FROM audit');
    expect(audit.length).toBeGreaterThan(8);
    const living = await everythingStored(place, store);
    const places = new Map([
      ['an answer', Buffer.from(answers.join('\n'))],
      ['the log', Buffer.from(gatehouse.logs())],
      ['the audit', Buffer.from(JSON.stringify(audit))],
      ['the store', living],
    ]);
    expect(gatehouse.logs().split('\n').length).toBeGreaterThan(20);
    for (const [where, bytes] of places)
      for (const [what, secret] of secrets)
        for (const form of formsOf(secret))
          expect(bytes.includes(form), `${what} is in ${where}: ${form.toString('latin1')}`).toBe(false);

    // The search finds what is there: the hash of a key and the sealed text are in the store.
    const [row] = await gatehouse.app.store.all<{ sealed: string }>('SELECT sealed FROM providers');
    expect(living.includes(Buffer.from(row?.sealed ?? 'nothing'))).toBe(true);
  });
});
