import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { variables } from '../../src/config.ts';
import { startGatehouse } from '../gatehouse.ts';

/** What can be known of the files in deploy/ without a cluster. */
const deploy = join(import.meta.dirname, '../../../../deploy');
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

describe('deploy/', () => {
  it('names settings that there are', () => {
    const files = readdirSync(deploy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.flatMap(({ parentPath, name }) => [
      ...new Set(readFileSync(join(parentPath, name), 'utf8').match(/\bGATEHOUSE_[A-Z_]+[A-Z]\b/g)),
    ]);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
  });

  it('has a board of metrics that the service gives', async () => {
    const board: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
      read('grafana/gatehouse.json'),
    );
    const gatehouse = await startGatehouse('sqlite');
    try {
      await gatehouse.asApp('/v3/moderation/rules');
      const { text } = await gatehouse.ask('/metrics');
      const given = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
      const asked = board.panels.flatMap(({ targets }) =>
        targets.flatMap(({ expr }) => expr.match(/\b(?:gatehouse|process|nodejs)_\w+/g) ?? []),
      );
      expect(asked.length).toBeGreaterThan(15);
      expect(
        asked.filter((name) => !given.has(name.replace(/_(?:bucket|count|sum)$/, '')) && !given.has(name)),
      ).toEqual([]);
    } finally {
      await gatehouse.close();
    }
  });

  it.runIf(has('systemd-analyze'))('has a unit that systemd takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
    // The program need not be where the unit expects it on this machine.
    const unit = read('gatehouse.service').replace('/usr/bin/node', process.execPath);
    writeFileSync(join(folder, 'gatehouse.service'), unit);
    const said = execFileSync('systemd-analyze', ['verify', '--man=no', join(folder, 'gatehouse.service')], {
      stdio: 'pipe',
    });
    rmSync(folder, { recursive: true });
    expect(said.toString()).toBe('');
  });

  it.runIf(has('nginx'))('has a proxy that goes on with one server when the other is gone', async () => {
    const [one, two] = [await startGatehouse('sqlite'), await startGatehouse('sqlite')];
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-proxy-'));
    const port = await freePort();
    const config = read('nginx.conf')
      .replace('server-1:8080', new URL(one.url).host)
      .replace('server-2:8080', new URL(two.url).host)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replaceAll('/tmp/', `${folder}/`);
    writeFileSync(join(folder, 'nginx.conf'), config);
    const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'ignore' });
    try {
      const ask = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 0,
        );
      while ((await ask()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push(await ask());
      await one.close();
      for (let i = 0; i < 4; i++) statuses.push(await ask());
      expect(statuses).toEqual(Array(8).fill(200));
    } finally {
      nginx.kill();
      await new Promise((resolve) => nginx.once('close', resolve));
      await two.close();
      rmSync(folder, { recursive: true });
    }
  });
});

function has(tool: string): boolean {
  try {
    execFileSync('which', [tool], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
