import type { Command } from 'commander';
import { print, printEach } from './output.ts';
import { onService, type ServiceOptions, withServiceOptions } from './service.ts';

interface ListOptions extends ServiceOptions {
  uid?: string;
}

const columns = ['uid', 'platform', 'providerId', 'pushToken', 'updatedAt'] as const;

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
      // As they come: an app may have millions.
      onService(options, (client) =>
        printEach(client.all('listPushTokens', { limit: 1000, uid: options.uid }), columns, options),
      ),
    );
  withServiceOptions(command.command('delete <pushToken>').description('forget a push token')).action(
    (pushToken: string, options: ServiceOptions) =>
      onService(options, async (client) => {
        await client.deletePushToken({ pushToken });
        print({ pushToken, deleted: true }, options);
      }),
  );
}
