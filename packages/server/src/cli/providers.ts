import { basename } from 'node:path';
import type {
  AddApnsProviderBody,
  AddCustomProviderBody,
  AddFcmProviderBody,
  AddWebPushProviderBody,
  GatehouseClient,
} from '@gatehouse/client';
import { Command, Option } from 'commander';
import { CliError, print } from './output.ts';
import { onService, parseJson, readText, type ServiceOptions, withServiceOptions } from './service.ts';

type Fields = Record<string, unknown>;
type Kind = 'apns' | 'fcm' | 'webpush' | 'custom';

interface AddOptions extends ServiceOptions {
  p8?: string;
  serviceAccount?: string;
  replace?: boolean;
}

interface KindOfProvider {
  add(client: GatehouseClient, body: Fields): Promise<unknown>;
  replace(client: GatehouseClient, body: Fields): Promise<unknown>;
  remove(client: GatehouseClient, providerId: string): Promise<unknown>;
  makeDefault(client: GatehouseClient, providerId: string): Promise<unknown>;
}

// What a file holds is checked by the service, which says what to mend; until then its type is a claim.
const kinds: Record<Kind, KindOfProvider> = {
  apns: {
    add: (client, body) => client.addApnsProvider({ body: body as AddApnsProviderBody }),
    replace: (client, body) => client.replaceApnsProvider({ body: body as AddApnsProviderBody }),
    remove: (client, providerId) => client.deleteApnsProvider({ providerId }),
    makeDefault: (client, providerId) => client.setDefaultApnsProvider({ providerId }),
  },
  fcm: {
    add: (client, body) => client.addFcmProvider({ body: body as AddFcmProviderBody }),
    replace: (client, body) => client.replaceFcmProvider({ body: body as AddFcmProviderBody }),
    remove: (client, providerId) => client.deleteFcmProvider({ providerId }),
    makeDefault: (client, providerId) => client.setDefaultFcmProvider({ providerId }),
  },
  webpush: {
    add: (client, body) => client.addWebPushProvider({ body: body as AddWebPushProviderBody }),
    replace: (client, body) => client.replaceWebPushProvider({ body: body as AddWebPushProviderBody }),
    remove: (client, providerId) => client.deleteWebPushProvider({ providerId }),
    makeDefault: (client, providerId) => client.setDefaultWebPushProvider({ providerId }),
  },
  custom: {
    add: (client, body) => client.addCustomProvider({ body: body as AddCustomProviderBody }),
    replace: (client, body) => client.replaceCustomProvider({ body: body as AddCustomProviderBody }),
    remove: (client) => client.deleteCustomProvider(),
    makeDefault: () => Promise.reject(new CliError('There is one custom provider only: it needs no default.')),
  },
};

export function providersCommand(): Command {
  const command = new Command('providers')
    .description('Push providers: list, add, remove, choose the default.')
    .addHelpText(
      'before',
      `Examples:
  gatehouse providers list
  gatehouse providers add apns provider.json --p8 AuthKey_ABC123DEFG.p8
  gatehouse providers add fcm provider.json --service-account service-account.json
  cat provider.json | gatehouse providers add webpush -
  gatehouse providers default apns apns-main

Keys are read from files or standard input; they are never given as arguments, which other users of the machine can see.
`,
    );
  withServiceOptions(command.command('list').description('list the providers and how they do')).action(
    (options: ServiceOptions) => onService(options, (client) => list(client, options)),
  );
  withServiceOptions(
    command
      .command('add <kind> <file>')
      .description('add a provider (apns, fcm, webpush, custom) from a JSON file or standard input (-)'),
  )
    .addOption(new Option('--p8 <file>', 'the .p8 file of Apple, as the field p8Key'))
    .addOption(new Option('--service-account <file>', 'the service account file of Google, as serviceAccountCreds'))
    .option('--replace', 'replace the provider of this id')
    .action((kind: string, file: string, options: AddOptions) =>
      onService(options, (client) => add(client, kind, file, options)),
    );
  withServiceOptions(command.command('remove <kind> <providerId>').description('remove a provider')).action(
    (kind: string, providerId: string, options: ServiceOptions) =>
      onService(options, async (client) => {
        await kindOf(kind).remove(client, providerId);
        print({ kind, providerId, removed: true }, options);
      }),
  );
  withServiceOptions(command.command('default <kind> <providerId>').description('make a provider the default')).action(
    (kind: string, providerId: string, options: ServiceOptions) =>
      onService(options, async (client) => {
        await kindOf(kind).makeDefault(client, providerId);
        print({ kind, providerId, isDefault: true }, options);
      }),
  );
  return command;
}

async function list(client: GatehouseClient, options: ServiceOptions): Promise<void> {
  const { data } = await client.listProviderHealth();
  print(
    data.map(({ kind, providerId, isPaused, pausedReason, lastSuccessAt, lastError, waiting }) => ({
      kind,
      providerId,
      state: isPaused ? `paused: ${pausedReason ?? ''}` : 'on',
      waiting,
      lastSuccessAt,
      lastError,
    })),
    options,
  );
}

async function add(client: GatehouseClient, kind: string, file: string, options: AddOptions): Promise<void> {
  const parsed = parseJson(readText(file), file === '-' ? 'Standard input' : file);
  if (typeof parsed !== 'object' || parsed === null) throw new CliError(`${file} must hold one JSON object.`);
  const body: Fields = {
    ...parsed,
    ...(options.p8 !== undefined && { p8Key: readText(options.p8), p8KeyFilename: basename(options.p8) }),
    ...(options.serviceAccount !== undefined && {
      serviceAccountCreds: parseJson(readText(options.serviceAccount), options.serviceAccount),
      serviceAccountFilename: basename(options.serviceAccount),
    }),
  };
  const provider = kindOf(kind);
  await (options.replace === true ? provider.replace(client, body) : provider.add(client, body));
  print({ kind, providerId: body.providerId ?? 'custom', added: true }, options);
}

function kindOf(kind: string): KindOfProvider {
  if (kind === 'apns' || kind === 'fcm' || kind === 'webpush' || kind === 'custom') return kinds[kind];
  throw new CliError(`There is no kind of provider called ${kind}: use apns, fcm, webpush or custom.`);
}
