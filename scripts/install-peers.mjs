/** Installs what the benchmarks run beside, once: nobody needs it to run the service. Called by the commands that measure. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('../bench/', import.meta.url));
const [wanted, installed] = [`${bench}package-lock.json`, `${bench}node_modules/.package-lock.json`];
const isInstalled = existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs;
if (!isInstalled) {
  console.log('Installing the peers of the benchmarks into bench/node_modules.');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', bench], { stdio: 'inherit' });
}
