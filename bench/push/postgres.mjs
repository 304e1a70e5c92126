// A PostgreSQL of our own, as durable as one in production, for as long as the benchmark runs.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, sleep } from './service.mjs';

export async function startPostgres() {
  execFileSync(join(import.meta.dirname, '../../scripts/install-debian.sh'), ['postgresql'], { stdio: 'inherit' });
  const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
  const bin = join('/usr/lib/postgresql', String(versions[0]), 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-postgres-'));
  // PostgreSQL refuses to run as root.
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres']).toString());
  const as = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const run = (program, args) => execFileSync(join(bin, program), args, { ...as, stdio: 'pipe' });
  run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'shared_buffers=256MB', 'max_wal_size=4GB', 'max_connections=100'];
  const args = ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(bin, 'postgres'), args, { ...as, stdio: 'ignore' });
  for (let tries = 0; ; tries++) {
    try {
      run('pg_isready', ['-h', '127.0.0.1', '-p', String(port)]);
      break;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
