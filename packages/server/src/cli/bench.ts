import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { CliError, print } from './output.ts';

/** Beside the packages in a checkout; not part of what is installed from the registry. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));

export function benchCommand(): Command {
  return new Command('bench')
    .argument('[name]')
    .argument('[args...]')
    .description('Measure this version on this machine. Without a name: list the benchmarks.')
    .option('--json', 'print the list as JSON')
    .addHelpText(
      'before',
      `Examples:
  gatehouse bench           what can be measured
  gatehouse bench judge     judging messages, beside its peers

Needs a checkout of the repository. Our own figures and their method are in bench/RESULTS.md.
`,
    )
    .action((name: string | undefined, args: string[], options: { json?: boolean }) => bench(name, args, options));
}

async function bench(name: string | undefined, args: readonly string[], options: { json?: boolean }): Promise<void> {
  const benches = benchesOf();
  if (name === undefined) {
    print(
      [...benches].map(([bench, script]) => ({ name: bench, runs: script })),
      options,
    );
    return;
  }
  if (!benches.has(name))
    throw new CliError(`There is no benchmark called ${name}. There are: ${[...benches.keys()].join(', ')}.`);
  const child = spawn('npm', ['run', '--silent', `bench:${name}`, '--', ...args], { cwd: root, stdio: 'inherit' });
  process.exitCode = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

function benchesOf(): Map<string, string> {
  const file = join(root, 'package.json');
  const scripts: Record<string, string> =
    existsSync(file) && existsSync(join(root, 'bench'))
      ? ((JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> }).scripts ?? {})
      : {};
  const found = Object.entries(scripts).filter(([script]) => script.startsWith('bench:'));
  if (found.length === 0) throw new CliError('The benchmarks come with the repository. Run this in a checkout of it.');
  return new Map(found.map(([script, line]) => [script.slice('bench:'.length), line]));
}
