import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stores } from '../gatehouse.ts';
import { makePlace, type Place, runCli } from '../store/place.ts';
import { type Service, startService } from './service.ts';
import { runSql } from './sql.ts';

// Every case starts processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const summaryKeys = ['mgmtUrl', 'baseUrl', 'appId', 'region', 'key', 'secret', 'apiKeys', 'authTokens', 'dashboardUrl'];

/** The commands that are printed for pasting, each with the lines that belong to it. */
function pastable(text: string): string[] {
  return text
    .split(/\n\s*#[^\n]*\n/)
    .slice(1)
    .map((part) => part.split(/\n\s*\n/)[0]?.trim() ?? '');
}

const shell = (command: string) => JSON.parse(execFileSync('bash', ['-c', command], { stdio: 'pipe' }).toString());

describe.each(stores)('gatehouse serve on %s', (store) => {
  let place: Place;
  let service: Service | undefined;
  beforeEach(async () => {
    place = await makePlace(store);
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await place.remove();
  });

  it('shows credentials and three curl lines that work when pasted, on its first start only', async () => {
    service = await startService(place.environment);
    const first = service.stdout();
    const [rules = '', tokens = '', provider = '', ...more] = pastable(first);
    expect(more).toEqual([]);
    const listed = shell(`${rules} -s`).data;
    expect(listed.filter((rule: { default?: boolean }) => rule.default)).toHaveLength(6);
    expect(listed.length).toBeGreaterThanOrEqual(8);
    expect(shell(`${tokens} -s`).data.pushTokens).toHaveLength(1);
    expect(shell(`${provider} -s`).data.pushProviders).toMatchObject([{ providerId: 'apns-demo', isDefault: true }]);
    expect(service.stderr()).not.toContain('"level":50');

    expect(await service.stop()).toBe(0);
    const secrets = [...first.matchAll(/\b[0-9a-f]{40}\b/g)].map(([secret]) => secret);
    expect(new Set(secrets).size).toBe(4);
    service = await startService(place.environment);
    const again = service.stdout();
    for (const secret of secrets) expect(again).not.toContain(secret);
    expect(again).toContain('gatehouse key --help');
    const kept = shell(`${rules.replace(/http:\/\/[^/]+/, service.url)} -s`).data;
    expect(kept).toHaveLength(listed.length);
    expect(await service.stop('SIGTERM')).toBe(0);
  });

  it('prints one line of JSON with exactly the promised keys for scripts, whose addresses work as they are', async () => {
    service = await startService(place.environment, '--json');
    const text = service.stdout();
    expect(text.split('\n')).toHaveLength(2);
    const summary = JSON.parse(text);
    // While nobody can sign in yet, the link that makes the first owner comes after the promised keys.
    expect(Object.keys(summary)).toEqual([...summaryKeys, 'signInUrl']);
    expect(Object.keys(summary.apiKeys)).toEqual(['fullAccess', 'authOnly']);
    for (const token of summary.authTokens) expect(Object.keys(token)).toEqual(['uid', 'authToken']);
    expect(summary.authTokens).toHaveLength(2);
    expect(summary.appId).toMatch(/^[0-9a-f]{16}$/);
    expect(summary.region).toBe('eu');
    const { key, secret, apiKeys } = summary;
    const rules = await fetch(`${summary.mgmtUrl}/apps/${summary.appId}/moderation/rules`, {
      headers: { key, secret },
    });
    expect(rules.status).toBe(200);
    const tokens = await fetch(`${summary.baseUrl}/v3/notifications/push/v1/tokens`, {
      headers: { apikey: apiKeys.fullAccess },
    });
    expect(((await tokens.json()) as { data: { pushTokens: unknown[] } }).data.pushTokens).toHaveLength(2);
    const authOnly = await fetch(`${summary.baseUrl}/v3/moderation/rules`, { headers: { apikey: apiKeys.authOnly } });
    expect(authOnly.status).toBe(403);
    expect(summary.dashboardUrl).toBe(`${summary.mgmtUrl}/dashboard`);
    expect(await service.stop()).toBe(0);
    service = await startService(place.environment, '--json');
    const again = JSON.parse(service.stdout());
    expect(Object.keys(again)).toEqual(['mgmtUrl', 'baseUrl', 'region', 'dashboardUrl', 'signInUrl']);
  });

  it('with --no-demo makes an account and its pair, and nothing else', async () => {
    service = await startService(place.environment, '--no-demo');
    const command = /curl -X POST[\s\S]*?'\{"name":"My app"\}'/.exec(service.stdout())?.[0] ?? '';
    expect(shell(`${command} -s`).data.name).toBe('My app');
    expect(service.stdout()).not.toContain('apikey ');
    expect(await service.stop()).toBe(0);
    const { stdout } = await runCli(place.environment, 'app', 'list', '--json');
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(['My app']);
  });

  it('makes one demo when two processes start on an empty store at the same time', async () => {
    const services = await Promise.all([
      startService(place.environment, '--json'),
      startService(place.environment, '--json'),
    ]);
    const shown = services.map((one) => JSON.parse(one.stdout()).key).filter((key) => key !== undefined);
    expect(shown).toHaveLength(1);
    for (const one of services) expect(await one.stop()).toBe(0);
    const { stdout } = await runCli(place.environment, 'app', 'list', '--json');
    expect(JSON.parse(stdout)).toHaveLength(1);
  });
});

describe('gatehouse serve', () => {
  let place: Place;
  let service: Service | undefined;
  beforeEach(async () => {
    place = await makePlace('sqlite');
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await place.remove();
  });

  it('says what to do when the port is taken, and keeps the credentials for the start that works', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = String(typeof address === 'object' && address !== null ? address.port : 0);
    const { code, stdout, stderr } = await runCli(place.environment, 'serve', '--port', port);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`gatehouse: Port ${port} is taken. Stop what uses it, or choose another: --port 8081\n`);
    holder.close();
    service = await startService(place.environment, '--port', port);
    expect(service.stdout()).toContain('These credentials are shown once');
  });

  it('leaves one plain file of the store, a key file, and a folder that only its owner can read', async () => {
    service = await startService(place.environment);
    expect(await service.stop()).toBe(0);
    const { dataDir } = place.config.settings;
    const files = readdirSync(dataDir).filter(
      (name) => statSync(join(dataDir, name)).size > 0 && !name.endsWith('-shm'),
    );
    expect(files.sort()).toEqual(['gatehouse.db', 'master.key']);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
  });

  it('puts its data where --data says', async () => {
    const elsewhere = join(place.folder, 'elsewhere');
    service = await startService(place.environment, '--data', elsewhere, '--json');
    expect(existsSync(join(elsewhere, 'gatehouse.db'))).toBe(true);
    expect(existsSync(place.config.settings.dataDir)).toBe(false);
  });

  it('with a domain shows curl lines for its hosts, and they work', async () => {
    service = await startService({ ...place.environment, GATEHOUSE_DOMAIN: 'chat.example.org' });
    const [rules = '', tokens = '', provider = ''] = pastable(service.stdout());
    expect(shell(`${rules} -s`).data.length).toBeGreaterThanOrEqual(8);
    expect(shell(`${tokens} -s`).data.pushTokens).toHaveLength(1);
    expect(shell(`${provider} -s`).data.pushProviders).toHaveLength(1);
  });

  it("answers at the app's own *.localhost name with curl as it is", async () => {
    service = await startService(place.environment);
    const host = /own host name works too: (\S+)/.exec(service.stdout())?.[1];
    const apikey = /apikey +([0-9a-f]{40}) +\(fullAccess\)/.exec(service.stdout())?.[1];
    expect(shell(`curl -s ${host}/v3/moderation/rules -H 'apikey: ${apikey}'`).data.length).toBeGreaterThanOrEqual(8);
  });

  it.each([
    [{ GATEHOUSE_PORT: 'eighty' }, 'GATEHOUSE_PORT: must be a whole number from 0 to 65535, not "eighty".'],
    [{ GATEHOUSE_REGION: 'EU west' }, 'GATEHOUSE_REGION: must be lower-case letters, digits and -, not "EU west".'],
    [{ DATABASE_URL: 'mysql://u:hunter2@h/d' }, 'DATABASE_URL: must start with postgres://.'],
    [{ DATABASE_URL: 'postgres://u:hunter2@h:port/d' }, 'DATABASE_URL: is not a valid address.'],
    [{ DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' }, 'nothing listens at the address in DATABASE_URL.'],
    [{ GATEHOUSE_MASTER_KEY: 'hunter2' }, 'A master key is 32 bytes as base64 or hex'],
  ])('says in one line what is wrong with %j, without the password', async (wrong, sentence) => {
    const { code, stdout, stderr } = await runCli({ ...place.environment, ...wrong }, 'serve');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`gatehouse: ${sentence}`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('gatehouse serve on a PostgreSQL that cannot be used', () => {
  it('says in one line that the database is read-only, and that it has no connection left', async () => {
    const place = await makePlace('postgres');
    const url = new URL(place.environment.DATABASE_URL ?? '');
    const database = url.pathname.slice(1);
    await runSql(place, [
      `ALTER DATABASE ${database} SET default_transaction_read_only = on`,
      'SET default_transaction_read_only = off',
      `CREATE ROLE ${database} LOGIN CONNECTION LIMIT 0`,
    ]);
    url.username = database;
    const readOnly = await runCli(place.environment, 'serve');
    const full = await runCli({ ...place.environment, DATABASE_URL: url.href }, 'serve');
    expect([readOnly.code, readOnly.stderr]).toEqual([1, expect.stringMatching(/^gatehouse: .* is read-only.*\n$/)]);
    expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/^gatehouse: .* no connection left.*\n$/)]);
    await runSql(place, ['SET default_transaction_read_only = off', `DROP ROLE ${database}`]);
    await place.remove();
  });
});
