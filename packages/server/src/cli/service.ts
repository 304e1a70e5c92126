import { readFileSync } from 'node:fs';
import { type ClientOptions, GatehouseClient, GatehouseError, GatehouseUnreachable } from '@gatehouse/client';
import type { Command } from 'commander';
import { CliError } from './output.ts';

export interface ServiceOptions {
  url?: string;
  apiKeyFile?: string;
  json?: boolean;
}

const standardUrl = 'http://127.0.0.1:8080';

/** The options that every command on a running service has. Its key comes from a file or the environment, never from a flag. */
export function withServiceOptions(command: Command): Command {
  return command
    .option('--url <address>', `the service (${standardUrl}, or GATEHOUSE_URL)`)
    .option(
      '--api-key-file <file>',
      'file with an API key of the app, or with the JSON that serve --json printed; - for standard input (or GATEHOUSE_API_KEY)',
    )
    .option('--json', 'print JSON');
}

/** Asks the running service, and says in its own words what it would not do. */
export async function onService<T>(
  options: ServiceOptions,
  work: (client: GatehouseClient) => Promise<T>,
  more: Partial<ClientOptions> = {},
): Promise<T> {
  const { apikey, url } = credentialsOf(options);
  const client = new GatehouseClient({ url: options.url ?? url, credentials: { apikey }, ...more });
  try {
    return await work(client);
  } catch (error) {
    throw mended(error);
  }
}

/** The key by itself, for what works on the store of the same service. */
export function apiKeyOf(options: ServiceOptions): string {
  return credentialsOf(options).apikey;
}

function mended(error: unknown): unknown {
  if (error instanceof GatehouseUnreachable)
    return new CliError(`${error.message}. Is it running? Start it with: gatehouse serve; name another with: --url`);
  if (error instanceof GatehouseError)
    return new CliError(`${error.message}${error.requestId === undefined ? '' : ` (request ${error.requestId})`}`);
  return error;
}

function credentialsOf({ apiKeyFile }: ServiceOptions): { apikey: string; url: string } {
  const url = process.env.GATEHOUSE_URL ?? standardUrl;
  if (apiKeyFile !== undefined) return { url, ...parseKeyFile(readText(apiKeyFile)) };
  const apikey = process.env.GATEHOUSE_API_KEY?.trim();
  if (apikey === undefined || apikey === '')
    throw new CliError(
      'An API key of the app is needed: set GATEHOUSE_API_KEY, or name a file with --api-key-file. Make one with: gatehouse key create <appId> cli',
    );
  return { apikey, url };
}

/** A file with nothing but the key, or what `serve --json` printed on the first start. */
function parseKeyFile(text: string): { apikey: string; url?: string } {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return { apikey: trimmed };
  const { apiKeys, apiKey, baseUrl } = parseJson(trimmed, 'The file of the API key') as {
    apiKeys?: { fullAccess?: string };
    apiKey?: string;
    baseUrl?: string;
  };
  const apikey = apiKey ?? apiKeys?.fullAccess;
  if (typeof apikey !== 'string')
    throw new CliError('The file of the API key has neither apiKey nor apiKeys.fullAccess.');
  return { apikey, ...(typeof baseUrl === 'string' && { url: baseUrl }) };
}

/** It can be read once only, and two options may name it. */
let standardInput: string | undefined;

/** `-` is standard input. */
export function readText(file: string): string {
  try {
    if (file !== '-') return readFileSync(file, 'utf8');
    standardInput ??= readFileSync(0, 'utf8');
    return standardInput;
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'is not there' : String(error);
    throw new CliError(`${file === '-' ? 'Standard input' : file} cannot be read: it ${reason}.`);
  }
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(`${what} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
