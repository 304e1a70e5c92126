/** Builds the dashboard when what it is made of has changed: a second build of the same takes a tenth of a second. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/dashboard');
const stamp = join(folder, 'dist/.stamp');

function filesIn(path) {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const inputs = [
  ...filesIn('packages/dashboard/src'),
  ...filesIn('packages/dashboard/public'),
  ...filesIn('packages/client/dist').filter((file) => file.endsWith('.js')),
  ...['packages/dashboard/index.html', 'packages/dashboard/vite.config.ts', 'package-lock.json'].map((file) =>
    join(root, file),
  ),
];
const hash = createHash('sha256');
for (const file of inputs) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
const digest = hash.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, digest);
}
