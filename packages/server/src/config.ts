import { join, resolve } from 'node:path';

/** The only reader of the environment. Settings are what may be printed; secrets stand apart and may not. */
export interface Settings {
  host: string;
  port: number;
  dataDir: string;
  region: string;
  domain: string | undefined;
  managementHost: string | undefined;
  ratePerMinute: number;
  ownRulesMax: number;
  ownListsMax: number;
  poolSize: number;
  logLevel: string;
  masterKeyFile: string;
}

export interface Secrets {
  databaseUrl: string | undefined;
  masterKeys: readonly string[] | undefined;
}

export interface Config {
  settings: Settings;
  secrets: Secrets;
}

/** Every variable, its default and what it means: `docs/reference/settings.md` lists exactly these, and a test says so. */
export const variables = {
  GATEHOUSE_HOST: { standard: '127.0.0.1', meaning: 'Address to listen on. 0.0.0.0 for every interface.' },
  GATEHOUSE_PORT: { standard: '8080', meaning: 'Port to listen on. 0 picks a free one.' },
  GATEHOUSE_DATA: { standard: './data', meaning: 'Folder of the embedded store and of the master key.' },
  GATEHOUSE_REGION: { standard: 'eu', meaning: 'Region in the host names of apps.' },
  GATEHOUSE_DOMAIN: {
    standard: '',
    meaning: 'Domain behind {appId}.api-{region}. Empty: every path is served on any host name.',
  },
  GATEHOUSE_MANAGEMENT_HOST: { standard: '', meaning: 'Host name of the management API. Empty: mgmt.<domain>.' },
  GATEHOUSE_RATE_PER_MINUTE: {
    standard: '20000',
    meaning: 'Requests a minute for each key. 0 switches the limit off.',
  },
  GATEHOUSE_OWN_RULES_MAX: { standard: '25', meaning: 'Rules of its own that an app may have.' },
  GATEHOUSE_OWN_LISTS_MAX: { standard: '25', meaning: 'Keyword lists of its own that an app may have.' },
  GATEHOUSE_POOL_SIZE: { standard: '10', meaning: 'Connections to PostgreSQL.' },
  GATEHOUSE_LOG_LEVEL: { standard: 'info', meaning: 'trace, debug, info, warn, error, fatal or silent.' },
  GATEHOUSE_MASTER_KEY_FILE: {
    standard: '',
    meaning: 'File of the master key. Empty: master.key in the data folder, made on first start.',
  },
  GATEHOUSE_MASTER_KEY: {
    standard: '',
    meaning: 'Secret. The master key itself, 32 bytes as base64 or hex, instead of the file.',
  },
  GATEHOUSE_MASTER_KEY_PREVIOUS: {
    standard: '',
    meaning: 'Secret. Older master keys, separated by commas, while they are being rotated out.',
  },
  DATABASE_URL: { standard: '', meaning: 'Secret. postgres://... Empty: the embedded store.' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that cannot be used, with the name to mend. */
export class ConfigError extends Error {
  constructor(variable: string, sentence: string) {
    super(`${variable}: ${sentence}`);
    this.name = 'ConfigError';
  }
}

export function readConfig(environment: Environment = process.env): Config {
  const value = (name: keyof typeof variables): string => environment[name]?.trim() || variables[name].standard;
  const dataDir = resolve(value('GATEHOUSE_DATA'));
  const domain = hostName('GATEHOUSE_DOMAIN', value('GATEHOUSE_DOMAIN'));
  return {
    settings: {
      host: value('GATEHOUSE_HOST'),
      port: whole('GATEHOUSE_PORT', value('GATEHOUSE_PORT'), 0, 65_535),
      dataDir,
      region: region(value('GATEHOUSE_REGION')),
      domain,
      managementHost:
        hostName('GATEHOUSE_MANAGEMENT_HOST', value('GATEHOUSE_MANAGEMENT_HOST')) ?? (domain && `mgmt.${domain}`),
      ratePerMinute: whole('GATEHOUSE_RATE_PER_MINUTE', value('GATEHOUSE_RATE_PER_MINUTE'), 0, 1_000_000_000),
      ownRulesMax: whole('GATEHOUSE_OWN_RULES_MAX', value('GATEHOUSE_OWN_RULES_MAX'), 0, 100_000),
      ownListsMax: whole('GATEHOUSE_OWN_LISTS_MAX', value('GATEHOUSE_OWN_LISTS_MAX'), 0, 100_000),
      poolSize: whole('GATEHOUSE_POOL_SIZE', value('GATEHOUSE_POOL_SIZE'), 1, 1000),
      logLevel: oneOf('GATEHOUSE_LOG_LEVEL', value('GATEHOUSE_LOG_LEVEL'), [
        'trace',
        'debug',
        'info',
        'warn',
        'error',
        'fatal',
        'silent',
      ]),
      masterKeyFile:
        value('GATEHOUSE_MASTER_KEY_FILE') === ''
          ? join(dataDir, 'master.key')
          : resolve(value('GATEHOUSE_MASTER_KEY_FILE')),
    },
    secrets: {
      databaseUrl: databaseUrl(value('DATABASE_URL')),
      masterKeys: masterKeys(value('GATEHOUSE_MASTER_KEY'), value('GATEHOUSE_MASTER_KEY_PREVIOUS')),
    },
  };
}

function whole(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < min || number > max)
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}, not "${text}".`);
  return number;
}

function oneOf(name: string, text: string, allowed: readonly string[]): string {
  if (!allowed.includes(text)) throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${text}".`);
  return text;
}

function region(text: string): string {
  if (!/^[a-z0-9-]{1,32}$/.test(text))
    throw new ConfigError('GATEHOUSE_REGION', `must be lower-case letters, digits and -, not "${text}".`);
  return text;
}

function hostName(name: string, text: string): string | undefined {
  if (text === '') return undefined;
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text))
    throw new ConfigError(name, `must be a host name without a port, such as chat.example.org, not "${text}".`);
  return text.toLowerCase();
}

/** The URL holds a password, so a bad one is described and not repeated. */
function databaseUrl(text: string): string | undefined {
  if (text === '') return undefined;
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError('DATABASE_URL', 'must start with postgres://. Leave it empty for the embedded store.');
  return text;
}

function masterKeys(current: string, previous: string): readonly string[] | undefined {
  if (current === '') return undefined;
  return [
    current,
    ...previous
      .split(',')
      .map((key) => key.trim())
      .filter((key) => key !== ''),
  ];
}
