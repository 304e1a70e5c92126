#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { SchemaTooNew } from '../store/migrate.ts';
import { version } from '../version.ts';
import { appCommand } from './app.ts';
import { authTokenCommand } from './auth-token.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommand, keysCommand, pairCommand } from './keys.ts';
import { openapiCommand } from './openapi.ts';
import { CliError } from './output.ts';
import { serveCommand } from './serve.ts';

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
  authTokenCommand(),
  keysCommand(),
  openapiCommand(),
])
  program.addCommand(command);

try {
  await program.parseAsync();
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof SchemaTooNew || error instanceof CliError;
  process.stderr.write(
    `gatehouse: ${expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
}
