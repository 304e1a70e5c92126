#!/usr/bin/env -S node --min-semi-space-size=32 --max-semi-space-size=32
import { Command } from 'commander';
import { version } from '../version.ts';
import { CliError, mendOf } from './output.ts';

/** Each is loaded when it is asked for: what only prints a listing does not wait for the whole service to load. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  app: async () => (await import('./app.ts')).appCommand(),
  key: async () => (await import('./keys.ts')).keyCommand(),
  pair: async () => (await import('./keys.ts')).pairCommand(),
  people: async () => (await import('./people.ts')).peopleCommand(),
  'auth-token': async () => (await import('./auth-token.ts')).authTokenCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  tokens: async () => (await import('./tokens.ts')).tokensCommand(),
  queue: async () => (await import('./queue.ts')).queueCommand(),
  simulate: async () => (await import('./simulate.ts')).simulateCommand(),
  openapi: async () => (await import('./openapi.ts')).openapiCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./restore.ts')).restoreCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  rules: async () => (await import('./rules.ts')).rulesCommand(),
  lists: async () => (await import('./lists.ts')).listsCommand(),
  providers: async () => (await import('./providers.ts')).providersCommand(),
  send: async () => (await import('./send.ts')).sendCommand(),
  tail: async () => (await import('./tail.ts')).tailCommand(),
  export: async () => (await import('./policy-commands.ts')).exportCommand(),
  diff: async () => (await import('./policy-commands.ts')).diffCommand(),
  apply: async () => (await import('./policy-commands.ts')).applyCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  bench: async () => (await import('./bench.ts')).benchCommand(),
};

const program = new Command('gatehouse')
  .description('Moderation and push for chat.')
  .version(version)
  .showHelpAfterError('(gatehouse --help lists the commands)')
  .addHelpText(
    'before',
    `Examples:
  gatehouse serve                        run the service on the embedded store in ./data
  gatehouse doctor                       say what is wrong with this set-up
  gatehouse app create "My app"          make an app
  gatehouse key create <appId> backend   make an API key for it
`,
  );

const [, , asked = ''] = process.argv;
const known = Object.hasOwn(commands, asked) ? commands[asked] : undefined;
for (const load of known === undefined ? Object.values(commands) : [known]) program.addCommand(await load());

try {
  await program.parseAsync();
} catch (error) {
  const mend = error instanceof CliError ? error.message : mendOf(error);
  const unknown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`gatehouse: ${mend ?? unknown}\n`);
  process.exitCode = 1;
}
