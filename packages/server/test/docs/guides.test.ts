import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { program } from '../cli-run.ts';
import { createDatabase } from '../postgres-cluster.ts';

/** Every `sh` block of a guide is run, from top to bottom in one shell, as a reader would type it. `console` blocks are for other machines. */
const guides = join(import.meta.dirname, '../../../../docs/guide');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bin = join(folder, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'gatehouse'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
chmodSync(join(bin, 'gatehouse'), 0o755);

const pages = readdirSync(guides)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, blocks: blocksOf(readFileSync(join(guides, name), 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);

describe('the guides', () => {
  it('are there', () => {
    const names = pages.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'backup.md',
        'migrating.md',
        'postgres.md',
        'production.md',
        'quick-start.md',
        'upgrade.md',
      ]),
    );
  });

  it('has every command in a block that is run, or that says that it is for another machine', () => {
    const files = readdirSync(guides).filter((name) => name.endsWith('.md'));
    const loose = files.flatMap((name) =>
      [...readFileSync(join(guides, name), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
        .filter(([, kind]) => kind !== 'sh' && kind !== 'console')
        .flatMap(([, , block = '']) => block.match(/^(?:\w+=\S+ )*(?:gatehouse|npm|curl|docker|helm) .*$/gm) ?? [])
        .map((line) => `${name}: ${line}`),
    );
    expect(loose).toEqual([]);
  });

  it.each(pages)('$name: every command works', async ({ name, blocks }) => {
    const home = join(folder, name.replace('.md', ''));
    mkdirSync(home);
    const database = name === 'postgres.md' ? await createDatabase(inject('clusterUrl')) : undefined;
    const { code, output } = await run(blocks, home, await freePort(), database && { DATABASE_URL: database.url });
    await database?.drop();
    expect(code, output).toBe(0);
  });
});

function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
}

async function run(
  blocks: readonly string[],
  cwd: string,
  port: number,
  more: Record<string, string> | undefined,
): Promise<{ code: number; output: string }> {
  const steps = blocks.map(
    (block) => `set -x\n${block.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)}{ set +x; } 2>/dev/null\n`,
  );
  const script = `set -euo pipefail\ntrap 'code=$?; set +x; jobs -p | xargs -r kill 2>/dev/null || true; wait; exit $code' EXIT\n${steps.join('')}`;
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: cwd,
    GATEHOUSE_PORT: String(port),
    GATEHOUSE_LOG_LEVEL: 'warn',
    ...more,
  };
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output = (output + part.toString()).slice(-4000);
    });
  const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? -1)));
  return { code, output };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
