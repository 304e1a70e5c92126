import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundledLoader, isInstalled, notInstalled } from '../../src/moderation/classifier-bundled.ts';
import { noFfmpeg } from '../../src/moderation/media-frames.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { makePlace, type Place, type Ran, runCli } from '../store/place.ts';
import { runSql } from './sql.ts';

const shiftedClock = pathToFileURL(join(import.meta.dirname, '../push/shifted-clock.mjs')).href;

// Every case starts processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

describe.each(stores)('gatehouse commands on %s', (store) => {
  let place: Place;
  let gatehouse: Gatehouse;
  const run = (...args: string[]): Promise<Ran> => runCli(place.environment, ...args);
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  beforeAll(async () => {
    place = await makePlace(store);
    gatehouse = await startGatehouse(store, place.environment);
  });
  afterAll(async () => {
    await gatehouse.close();
    await place.remove();
  });

  it('make, list and delete apps beside the running service', async () => {
    const app = await json('app', 'create', 'From the shell');
    expect(app).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'From the shell' });
    expect(await json('app', 'list')).toContainEqual(app);
    const table = (await run('app', 'list')).stdout;
    expect(table.split('\n')[0]).toMatch(/^id +name +createdAt$/);
    expect(table).toContain('From the shell');
    const headers = { key: gatehouse.key, secret: gatehouse.secret };
    expect((await gatehouse.ask(`/apps/${app.id}`, { headers })).status).toBe(200);
    await json('app', 'delete', app.id);
    expect((await run('app', 'delete', app.id)).stderr).toBe(
      'gatehouse: There is no such app for these credentials.\n',
    );
  });

  it('make, list and revoke API keys; the key is shown once and works at once', async () => {
    const key = await json('key', 'create', gatehouse.appId, 'shell', '--scope', 'fullAccess');
    const works = async (): Promise<number> =>
      (await gatehouse.ask('/v3/moderation/rules', { headers: { apikey: key.apiKey } })).status;
    expect(await works()).toBe(200);
    const listed = await run('key', 'list', gatehouse.appId);
    expect(listed.stdout).toContain(key.id);
    expect(listed.stdout).not.toContain(key.apiKey);
    expect(await json('key', 'revoke', gatehouse.appId, key.id)).toEqual({ id: key.id, name: 'shell', revoked: true });
    expect((await run('key', 'create', gatehouse.appId, 'x', '--scope', 'admin')).code).toBe(1);
    expect((await run('key', 'create', '0000000000000000', 'x')).code).toBe(1);
  });

  it('make, list and revoke pairs, for all apps or for some', async () => {
    const pair = await json('pair', 'create', 'shell', '--app', gatehouse.appId);
    expect(pair.apps).toEqual([gatehouse.appId]);
    const headers = { key: pair.key, secret: pair.secret };
    expect((await gatehouse.ask('/apps', { headers })).body.data).toHaveLength(1);
    const listed = await run('pair', 'list');
    expect(listed.stdout).toContain(pair.id);
    expect(listed.stdout).not.toContain(pair.secret);
    expect(await json('pair', 'revoke', pair.id)).toMatchObject({ revoked: true });
  });

  it('make, list and revoke auth tokens, within the bounds of a uid', async () => {
    const token = await json('auth-token', 'create', gatehouse.appId, 'ada');
    expect(token.authToken).toMatch(/^ada_/);
    expect(await json('auth-token', 'list', gatehouse.appId, 'ada')).toEqual([token]);
    expect(await json('auth-token', 'revoke', gatehouse.appId, 'ada', token.authToken)).toEqual({
      uid: 'ada',
      revoked: true,
    });
    expect((await run('auth-token', 'create', gatehouse.appId, 'a b')).stderr).toMatch(
      /^gatehouse: The uid does not have the right form/,
    );
    expect((await run('auth-token', 'create', '0000000000000000', 'ada')).stderr).toMatch(
      /There is no app 0000000000000000/,
    );
  });

  it('doctor finds nothing wrong with a good set-up', async () => {
    const { code, stdout } = await run('doctor');
    expect(code).toBe(0);
    expect(stdout).not.toContain('WRONG');
    expect(stdout).toContain(`ok     store: ${store}`);
  });

  it("doctor says that the clock is not the database's", async () => {
    const clock = join(place.folder, 'clock');
    writeFileSync(clock, '-60000');
    const shifted = { NODE_OPTIONS: `--import=${shiftedClock}`, SHIFTED_CLOCK: clock };
    const { code, stdout } = await runCli({ ...place.environment, ...shifted }, 'doctor');
    if (store === 'postgres') {
      expect(code).toBe(1);
      expect(stdout).toMatch(/WRONG {2}clock: \d+ s behind the database's\. Set it right/);
    } else expect([code, stdout]).toEqual([0, expect.stringContaining('ok     clock: our own')]);
  });

  it('doctor says that a master key can be read by others, and how to mend it', async () => {
    const { masterKeyFile } = place.config.settings;
    chmodSync(masterKeyFile, 0o644);
    const { code, stdout } = await run('doctor');
    chmodSync(masterKeyFile, 0o600);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `WRONG  master key: ${masterKeyFile} can be read by others (mode 644). Mend it: chmod 600`,
    );
  });
});

