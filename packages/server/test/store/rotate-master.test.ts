import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openKeyring } from '../../src/open-store.ts';
import { startService } from '../cli/service.ts';
import { apnsProvider, makeP8 } from '../contract/signing-keys.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { makePlace, type Place, runCli } from './place.ts';

// Every case starts processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const path = '/v3/notifications/push/v1/providers/apns';

describe.each(stores)('gatehouse keys rotate-master on %s', (dialect) => {
  let place: Place;
  let gatehouse: Gatehouse;
  beforeEach(async () => {
    place = await makePlace(dialect);
    gatehouse = await startGatehouse(dialect, place.environment);
  });
  afterEach(async () => {
    await gatehouse.close();
    await place.remove();
  });

  /** What a service that starts now can open of the store. */
  async function openable(): Promise<Record<string, string>> {
    const keyring = openKeyring(place.config);
    const rows = await gatehouse.app.store.all<{ app_id: string; provider_id: string; sealed: string }>(
      'SELECT app_id, provider_id, sealed FROM providers',
    );
    return Object.fromEntries(
      rows.map(({ app_id, provider_id, sealed }) => [
        provider_id,
        keyring.open(sealed, `provider:${app_id}:apns:${provider_id}`),
      ]),
    );
  }

  it('seals every secret anew while the service runs and takes more, and loses none, twice over', async () => {
    const keys = new Map<string, string>();
    const add = async (providerId: string): Promise<void> => {
      const { pem } = makeP8();
      keys.set(providerId, pem);
      expect((await gatehouse.asApp(path, { body: apnsProvider(providerId, pem) })).status).toBe(200);
    };
    for (let i = 0; i < 5; i++) await add(`before-${i}`);
    const made = await gatehouse.asManager('/webhooks', {
      body: { id: 'listener', url: 'https://example.org/events' },
    });
    expect(made.status).toBe(200);
    for (const round of ['first', 'second']) {
      let rotating = true;
      const rotation = runCli(place.environment, 'keys', 'rotate-master', '--json').finally(() => {
        rotating = false;
      });
      for (let i = 0; rotating; i++) await add(`${round}-${i}`);
      const { code, stdout, stderr } = await rotation;
      expect([code, stderr]).toEqual([0, '']);
      const { masterKeyId, resealed } = JSON.parse(stdout);
      expect(resealed).toBeGreaterThanOrEqual(5);
      await add(`after-${round}`);
      const { sealed } = (await gatehouse.app.store.get('SELECT sealed FROM providers WHERE provider_id = $1', [
        `after-${round}`,
      ])) ?? { sealed: '' };
      expect(sealed).toMatch(new RegExp(`^v1\\.${masterKeyId}\\.`));
      expect(await openable()).toEqual(Object.fromEntries(keys));
    }
    const webhook = await gatehouse.app.store.get<{ app_id: string; sealed: string }>(
      "SELECT app_id, sealed FROM webhook_endpoints WHERE id = 'listener'",
    );
    expect(openKeyring(place.config).open(webhook?.sealed ?? '', `webhook:${webhook?.app_id}:listener`)).toBe(
      made.body.data.secret,
    );
    const { code, stdout } = await runCli(place.environment, 'doctor');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${keys.size + 1} open with the master key`)]);
  });

  it('leaves an audit row that names the new key by its id and holds no key', async () => {
    await gatehouse.asApp(path, { body: apnsProvider('one') });
    const { stdout } = await runCli(place.environment, 'keys', 'rotate-master', '--json');
    const rows = await gatehouse.app.store.all("SELECT * FROM audit WHERE action = 'rotateMasterKey'");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ actor: 'cli', target: JSON.parse(stdout).masterKeyId });
    const file = readFileSync(place.config.settings.masterKeyFile, 'utf8');
    for (const key of file.match(/^[^#\n].*$/gm) ?? []) expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('with keys of the environment seals with the new one and needs the old one only until then', async () => {
    const [old, fresh] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
    await gatehouse.close();
    gatehouse = await startGatehouse(dialect, { ...place.environment, GATEHOUSE_MASTER_KEY: old });
    await gatehouse.asApp(path, { body: apnsProvider('one') });
    const both = { ...place.environment, GATEHOUSE_MASTER_KEY: fresh, GATEHOUSE_MASTER_KEY_PREVIOUS: old };
    expect((await runCli(both, 'keys', 'rotate-master')).code).toBe(0);
    const doctor = await runCli({ ...place.environment, GATEHOUSE_MASTER_KEY: fresh }, 'doctor');
    expect(doctor.stdout).toContain('1 open with the master key');
    const wrong = await runCli({ ...place.environment, GATEHOUSE_MASTER_KEY: old }, 'doctor');
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/WRONG {2}sealed secrets: provider one of app \w+: The master key \w+ .* is not here/);
    for (const { stdout, stderr } of [doctor, wrong]) {
      expect(stdout + stderr).not.toContain(old);
      expect(stdout + stderr).not.toContain(fresh);
    }
  });

  it('refuses to start with another master key, which would take work that it cannot do, unless the key is lost', async () => {
    await gatehouse.asApp(path, { body: apnsProvider('one') });
    const other = { ...place.environment, GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') };
    const refused = await runCli(other, 'serve', '--port', '0');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /^gatehouse: provider one of app \w+: the master key that sealed this secret is not here\. .*--key-lost.*\n$/,
    );
    const service = await startService(other, '--key-lost');
    const headers = { apikey: gatehouse.fullAccess, 'content-type': 'application/json' };
    const body = JSON.stringify(apnsProvider('one'));
    expect((await fetch(service.url + path, { method: 'PUT', headers, body })).status).toBe(200);
    await service.stop();
    const again = await startService(other);
    await again.stop();
  });
});
