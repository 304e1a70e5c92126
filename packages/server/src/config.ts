import { join, resolve } from 'node:path';
import {
  addresses,
  ConfigError,
  databaseUrl,
  hostName,
  hosts,
  masterKeys,
  oneOf,
  otlpHeaders,
  region,
  whole,
} from './config-checks.ts';

/** The only reader of the environment. Settings are what may be printed; secrets stand apart and may not. */
export interface Settings {
  host: string;
  port: number;
  dataDir: string;
  region: string;
  domain: string | undefined;
  managementHost: string | undefined;
  /** Whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  drainMs: number;
  ratePerMinute: number;
  ownRulesMax: number;
  ownListsMax: number;
  ownReasonsMax: number;
  reviewDays: number;
  approvedHours: number;
  approvedMax: number;
  backtestDays: number;
  runawayFactor: number;
  runawayHitsMin: number;
  poolSize: number;
  busyTimeoutMs: number;
  logLevel: string;
  masterKeyFile: string;
  /** Hosts by name or name:port that may be reached although they are private, and by plain http. */
  privateHosts: readonly string[];
  /** `host:port` instead of Apple's or Google's, and the certificate authority to trust there: for the simulator. */
  apnsHost: string | undefined;
  fcmHost: string | undefined;
  pushCaFile: string | undefined;
  leaseSeconds: number;
  pushLogDays: number;
  webhooksMax: number;
  webhookRetryMs: number;
  webhookPauseAfterMs: number;
  webhookKeepDays: number;
  customApiConcurrency: number;
  classifier: 'none' | 'bundled' | 'http';
  classifierUrl: string;
  classifierVersion: string;
  ffmpeg: string;
  mediaBytesMax: number;
  mediaTimeoutMs: number;
  mediaConcurrency: number;
  /** Where spans go; without it nothing is traced. */
  otlpEndpoint: string | undefined;
  otlpServiceName: string;
  otlpRatio: number;
}

