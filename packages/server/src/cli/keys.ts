import { Command, Option } from 'commander';
import { createApiKey, listApiKeys, revokeApiKey } from '../apps/api-keys.ts';
import { createKeyPair, listKeyPairs, revokeKeyPair } from '../apps/key-pairs.ts';
import type { Scope } from '../caller.ts';
import { line } from '../fields.ts';
import { openKeyring } from '../open-store.ts';
import { rotateMasterKey } from '../rotate-master-key.ts';
import { actor } from './app.ts';
import { accountOf, checkText, onStore, print, type StoreOptions, withStoreOptions } from './output.ts';

const time = (ms: number): string => new Date(ms).toISOString();

/** The one answer that shows a new key. */
export function keyCommand(): Command {
  const command = new Command('key').description('API keys of an app: make, list, revoke.').addHelpText(
    'before',
    `Examples:
  gatehouse key create a1b2c3d4e5f60718 backend
  gatehouse key create a1b2c3d4e5f60718 sign-in --scope authOnly --json > key.json
  gatehouse key list a1b2c3d4e5f60718
`,
  );
  withStoreOptions(command.command('create <appId> <name>').description('make an API key; it is shown once'))
    .addOption(
      new Option('--scope <scope>', 'what it may do').choices(['fullAccess', 'authOnly']).default('fullAccess'),
    )
    .action((appId: string, name: string, options: StoreOptions & { scope: Scope }) =>
      onStore(options, async (store) => {
        checkText('name', name, line(100));
        const { createdAt, ...key } = await store.change(createApiKey, { appId, name, scope: options.scope, actor });
        print({ ...key, createdAt: time(createdAt) }, options);
      }),
    );
  withStoreOptions(command.command('list <appId>').description('list the API keys of an app')).action(
    (appId: string, options: StoreOptions) =>
      onStore(options, async (store) =>
        print(
          (await listApiKeys(store, appId)).map((key) => ({ ...key, createdAt: time(key.createdAt) })),
          options,
        ),
      ),
  );
  withStoreOptions(command.command('revoke <appId> <keyId>').description('revoke an API key')).action(
    (appId: string, id: string, options: StoreOptions) =>
      onStore(options, async (store) => {
        const key = await store.change(revokeApiKey, { appId, id, actor });
        print({ id: key.id, name: key.name, revoked: true }, options);
      }),
  );
  return command;
}

export function pairCommand(): Command {
  const command = new Command('pair')
    .description('Pairs of key and secret for the management host: make, list, revoke.')
    .addHelpText(
      'before',
      `Examples:
  gatehouse pair create deploy-script --app a1b2c3d4e5f60718
  gatehouse pair list
`,
    );
  withStoreOptions(command.command('create <name>').description('make a pair; it is shown once'))
    .option('--app <appId...>', 'only for these apps')
    .action((name: string, options: StoreOptions & { app?: string[] }) =>
      onStore(options, async (store) => {
        checkText('name', name, line(100));
        const pair = await store.change(createKeyPair, {
          accountId: await accountOf(store),
          name,
          ...(options.app && { apps: options.app }),
          actor,
        });
        print({ ...pair, createdAt: time(pair.createdAt) }, options);
      }),
    );
  withStoreOptions(command.command('list').description('list the pairs')).action((options: StoreOptions) =>
    onStore(options, async (store) => {
      const pairs = await listKeyPairs(store, await accountOf(store));
      print(
        pairs.map((pair) => ({ ...pair, createdAt: time(pair.createdAt) })),
        options,
      );
    }),
  );
  withStoreOptions(command.command('revoke <pairId>').description('revoke a pair')).action(
    (id: string, options: StoreOptions) =>
      onStore(options, async (store) => {
        const pair = await store.change(revokeKeyPair, { accountId: await accountOf(store), id, actor });
        print({ id: pair.id, name: pair.name, revoked: true }, options);
      }),
  );
  return command;
}

export function keysCommand(): Command {
  const command = new Command('keys').description('The master key that seals secrets in the store.').addHelpText(
    'before',
    `Examples:
  gatehouse keys rotate-master    while the service runs
`,
  );
  withStoreOptions(command.command('rotate-master').description('seal every secret with a new master key')).action(
    (options: StoreOptions) =>
      onStore(options, async (store, config) =>
        print(await rotateMasterKey(store, openKeyring(config), actor), options),
      ),
  );
  return command;
}
