import { Command } from 'commander';
import { findApp } from '../apps/apps.ts';
import { createAuthToken, listAuthTokens, revokeAuthToken } from '../apps/auth-tokens.ts';
import { uidField } from '../fields.ts';
import type { Store } from '../store/store.ts';
import { actor } from './app.ts';
import { CliError, checkText, onStore, print, type StoreOptions, withStoreOptions } from './output.ts';
import { readText } from './service.ts';

export function authTokenCommand(): Command {
  const command = new Command('auth-token')
    .description("Auth tokens of users' devices: make, list, revoke.")
    .addHelpText(
      'before',
      `Examples:
  gatehouse auth-token create a1b2c3d4e5f60718 ada
  gatehouse auth-token revoke a1b2c3d4e5f60718 ada - < token.txt
`,
    );
  withStoreOptions(command.command('create <appId> <uid>').description('make an auth token')).action(
    (appId: string, uid: string, options: StoreOptions) =>
      onStore(options, async (store) => {
        checkText('uid', uid, uidField);
        await checkApp(store, appId);
        print(shown(await store.change(createAuthToken, { appId, uid, actor })), options);
      }),
  );
  withStoreOptions(command.command('list <appId> <uid>').description('list the auth tokens of a user')).action(
    (appId: string, uid: string, options: StoreOptions) =>
      onStore(options, async (store) => print((await listAuthTokens(store, appId, uid)).map(shown), options)),
  );
  withStoreOptions(
    command
      .command('revoke <appId> <uid> <authToken>')
      .description('revoke an auth token; - for standard input, which no list of processes shows'),
  ).action((appId: string, uid: string, token: string, options: StoreOptions) =>
    onStore(options, async (store) => {
      const authToken = token === '-' ? readText('-').trim() : token;
      await store.change(revokeAuthToken, { appId, uid, authToken, actor });
      print({ uid, revoked: true }, options);
    }),
  );
  return command;
}

async function checkApp(store: Store, appId: string): Promise<void> {
  if ((await findApp(store, appId)) === undefined)
    throw new CliError(`There is no app ${appId}. List them with: gatehouse app list`);
}

function shown(token: { uid: string; authToken: string; createdAt: number }): Record<string, unknown> {
  return { uid: token.uid, authToken: token.authToken, createdAt: new Date(token.createdAt).toISOString() };
}
