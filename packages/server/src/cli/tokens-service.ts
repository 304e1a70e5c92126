import type { Command } from 'commander';
import { print } from './output.ts';
import { onService, type ServiceOptions, withServiceOptions } from './service.ts';

interface ListOptions extends ServiceOptions {
  uid?: string;
}

/** The commands on tokens that ask a running service. */
export function addTokenCommands(command: Command): void {
  command.addHelpText(
    'before',
    `Examples:
  gatehouse tokens list --uid ada
  gatehouse tokens delete <pushToken>
  gatehouse tokens import <appId> tokens.csv
`,
  );
  withServiceOptions(command.command('list').description('list the push tokens of the app, or of one user'))
    .option('--uid <uid>', 'of this user')
    .action((options: ListOptions) =>
      onService(options, async (client) => {
        const rows: Record<string, unknown>[] = [];
        for await (const token of client.all('listPushTokens', { limit: 1000, uid: options.uid })) {
          const { uid, platform, providerId, pushToken, updatedAt } = token;
          // A line a token as it comes: an app may have millions.
          if (options.json === true) process.stdout.write(`${JSON.stringify(token)}\n`);
          else rows.push({ uid, platform, providerId, pushToken, updatedAt });
        }
        if (options.json !== true) print(rows, options);
      }),
    );
  withServiceOptions(command.command('delete <pushToken>').description('forget a push token')).action(
    (pushToken: string, options: ServiceOptions) =>
      onService(options, async (client) => {
        await client.deletePushToken({ pushToken });
        print({ pushToken, deleted: true }, options);
      }),
  );
}