export interface Secrets {
  databaseUrl: string | undefined;
  masterKeys: readonly string[] | undefined;
  classifierToken: string | undefined;
  otlpHeaders: Readonly<Record<string, string>>;
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
  GATEHOUSE_TRUSTED_PROXIES: {
    standard: '',
    meaning:
      'Proxies in front, as address or address/bits separated by commas: what they say in X-Forwarded-For is where a person signs in from.',
  },
  GATEHOUSE_DRAIN_MS: {
    standard: '1000',
    meaning:
      'How long after SIGTERM requests are still taken while /readyz answers 503 already: what the proxy in front needs to notice. At most 5000.',
  },
  GATEHOUSE_RATE_PER_MINUTE: {
    standard: '20000',
    meaning: 'Requests a minute for each key. 0 switches the limit off.',
  },
  GATEHOUSE_OWN_RULES_MAX: { standard: '25', meaning: 'Rules of its own that an app may have.' },
  GATEHOUSE_OWN_LISTS_MAX: { standard: '25', meaning: 'Keyword lists of its own that an app may have.' },
  GATEHOUSE_OWN_REASONS_MAX: { standard: '5', meaning: 'Reasons for flagging of its own that an app may have.' },
  GATEHOUSE_REVIEW_DAYS: {
    standard: '90',
    meaning: 'Days that blocked, flagged and reviewed messages are kept. 0 keeps them for ever.',
  },
  GATEHOUSE_APPROVED_HOURS: {
    standard: '24',
    meaning: 'Hours that approved messages are kept, to be listed, edited and flagged by their id. 0 keeps none.',
  },
  GATEHOUSE_APPROVED_MAX: { standard: '100000', meaning: 'Approved messages of an app that are kept at most.' },
  GATEHOUSE_BACKTEST_DAYS: {
    standard: '0',
    meaning: 'Days that approved messages are kept to try rules on. 0: rules cannot be tried on past messages.',
  },
  GATEHOUSE_RUNAWAY_FACTOR: {
    standard: '10',
    meaning: 'A rule that catches this many times its usual share is put into shadow. 0 switches the guard off.',
  },
  GATEHOUSE_RUNAWAY_HITS_MIN: {
    standard: '100',
    meaning: 'Messages a rule must have caught within five minutes before the guard looks at it.',
  },
  GATEHOUSE_BUSY_TIMEOUT_MS: {
    standard: '10000',
    meaning:
      'How long a change waits for another process that is writing to the embedded store, before it answers 503.',
  },
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
  GATEHOUSE_PRIVATE_HOSTS: {
    standard: '',
    meaning:
      'Hosts, as name or name:port separated by commas, that webhooks, custom APIs and attachments may reach at private addresses and by plain http.',
  },
  GATEHOUSE_APNS_HOST: {
    standard: '',
    meaning: "host:port that APNS pushes go to instead of Apple's: for trials and tests with gatehouse simulate.",
  },
  GATEHOUSE_FCM_HOST: {
    standard: '',
    meaning: "host:port that FCM pushes go to instead of Google's: for trials and tests with gatehouse simulate.",
  },
  GATEHOUSE_PUSH_CA: {
    standard: '',
    meaning:
      'File of a further certificate authority (PEM) that push connections trust, such as the one of gatehouse simulate.',
  },
  GATEHOUSE_LEASE_SECONDS: {
    standard: '20',
    meaning: 'After this long another process takes over the work of one that died.',
  },
  GATEHOUSE_PUSH_LOG_DAYS: { standard: '30', meaning: 'Days that push logs and finished notifications are kept.' },
  GATEHOUSE_WEBHOOKS_MAX: { standard: '10', meaning: 'Webhook endpoints that an app may have.' },
  GATEHOUSE_WEBHOOK_RETRY_MS: {
    standard: '5000',
    meaning: 'Wait before an event is sent a second time. Each wait is three times the one before, up to 6 hours.',
  },
  GATEHOUSE_WEBHOOK_PAUSE_AFTER_MS: {
    standard: '86400000',
    meaning: 'An endpoint that took nothing for this long is paused, with an alarm.',
  },
  GATEHOUSE_WEBHOOK_KEEP_DAYS: { standard: '7', meaning: 'Days that events and their deliveries are kept.' },
  GATEHOUSE_CUSTOM_API_CONCURRENCY: {
    standard: '32',
    meaning: "Requests to an app's custom moderation API at the same time.",
  },
  GATEHOUSE_CLASSIFIER: {
    standard: 'none',
    meaning: 'What scores images: none, bundled (see docs/guide/classifier.md for the install) or http.',
  },
  GATEHOUSE_CLASSIFIER_URL: { standard: '', meaning: 'Address of the http classifier.' },
  GATEHOUSE_CLASSIFIER_TOKEN: {
    standard: '',
    meaning: 'Secret. Sent to the http classifier as Authorization: Bearer.',
  },
  GATEHOUSE_CLASSIFIER_VERSION: {
    standard: '1',
    meaning: 'Scores are remembered under this name: change it when the model behind the http classifier changes.',
  },
  GATEHOUSE_FFMPEG: { standard: 'ffmpeg', meaning: 'The program that takes frames out of videos.' },
  GATEHOUSE_MEDIA_BYTES_MAX: { standard: '26214400', meaning: 'Bytes that are fetched of an attachment at most.' },
  GATEHOUSE_MEDIA_TIMEOUT_MS: {
    standard: '10000',
    meaning: 'Time to fetch and score the attachments of a message.',
  },
  GATEHOUSE_MEDIA_CONCURRENCY: {
    standard: '4',
    meaning: 'Attachments scored at the same time; four times as many are fetched.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    standard: '',
    meaning: 'Address of an OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318. Empty: no traces.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: { standard: 'http/json', meaning: 'http/json is the only one spoken.' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    standard: '',
    meaning: 'Secret. Headers for the collector, as name=value separated by commas, values percent-encoded.',
  },
  OTEL_SERVICE_NAME: { standard: 'gatehouse', meaning: 'Name of the service in traces.' },
  OTEL_TRACES_SAMPLER_ARG: {
    standard: '1',
    meaning: 'Share of the traces that are told, from 0 to 1. A traceparent that is sent along decides for its own.',
  },
  DATABASE_URL: { standard: '', meaning: 'Secret. postgres://... Empty: the embedded store.' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

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
      trustedProxies: addresses('GATEHOUSE_TRUSTED_PROXIES', value('GATEHOUSE_TRUSTED_PROXIES')),
      drainMs: whole('GATEHOUSE_DRAIN_MS', value('GATEHOUSE_DRAIN_MS'), 0, 5000),
      ratePerMinute: whole('GATEHOUSE_RATE_PER_MINUTE', value('GATEHOUSE_RATE_PER_MINUTE'), 0, 1_000_000_000),
      ownRulesMax: whole('GATEHOUSE_OWN_RULES_MAX', value('GATEHOUSE_OWN_RULES_MAX'), 0, 100_000),
      ownListsMax: whole('GATEHOUSE_OWN_LISTS_MAX', value('GATEHOUSE_OWN_LISTS_MAX'), 0, 100_000),
      ownReasonsMax: whole('GATEHOUSE_OWN_REASONS_MAX', value('GATEHOUSE_OWN_REASONS_MAX'), 0, 100_000),
      reviewDays: whole('GATEHOUSE_REVIEW_DAYS', value('GATEHOUSE_REVIEW_DAYS'), 0, 36_500),
      approvedHours: whole('GATEHOUSE_APPROVED_HOURS', value('GATEHOUSE_APPROVED_HOURS'), 0, 876_000),
      approvedMax: whole('GATEHOUSE_APPROVED_MAX', value('GATEHOUSE_APPROVED_MAX'), 0, 1_000_000_000),
      backtestDays: whole('GATEHOUSE_BACKTEST_DAYS', value('GATEHOUSE_BACKTEST_DAYS'), 0, 365),
      runawayFactor: whole('GATEHOUSE_RUNAWAY_FACTOR', value('GATEHOUSE_RUNAWAY_FACTOR'), 0, 1000),
      runawayHitsMin: whole('GATEHOUSE_RUNAWAY_HITS_MIN', value('GATEHOUSE_RUNAWAY_HITS_MIN'), 1, 1_000_000),
      busyTimeoutMs: whole('GATEHOUSE_BUSY_TIMEOUT_MS', value('GATEHOUSE_BUSY_TIMEOUT_MS'), 1, 600_000),
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
      privateHosts: hosts('GATEHOUSE_PRIVATE_HOSTS', value('GATEHOUSE_PRIVATE_HOSTS')),
      apnsHost: value('GATEHOUSE_APNS_HOST') || undefined,
      fcmHost: value('GATEHOUSE_FCM_HOST') || undefined,
      pushCaFile: value('GATEHOUSE_PUSH_CA') || undefined,
      leaseSeconds: whole('GATEHOUSE_LEASE_SECONDS', value('GATEHOUSE_LEASE_SECONDS'), 1, 3600),
      pushLogDays: whole('GATEHOUSE_PUSH_LOG_DAYS', value('GATEHOUSE_PUSH_LOG_DAYS'), 1, 3650),
      webhooksMax: whole('GATEHOUSE_WEBHOOKS_MAX', value('GATEHOUSE_WEBHOOKS_MAX'), 0, 1000),
      webhookRetryMs: whole('GATEHOUSE_WEBHOOK_RETRY_MS', value('GATEHOUSE_WEBHOOK_RETRY_MS'), 10, 3_600_000),
      webhookPauseAfterMs: whole(
        'GATEHOUSE_WEBHOOK_PAUSE_AFTER_MS',
        value('GATEHOUSE_WEBHOOK_PAUSE_AFTER_MS'),
        0,
        2_592_000_000,
      ),
      webhookKeepDays: whole('GATEHOUSE_WEBHOOK_KEEP_DAYS', value('GATEHOUSE_WEBHOOK_KEEP_DAYS'), 1, 365),
      customApiConcurrency: whole(
        'GATEHOUSE_CUSTOM_API_CONCURRENCY',
        value('GATEHOUSE_CUSTOM_API_CONCURRENCY'),
        1,
        10_000,
      ),
      ...classifierSettings(value),
      ffmpeg: value('GATEHOUSE_FFMPEG'),
      mediaBytesMax: whole('GATEHOUSE_MEDIA_BYTES_MAX', value('GATEHOUSE_MEDIA_BYTES_MAX'), 1024, 1_073_741_824),
      mediaTimeoutMs: whole('GATEHOUSE_MEDIA_TIMEOUT_MS', value('GATEHOUSE_MEDIA_TIMEOUT_MS'), 100, 120_000),
      mediaConcurrency: whole('GATEHOUSE_MEDIA_CONCURRENCY', value('GATEHOUSE_MEDIA_CONCURRENCY'), 1, 1000),
      ...tracingSettings(value),
    },
    secrets: {
      databaseUrl: databaseUrl(value('DATABASE_URL')),
      masterKeys: masterKeys(value('GATEHOUSE_MASTER_KEY'), value('GATEHOUSE_MASTER_KEY_PREVIOUS')),
      classifierToken: value('GATEHOUSE_CLASSIFIER_TOKEN') || undefined,
      otlpHeaders: otlpHeaders(value('OTEL_EXPORTER_OTLP_HEADERS')),
    },
  };
}

