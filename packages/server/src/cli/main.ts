#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../version.ts';
import { appCommand } from './app.ts';
import { authTokenCommand } from './auth-token.ts';
import { backupCommand } from './backup.ts';
import { benchCommand } from './bench.ts';
import { checkCommand } from './check.ts';
import { doctorCommand } from './doctor.ts';
import { importCommand } from './import.ts';
import { keyCommand, keysCommand, pairCommand } from './keys.ts';
import { listsCommand } from './lists.ts';
import { migrateCommand } from './migrate.ts';
import { openapiCommand } from './openapi.ts';
import { CliError, mendOf } from './output.ts';
import { peopleCommand } from './people.ts';
import { applyCommand, diffCommand, exportCommand } from './policy-commands.ts';
import { providersCommand } from './providers.ts';
import { queueCommand } from './queue.ts';
import { restoreCommand } from './restore.ts';
import { rulesCommand } from './rules.ts';
import { sendCommand } from './send.ts';
import { serveCommand } from './serve.ts';
import { simulateCommand } from './simulate.ts';
import { tailCommand } from './tail.ts';
import { tokensCommand } from './tokens.ts';

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

for (const command of [
  serveCommand(),
  doctorCommand(),
  appCommand(),
  keyCommand(),
  pairCommand(),
  peopleCommand(),
  authTokenCommand(),
  keysCommand(),
  tokensCommand(),
  queueCommand(),
  simulateCommand(),
  openapiCommand(),
  migrateCommand(),
  backupCommand(),
  restoreCommand(),
  checkCommand(),
  rulesCommand(),
  listsCommand(),
  providersCommand(),
  sendCommand(),
  tailCommand(),
  exportCommand(),
  diffCommand(),
  applyCommand(),
  importCommand(),
  benchCommand(),
])
  program.addCommand(command);

try {
  await program.parseAsync();
} catch (error) {
  const known = error instanceof CliError ? error.message : mendOf(error);
  const unknown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`gatehouse: ${known ?? unknown}\n`);
  process.exitCode = 1;
}
