import { Command } from 'commander';
import { print } from './output.ts';
import { readPolicy } from './policy.ts';
import { compare, describe, make, type PolicyChange } from './policy-diff.ts';
import { readPolicyFolder, writePolicy } from './policy-files.ts';
import { startProgress } from './progress.ts';
import { onService, type ServiceOptions, withServiceOptions } from './service.ts';

interface PolicyOptions extends ServiceOptions {
  prune?: boolean;
}

const words = 'rules, keyword lists, reasons and moderation settings';

export function exportCommand(): Command {
  return withServiceOptions(
    new Command('export').argument('<folder>').description(`Write ${words} into a folder, to be kept like code.`),
  )
    .addHelpText(
      'before',
      `Examples:
  gatehouse export policy           write policy/rules/*.json, policy/lists/*.json, ...
  git add policy && git commit      and review changes like any other
`,
    )
    .action((folder: string, options: ServiceOptions) =>
      onService(options, async (client) =>
        print({ folder, files: writePolicy(folder, await readPolicy(client)) }, options),
      ),
    );
}

export function diffCommand(): Command {
  return withPrune(
    new Command('diff')
      .argument('<folder>')
      .description('Show what apply would change. Exits with 1 if there is anything.')
      .addHelpText('before', 'Examples:\n  gatehouse diff policy\n  gatehouse diff policy --prune --json\n'),
  ).action((folder: string, options: PolicyOptions) =>
    onService(options, async (client) => {
      const changes = compare(await readPolicy(client), readPolicyFolder(folder), { prune: options.prune === true });
      show(changes, options);
      if (changes.length > 0) process.exitCode = 1;
    }),
  );
}

export function applyCommand(): Command {
  return withPrune(
    new Command('apply')
      .argument('<folder>')
      .description(`Make the service's ${words} what the folder says.`)
      .addHelpText(
        'before',
        `Examples:
  gatehouse diff policy && gatehouse apply policy
  gatehouse apply policy --prune    also delete what is not in the folder

Every change is made by itself and can be applied again: after an error, mend it and run the same command.
`,
      ),
  ).action((folder: string, options: PolicyOptions) =>
    onService(options, async (client) => {
      const changes = compare(await readPolicy(client), readPolicyFolder(folder), { prune: options.prune === true });
      const progress = startProgress('Applying');
      try {
        for (const [i, change] of changes.entries()) {
          progress.at(i, changes.length);
          await named(change, () => make(client, change));
        }
      } finally {
        progress.end();
      }
      show(changes, options);
    }),
  );
}

function withPrune(command: Command): Command {
  return withServiceOptions(command).option('--prune', 'delete what the folder does not have');
}

/** Which of many it was that the service refused. */
async function named(change: PolicyChange, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) error.message = `${describe(change).slice(0, 200)} was refused: ${error.message}`;
    throw error;
  }
}

function show(changes: readonly PolicyChange[], options: ServiceOptions): void {
  if (options.json === true)
    print(
      changes.map(({ kind, id, does, says }) => ({ kind, id, does, says })),
      options,
    );
  else process.stdout.write(changes.length === 0 ? 'No changes.\n' : `${changes.map(describe).join('\n')}\n`);
}
