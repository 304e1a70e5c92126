import { Command } from 'commander';
import { createApp, deleteApp, listApps } from '../apps/apps.ts';
import { line } from '../fields.ts';
import { accountOf, checkText, onStore, print, type StoreOptions, withStoreOptions } from './output.ts';

export const actor = 'cli';

export function appCommand(): Command {
  const command = new Command('app').description('Apps: make, list, delete.').addHelpText(
    'before',
    `Examples:
  gatehouse app create "My app"
  gatehouse app list --json
`,
  );
  withStoreOptions(command.command('create <name>').description('make an app, with the built-in rules')).action(
    (name: string, options: StoreOptions) =>
      onStore(options, async (store) => {
        checkText('name', name, line(100));
        print(shown(await store.change(createApp, { accountId: await accountOf(store), name, actor })), options);
      }),
  );
  withStoreOptions(command.command('list').description('list the apps')).action((options: StoreOptions) =>
    onStore(options, async (store) =>
      print((await listApps(store, await accountOf(store), undefined)).map(shown), options),
    ),
  );
  withStoreOptions(command.command('delete <appId>').description('delete an app with everything in it')).action(
    (id: string, options: StoreOptions) =>
      onStore(options, async (store) => print(shown(await store.change(deleteApp, { id, actor })), options)),
  );
  return command;
}

function shown(app: { id: string; name: string; createdAt: number }): Record<string, unknown> {
  return { id: app.id, name: app.name, createdAt: new Date(app.createdAt).toISOString() };
}
