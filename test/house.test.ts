/** The house keeps its own rules: who imports whom, how long a file is, and that the tables of the documentation are the code's. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { variables } from '../packages/server/src/config.ts';
import { catalogue } from '../packages/server/src/errors.ts';

const root = resolve(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .trim()
  .split('\n');
const sources = tracked.filter(
  (file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !file.includes('/generated/'),
);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What every room of the server may speak of. */
const vocabulary = [
  'caller',
  'errors',
  'events',
  'fields',
  'ordered-uuid',
  'paging',
  'rounds',
  'escaped',
  'soon',
  'tracing',
  'version',
];
/** Room -> the rooms it may import. A room's routes may also import http. */
const arrows: Record<string, readonly string[]> = {
  store: [],
  http: ['store'],
  outbox: ['store'],
  apps: ['store'],
  webhooks: ['apps', 'outbox', 'store', '@gatehouse/courier'],
  moderation: ['apps', 'webhooks', 'outbox', 'store', '@gatehouse/judge', '@gatehouse/courier'],
  push: ['apps', 'webhooks', 'outbox', 'store', '@gatehouse/courier'],
};

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target]) => target ?? '');
}

/** The room of the server that a file or an import belongs to; a file beside the rooms is its own. */
function roomOf(file: string, target: string): string | undefined {
  if (target.startsWith('@gatehouse/')) return target.split('/').slice(0, 2).join('/');
  if (!target.startsWith('.')) return undefined;
  const path = relative('packages/server/src', relative(root, resolve(root, file, '..', target)));
  return (path.split('/')[0] ?? '').replace(/\.ts$/, '');
}

describe('the house', () => {
  it('lets judge and courier depend on nothing of ours', () => {
    const wrong = sources
      .filter((file) => /^packages\/(judge|courier)\//.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith('@gatehouse/'))
          .map((target) => `${file} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('keeps the arrows between the rooms of the server', () => {
    const wrong: string[] = [];
    for (const file of sources.filter((name) => name.startsWith('packages/server/src/'))) {
      const [room = ''] = file.slice('packages/server/src/'.length).split('/');
      const allowed = arrows[room];
      if (allowed === undefined) continue;
      const isRoutes = /\/routes[^/]*\.ts$/.test(file);
      for (const target of importsOf(file)) {
        const to = roomOf(file, target);
        if (
          to === undefined ||
          to === room ||
          vocabulary.includes(to) ||
          allowed.includes(to) ||
          (isRoutes && to === 'http')
        )
          continue;
        wrong.push(`${file} -> ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = sources.filter(
      (file) => file.startsWith('packages/') && read(file).includes('process.env') && !file.includes('/cli/'),
    );
    expect(readers).toEqual(['packages/server/src/config.ts']);
  });

  it('has no file too long to be one thing, but for one state machine', () => {
    const stateMachine = 'packages/courier/src/h2/lean-connection.ts';
    const long = sources.filter((file) => file !== stateMachine && read(file).split('\n').length > 400);
    expect(long).toEqual([]);
  });

  it('documents every error, and no other', () => {
    const rows = [...read('docs/reference/errors.md').matchAll(/^\| `(\w+)` \| (\d+) \| (.*) \|$/gm)].map(
      ([, code, status, message]) => [code, { status: Number(status), message }],
    );
    expect(Object.fromEntries(rows)).toEqual(catalogue);
  });

  it('documents every setting, and no other', () => {
    const rows = [...read('docs/reference/settings.md').matchAll(/^\| `(\w+)` \| (?:`(.*)`|none) \| (.*) \|$/gm)].map(
      ([, name, standard, meaning]) => [name, { standard: standard ?? '', meaning }],
    );
    expect(Object.fromEntries(rows)).toEqual(variables);
  });

  it('proves each line of the threat model by tests that are there', () => {
    const [, table = ''] = read('docs/guide/security.md').split('| Proved by |');
    const rows = [...table.matchAll(/^\| (?!-)(.*?) \|.*\| (.*) \|$/gm)].map(([, threat = '', proof = '']) => ({
      threat,
      tests: proof.match(/(?<=`)[^`]+(?=`)/g)?.filter((name) => /^\w+\/test\/|^npm run /.test(name)) ?? [],
    }));
    expect(rows.length).toBeGreaterThan(12);
    const { scripts } = JSON.parse(read('package.json'));
    const isThere = (name: string): boolean =>
      name.startsWith('npm run ') ? name.slice(8) in scripts : tracked.includes(`packages/${name}`);
    for (const { threat, tests } of rows) {
      expect(tests.length, threat).toBeGreaterThan(0);
      expect(
        tests.filter((name) => !isThere(name)),
        threat,
      ).toEqual([]);
    }
  });

  it('is started with the same flags everywhere', () => {
    const [, flags = ''] = /^#!\/usr\/bin\/env -S node (.+)\n/.exec(read('packages/server/src/cli/main.ts')) ?? [];
    expect(flags).toMatch(/^--/);
    expect(read('package.json')).toContain(`node ${flags} packages/server/dist/cli/main.js serve`);
    expect(read('deploy/gatehouse.service')).toContain(`node ${flags} `);
    expect(read('deploy/Dockerfile')).toContain(`["node", "${flags.split(' ').join('", "')}", `);
  });

  it('locks its dependencies without download addresses', () => {
    const resolved = [...read('package-lock.json').matchAll(/"resolved": "([^"]*)"/g)].map(
      ([, address]) => address ?? '',
    );
    expect(resolved.filter((address) => address.includes('://'))).toEqual([]);
  });
});