function classifierSettings(value: (name: keyof typeof variables) => string) {
  const classifier = oneOf('GATEHOUSE_CLASSIFIER', value('GATEHOUSE_CLASSIFIER'), ['none', 'bundled', 'http']);
  const classifierUrl = value('GATEHOUSE_CLASSIFIER_URL');
  if (classifier === 'http' && !/^https?:\/\//.test(classifierUrl))
    throw new ConfigError(
      'GATEHOUSE_CLASSIFIER_URL',
      'must be an http or https address when GATEHOUSE_CLASSIFIER is http.',
    );
  return { classifier, classifierUrl, classifierVersion: value('GATEHOUSE_CLASSIFIER_VERSION') };
}

function tracingSettings(value: (name: keyof typeof variables) => string) {
  const endpoint = value('OTEL_EXPORTER_OTLP_ENDPOINT');
  // Others set these too, for whatever runs beside us: they matter only where there is a collector.
  if (endpoint === '') return { otlpEndpoint: undefined, otlpServiceName: '', otlpRatio: 0 };
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'must be an http or https address. Leave it empty for no traces.',
    );
  oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', value('OTEL_EXPORTER_OTLP_PROTOCOL'), ['http/json']);
  const ratio = Number(value('OTEL_TRACES_SAMPLER_ARG'));
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1.');
  return { otlpEndpoint: endpoint, otlpServiceName: value('OTEL_SERVICE_NAME'), otlpRatio: ratio };
}