describe.each(stores)('where nothing is yet on %s', (store) => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace(store);
  });
  afterAll(() => place.remove());
  const isMade = async (): Promise<boolean> => {
    if (place.config.secrets.databaseUrl === undefined) return existsSync(place.config.settings.dataDir);
    return (await runSql(place, ["SELECT to_regclass('migrations') AS found"]))[0]?.[0]?.found !== null;
  };

  it('doctor makes nothing', async () => {
    const { code, stdout } = await runCli(place.environment, 'doctor');
    expect([code, stdout]).toEqual([0, expect.stringContaining('store: will be made on first start')]);
    expect(await isMade()).toBe(false);
  });

  it.each([['queue'], ['app list'], ['queue resume push a:apns:b'], ['tokens import a b.csv']])(
    'gatehouse %s makes nothing and says so with exit code 1',
    async (command) => {
      const { code, stdout, stderr } = await runCli(place.environment, ...command.split(' '));
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^gatehouse: There is no store in .*gatehouse serve\n$/);
      expect(await isMade()).toBe(false);
    },
  );
});

describe('gatehouse doctor', () => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace('sqlite');
  });
  afterAll(() => place.remove());

  it.each([
    ['mysql://ada:hunter2@host/db', /must start with postgres:\/\//],
    ['postgres://ada:hunter2@127.0.0.1:1/db', /nothing listens at the address in DATABASE_URL/],
    ['postgres://ada:hunter2@no-such-host.invalid/db', /host name in DATABASE_URL is not known/],
    ['postgres://ada:hunter2@127.0.0.1:port/db', /is not a valid address/],
  ])('says what is wrong with a DATABASE_URL and does not repeat its password: %s', async (url, sentence) => {
    const { code, stdout, stderr } = await runCli({ ...place.environment, DATABASE_URL: url }, 'doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(sentence);
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it('says that pictures and videos cannot be looked at, and how to mend it', async () => {
    const environment = { ...place.environment, GATEHOUSE_CLASSIFIER: 'bundled', GATEHOUSE_FFMPEG: '/nowhere/ffmpeg' };
    const { code, stdout } = await runCli(environment, 'doctor');
    const isThere = isInstalled(bundledLoader);
    expect(stdout).toContain(isThere ? 'ok     classifier: bundled' : `WRONG  classifier: ${notInstalled}`);
    expect(stdout).toContain(`videos: ${noFfmpeg}`);
    expect(code).toBe(isThere ? 0 : 1);
  });

  it('says that a file is not a store', async () => {
    const elsewhere = await makePlace('sqlite');
    const { dataDir } = elsewhere.config.settings;
    await (await elsewhere.open()).close();
    writeFileSync(
      join(dataDir, 'gatehouse.db'),
      'this is not a database, but it is long enough to look like one '.repeat(100),
    );
    const { code, stdout } = await runCli(elsewhere.environment, 'doctor', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual({ check: 'store', ok: false, detail: 'file is not a database' });
    await elsewhere.remove();
  });
});
