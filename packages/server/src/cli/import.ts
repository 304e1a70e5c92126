import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { createCredentials } from '../apps/credentials.ts';
import { Platform, PlatformRefused } from './import-platform.ts';
import { importPolicy } from './import-policy.ts';
import { importTokensOf, listProviders } from './import-push.ts';
import { type ImportReport, newReport, reportText } from './import-report.ts';
import { ImportState } from './import-state.ts';
import { CliError, onStore, type StoreOptions } from './output.ts';
import { apiKeyOf, onService, readText, type ServiceOptions, withServiceOptions } from './service.ts';

interface ImportOptions extends ServiceOptions, StoreOptions {
  from: string;
  fromKeyFile?: string;
  appId?: string;
  state: string;
  providers: string;
  report?: string;
  tokens: boolean;
  restart?: boolean;
}

export function importCommand(): Command {
  return withServiceOptions(
    new Command('import').description('Take an app over from a running platform of the same interface.'),
  )
    .requiredOption('--from <address>', "the other platform's address of the app")
    .option('--app-id <id>', "the app's id there")
    .option('--from-key-file <file>', 'file with an API key of the app there (or FROM_API_KEY); - for standard input')
    .option(
      '--data <folder>',
      'folder of our embedded store, which tokens are written to (or GATEHOUSE_DATA; DATABASE_URL)',
    )
    .option('--no-tokens', 'leave push tokens out; then our store is not needed, only our service')
    .option('--state <file>', 'what is done so far; the same command goes on from there', 'gatehouse-import.json')
    .option('--providers <folder>', 'where to write the providers without their keys', 'gatehouse-import-providers')
    .option('--report <file>', 'write the whole report as JSON')
    .option('--restart', 'forget what was done and begin anew')
    .addHelpText(
      'before',
      `Examples:
  export GATEHOUSE_API_KEY=...   (of the app here)   FROM_API_KEY=...   (of the app there)
  gatehouse import --from https://<appId>.api-eu.example.com --app-id <appId>
  gatehouse import --from https://<appId>.api-eu.example.com --app-id <appId> --report report.json

Carries over lists, reasons, rules, settings and push tokens with their auth tokens, so that devices go on as they are. Keys of
providers are secret: it says which to add. Nothing is changed there. Run it again at any time: what is carried over stays, and
what changed here since is not written over. Exits with 1 if anything could not be carried over.
`,
    )
    .action(importAll);
}

async function importAll(options: ImportOptions): Promise<void> {
  const platform = new Platform(addressOf(options.from), options.appId, keyThere(options));
  const state = new ImportState(
    options.state,
    `${options.from} ${options.appId ?? ''}`.trim(),
    options.restart === true,
  );
  const report = newReport();
  try {
    await onService(options, async (client) => {
      await importPolicy({ platform, client, state, report });
      const here = new Set(
        (await client.listProviderHealth()).data.map(({ kind, providerId }) => `${kind} ${providerId}`),
      );
      const isHere = (kind: string, id: string) => here.has(`${kind} ${id}`);
      await listProviders(platform, report, options.providers, isHere);
    });
    if (options.tokens)
      await onStore(options, async (store) => {
        const caller = await createCredentials(store).findApiKey(apiKeyOf(options));
        if (caller === undefined)
          throw new CliError(
            'The store here does not know the API key of the service: --data or DATABASE_URL must be of the same service. Or leave tokens out: --no-tokens',
          );
        await importTokensOf({ platform, store, appId: caller.appId, state, report });
      });
  } catch (error) {
    if (!(error instanceof PlatformRefused)) throw error;
    throw new CliError(`The other platform refused: ${error.message}. Is the key of the right app, with full access?`);
  }
  tell(report, options);
}

function tell(report: ImportReport, options: ImportOptions): void {
  if (options.report !== undefined) writeFileSync(options.report, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(options.json === true ? `${JSON.stringify(report)}\n` : reportText(report));
  if (report.notCarried.length > 0) process.exitCode = 1;
}

function addressOf(from: string): string {
  if (!/^https?:\/\//.test(from) || !URL.canParse(from)) throw new CliError('--from must be an http or https address.');
  return from;
}

function keyThere({ fromKeyFile }: ImportOptions): string {
  const key = (fromKeyFile === undefined ? process.env.FROM_API_KEY : readText(fromKeyFile))?.trim();
  if (key === undefined || key === '')
    throw new CliError('A key of the app there is needed: set FROM_API_KEY, or name a file with --from-key-file.');
  return key;
}
