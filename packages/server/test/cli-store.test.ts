import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newestVersion } from '../src/store/migrate.ts';
import { gatehouse, inTerminal } from './cli-run.ts';
import { startGatehouse } from './gatehouse.ts';
import { createDatabase } from './postgres-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('gatehouse migrate', () => {
  it('says with exit code 1 that a store is not up to date, and brings it there', async () => {
    const data = join(folder, 'migrated');
    const before = await gatehouse(['migrate', '--check', '--json', '--data', data]);
    expect(before.code).toBe(1);
    expect(JSON.parse(before.stdout)).toEqual({ before: 0, after: 0, newest: newestVersion, upToDate: false });
    expect(existsSync(join(data, 'gatehouse.db'))).toBe(false);
    expect((await gatehouse(['migrate', '--data', data])).code).toBe(0);
    const after = await gatehouse(['migrate', '--check', '--json', '--data', data]);
    expect(after.code).toBe(0);
    expect(JSON.parse(after.stdout)).toMatchObject({ before: newestVersion, upToDate: true });
  });
});

describe('gatehouse backup and restore on the embedded store', () => {
  const data = join(folder, 'data');
  const file = join(folder, 'backup.db');

  it('copies a store while the service writes to it, and the copy is of one moment', async () => {
    const service = await startGatehouse('sqlite', { GATEHOUSE_DATA: data });
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) {
        const { status } = await service.asApp(`/v3/users/u${written}/auth_tokens`, { method: 'POST' });
        expect(status).toBe(200);
        written++;
      }
    })();
    const ran = await gatehouse(['backup', '--json', '--data', data, file]);
    writing = false;
    await writer;
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ file, schema: newestVersion, bytes: statSync(file).size });
    expect(ran.stderr).toContain('master.key');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)))).toEqual([basename(file)]);
    expect(written).toBeGreaterThan(0);
    const refused = await gatehouse(['restore', '--force', '--data', data, file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Stop it first');
    await service.close();
  });

  it('does not write over a file unless told to', async () => {
    const ran = await gatehouse(['backup', '--data', data, file]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('--force');
    expect((await gatehouse(['backup', '--force', '--data', data, file])).code).toBe(0);
  });

  it('restores into an empty folder, and the service runs on it', async () => {
    const fresh = join(folder, 'fresh');
    const ran = await gatehouse(['restore', '--json', '--data', fresh, file]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ schema: newestVersion });
    const apps = await gatehouse(['app', 'list', '--json', '--data', fresh]);
    expect(JSON.parse(apps.stdout).map((app: { name: string }) => app.name)).toContain('Test');
  });

  it('keeps the store that it replaces', async () => {
    const replaced = join(folder, 'replaced');
    await gatehouse(['migrate', '--data', replaced]);
    expect((await gatehouse(['restore', '--data', replaced, file])).stderr).toContain('--force');
    const ran = await gatehouse(['restore', '--force', '--json', '--data', replaced, file]);
    expect(ran.code).toBe(0);
    expect(existsSync(JSON.parse(ran.stdout).kept)).toBe(true);
  });

  it('takes nothing that is not a whole backup', async () => {
    const wrong = join(folder, 'wrong.db');
    writeFileSync(wrong, 'not a database at all, but long enough to look at'.repeat(100));
    expect((await gatehouse(['restore', '--data', join(folder, 'w1'), wrong])).stderr).toContain('is not a backup');
    copyFileSync(file, wrong);
    const bytes = readFileSync(file);
    writeFileSync(wrong, bytes.subarray(0, bytes.length - 8192));
    const cut = await gatehouse(['restore', '--data', join(folder, 'w2'), wrong]);
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/damaged|not a backup/);
    expect(existsSync(join(folder, 'w2', 'gatehouse.db'))).toBe(false);
  });

  it('says what to do when there is nothing to back up', async () => {
    const ran = await gatehouse(['backup', '--data', join(folder, 'nowhere'), join(folder, 'x.db')]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('no store here yet');
  });

  it('draws no bar and no escape codes where nobody watches, and leaves a clean line in a terminal', async () => {
    const plain = await gatehouse(['backup', '--force', '--data', data, file]);
    expect(plain.stdout + plain.stderr).not.toContain('\u001b');
    const seen = await inTerminal(['backup', '--force', '--data', data, file]);
    expect(seen.code).toBe(0);
    expect(seen.stdout).toContain('backup.db');
  });
});

describe('gatehouse backup and restore on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let other: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    database = await createDatabase(inject('clusterUrl'));
    other = await createDatabase(inject('clusterUrl'));
  });
  afterAll(async () => {
    await database.drop();
    await other.drop();
  });

  it('dumps a database and restores it into another', async () => {
    const data = join(folder, 'pg');
    const from = { env: { DATABASE_URL: database.url } };
    const into = { env: { DATABASE_URL: other.url } };
    const dump = join(folder, 'backup.dump');
    expect((await gatehouse(['migrate', '--data', data], from)).code).toBe(0);
    const ran = await gatehouse(['backup', '--json', '--data', data, dump], from);
    expect(ran.stderr).not.toContain('failed');
    expect(JSON.parse(ran.stdout)).toMatchObject({ schema: newestVersion });
    const restored = await gatehouse(['restore', '--json', '--data', data, dump], into);
    expect(JSON.parse(restored.stdout)).toMatchObject({ schema: newestVersion });
    expect((await gatehouse(['restore', '--data', data, dump], into)).stderr).toContain('--force');
    expect((await gatehouse(['restore', '--force', '--data', data, dump], into)).code).toBe(0);
  });

  it('says what to install where pg_dump is missing', async () => {
    const env = { DATABASE_URL: database.url, PATH: '/nonexistent' };
    const ran = await gatehouse(['backup', '--data', folder, join(folder, 'y.dump')], { env });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('apt-get install postgresql-client');
    expect(ran.stderr).not.toContain(new URL(database.url).password || 'no-password-set');
  });
});
