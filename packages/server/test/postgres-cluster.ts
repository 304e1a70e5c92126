/**
 * A PostgreSQL for the tests: TEST_DATABASE_URL if it is set, else a private cluster from the machine's own binaries,
 * else Debian's package is installed first. A store is never skipped: without PostgreSQL the run fails and says so.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface Cluster {
  /** Of a user who may make databases. */
  url: string;
  /** Ends it as a crash would and starts it again; not for one that is not ours. */
  restart?(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(
  options: readonly string[] = ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
): Promise<Cluster> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} };
  const bin = findBinaries() ?? installBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'));
  // PostgreSQL refuses to run as root.
  const as = process.getuid?.() === 0 ? unprivileged() : {};
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...as, stdio: 'pipe' },
  );
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'max_connections=200'].flatMap((setting) => ['-c', setting]);
  const start = () =>
    spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), '-k', folder, ...settings, ...options], {
      ...as,
      stdio: 'ignore',
    });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = start();
  await waitUntilReady(url);
  const end = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGQUIT');
    await ended;
  };
  process.once('exit', () => server.kill('SIGKILL'));
  return {
    url,
    restart: async () => {
      await end();
      server = start();
      await waitUntilReady(url);
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

function installBinaries(): string {
  execFileSync(join(import.meta.dirname, '../../../scripts/install-debian.sh'), ['postgresql'], { stdio: 'inherit' });
  const found = findBinaries();
  if (found === undefined) throw new Error('The tests need PostgreSQL: install it, or set TEST_DATABASE_URL.');
  return found;
}

function unprivileged(): { uid?: number; gid?: number } {
  const id = (flag: string, name: string): number =>
    Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: id('-u', name), gid: id('-g', name) };
    } catch {}
  }
  throw new Error('PostgreSQL does not run as root and there is no other user: set TEST_DATABASE_URL.');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** A database of its own, so that test files do not see each other. */
export async function createDatabase(clusterUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await query(clusterUrl, `CREATE DATABASE ${name}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => query(clusterUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
