import { generateKeyPairSync } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import type { ServiceAccount, WebPushTarget } from '../options.ts';
import { ApnsRules, type ApnsRulesOptions } from './apns-rules.ts';
import { makeCertificates } from './certificates.ts';
import { startControl, startOAuth } from './control.ts';
import { Endpoint, type FaultCounts } from './endpoint.ts';
import { changeFaults, type Faults, NO_FAULTS, ONCE_FAULTS, type OnceFault, seededRandom } from './faults.ts';
import { FcmRules, type FcmRulesOptions } from './fcm-rules.ts';
import { Records } from './records.ts';
import { WebPushRules } from './webpush-rules.ts';

export { type Certificates, makeCertificates } from './certificates.ts';
export type { FaultCounts } from './endpoint.ts';
export { type Faults, NO_FAULTS, type OnceFault, parseFaults, seededRandom } from './faults.ts';
export type { Comparison, PushRecord, RecordCounts, Records } from './records.ts';

export type ProviderName = 'apns' | 'fcm' | 'webpush';

export interface SimulatorOptions {
  /** Ports; 0 or absent takes a free one. */
  readonly ports?: { readonly [name in ProviderName | 'oauth' | 'control']?: number };
  /** What the simulated Apple knows. A key of its own is made for what is not given. */
  readonly apns?: Partial<ApnsRulesOptions>;
  /** What the simulated Google knows. A service account is made for what is not given. */
  readonly fcm?: Partial<FcmRulesOptions>;
  /** Faults of every provider from the start. */
  readonly faults?: Partial<Faults>;
  /** Makes the faults repeatable. */
  readonly seed?: number;
  /** Pushes kept in full, a provider. 1,000; 0 keeps counts and ids only, and is fastest. */
  readonly keepLatest?: number;
  readonly clock?: Clock;
}

export interface SimulatedProvider {
  readonly records: Records;
  /** Changes some faults from now on. */
  setFaults(changes: Partial<Faults>): void;
  /** Lets something happen to the next push to this token or endpoint. */
  once(target: string, fault: OnceFault): void;
  /** How often connections and streams were made to fail so far. */
  readonly faultCounts: Readonly<FaultCounts>;
  /** Cuts every connection now. */
  cutConnections(): void;
}

export interface Simulator {
  /** The certificate authority to trust, PEM. */
  readonly ca: string;
  readonly apns: SimulatedProvider & {
    /** `host` of `createApnsSender`. */
    readonly host: string;
    readonly keyId: string;
    readonly teamId: string;
    readonly bundleId: string;
    readonly p8Key: string;
    /** The token answers 410 with this timestamp from now on. */
    kill(token: string, timestampMs: number): void;
  };
  readonly fcm: SimulatedProvider & {
    /** `endpoint` of `createFcmSender`. */
    readonly endpoint: string;
    readonly serviceAccount: ServiceAccount;
    kill(token: string): void;
    /** Every access token given out so far is refused from now on. */
    revokeTokens(): void;
  };
  readonly webpush: SimulatedProvider & {
    readonly origin: string;
    subscribe(): WebPushTarget;
    kill(endpoint: string): void;
    /** The subscription answers 403 from now on, as one that was made for another key. */
    refuse(endpoint: string): void;
  };
  /** Base address of the HTTP API: GET /state, PUT /faults, GET and DELETE /records, POST /records/compare, POST /subscriptions, POST /once, POST /cut. */
  readonly controlUrl: string;
  close(): Promise<void>;
}

function makeApns(given: Partial<ApnsRulesOptions> = {}): ApnsRulesOptions {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return {
    keyId: given.keyId ?? 'SIMKEY0001',
    teamId: given.teamId ?? 'SIMTEAM001',
    bundleId: given.bundleId ?? 'com.example.chat',
    p8Key: given.p8Key ?? privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** An RSA key takes a while to make: one serves all simulators of a process. */
let accountKey: string | undefined;

function makeFcm(given: Partial<FcmRulesOptions> = {}): FcmRulesOptions {
  return {
    projectId: given.projectId ?? 'simulated',
    clientEmail: given.clientEmail ?? 'sender@simulated.iam.gserviceaccount.com',
    privateKey: given.privateKey ?? makeAccountKey(),
  };
}

function makeAccountKey(): string {
  accountKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  return accountKey;
}

function provider(endpoint: Endpoint, records: Records): SimulatedProvider {
  return {
    records,
    setFaults: (changes) => {
      endpoint.faults = changeFaults(endpoint.faults, changes);
    },
    once: (target, fault) => endpoint.once(target, fault),
    faultCounts: endpoint.faultCounts,
    cutConnections: () => endpoint.cutAll(),
  };
}

/** Starts APNs, FCM with its OAuth endpoint, Web Push and the control API, all on 127.0.0.1. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const clock = options.clock ?? systemClock;
  const certificates = makeCertificates(['localhost'], ['127.0.0.1']);
  const random = seededRandom(options.seed ?? 1);
  const faults = changeFaults(NO_FAULTS, options.faults ?? {});
  const apnsOptions = makeApns(options.apns);
  const fcmOptions = makeFcm(options.fcm);
  const rules = {
    apns: new ApnsRules(apnsOptions, clock),
    fcm: new FcmRules(fcmOptions, clock),
    webpush: new WebPushRules(clock),
  };
  const newRecords = (): Records => new Records(options.keepLatest ?? 1_000);
  const records = { apns: newRecords(), fcm: newRecords(), webpush: newRecords() };
  const endpoints = {
    apns: new Endpoint(certificates, rules.apns, records.apns, faults, random),
    fcm: new Endpoint(
      certificates,
      rules.fcm,
      records.fcm,
      { ...faults, streams: Math.min(faults.streams, 100) },
      random,
    ),
    webpush: new Endpoint(
      certificates,
      rules.webpush,
      records.webpush,
      { ...faults, streams: Math.min(faults.streams, 100) },
      random,
    ),
  };
  const apnsPort = await endpoints.apns.listen(options.ports?.apns ?? 0);
  const fcmPort = await endpoints.fcm.listen(options.ports?.fcm ?? 0);
  const webpushPort = await endpoints.webpush.listen(options.ports?.webpush ?? 0);
  const oauth = await startOAuth(certificates, rules.fcm, options.ports?.oauth ?? 0);
  rules.fcm.tokenUri = `https://localhost:${oauth.port}/token`;
  rules.webpush.origin = `https://localhost:${webpushPort}`;
  const providers = {
    apns: provider(endpoints.apns, records.apns),
    fcm: provider(endpoints.fcm, records.fcm),
    webpush: provider(endpoints.webpush, records.webpush),
  };
  const control = await startControl(controlRoutes(endpoints, records, rules.webpush), options.ports?.control ?? 0);
  return {
    ca: certificates.ca,
    apns: {
      ...providers.apns,
      ...apnsOptions,
      host: `localhost:${apnsPort}`,
      kill: (token, ms) => rules.apns.kill(token, ms),
    },
    fcm: {
      ...providers.fcm,
      endpoint: `https://localhost:${fcmPort}`,
      serviceAccount: {
        project_id: fcmOptions.projectId,
        client_email: fcmOptions.clientEmail,
        private_key: fcmOptions.privateKey,
        token_uri: rules.fcm.tokenUri,
      },
      kill: (token) => rules.fcm.kill(token),
      revokeTokens: () => rules.fcm.revokeTokens(),
    },
    webpush: {
      ...providers.webpush,
      origin: rules.webpush.origin,
      subscribe: () => rules.webpush.subscribe(),
      kill: (endpoint) => rules.webpush.kill(endpoint),
      refuse: (endpoint) => rules.webpush.refuse(endpoint),
    },
    controlUrl: `http://127.0.0.1:${control.port}`,
    close: async () => {
      await Promise.all([
        endpoints.apns.close(),
        endpoints.fcm.close(),
        endpoints.webpush.close(),
        oauth.close(),
        control.close(),
      ]);
    },
  };
}

type ByProvider<T> = { readonly [name in ProviderName]: T };

/** What a body names, or all of them: `{"provider": "apns", ...}`. */
function named(body: unknown): readonly ProviderName[] {
  const all: readonly ProviderName[] = ['apns', 'fcm', 'webpush'];
  const name = typeof body === 'object' && body !== null && 'provider' in body ? body.provider : undefined;
  if (name === undefined) return all;
  const chosen = all.filter((candidate) => candidate === name);
  if (chosen.length === 0) throw new TypeError(`there is no provider "${String(name)}"`);
  return chosen;
}

/** `{"target": "...", "fault": "goaway"}` */
function onceOf(body: unknown): { target: string; fault: OnceFault } {
  const given =
    typeof body === 'object' && body !== null ? { target: '', fault: '', ...body } : { target: '', fault: '' };
  const fault = ONCE_FAULTS.find((name) => name === given.fault);
  if (fault === undefined) throw new TypeError(`fault must be one of ${ONCE_FAULTS.join(', ')}`);
  if (typeof given.target !== 'string' || given.target === '')
    throw new TypeError('target must be a token or endpoint');
  return { target: given.target, fault };
}

function controlRoutes(endpoints: ByProvider<Endpoint>, records: ByProvider<Records>, webpush: WebPushRules) {
  const each = <T>(make: (name: ProviderName) => T): ByProvider<T> => ({
    apns: make('apns'),
    fcm: make('fcm'),
    webpush: make('webpush'),
  });
  return {
    'GET /state': () =>
      each((name) => ({
        connections: endpoints[name].connections,
        faults: endpoints[name].faults,
        faultCounts: endpoints[name].faultCounts,
        counts: records[name].counts(),
      })),
    'PUT /faults': (body: unknown) => {
      const { provider: _chosen, ...changes } =
        typeof body === 'object' && body !== null ? { provider: undefined, ...body } : { provider: undefined };
      for (const name of named(body)) endpoints[name].faults = changeFaults(endpoints[name].faults, changes);
      return each((name) => endpoints[name].faults);
    },
    'GET /records': () => each((name) => records[name].latest()),
    'DELETE /records': () => {
      for (const kept of Object.values(records)) kept.clear();
    },
    'POST /records/compare': (body: unknown) => {
      const ids = typeof body === 'object' && body !== null && 'sent' in body ? body.sent : undefined;
      if (!Array.isArray(ids)) throw new TypeError('sent must be the list of ids that were sent');
      const sent = ids.map(String);
      const [name = 'apns'] = typeof body === 'object' && body !== null && 'provider' in body ? named(body) : [];
      return records[name].compare(sent);
    },
    'POST /cut': (body: unknown) => {
      for (const name of named(body)) endpoints[name].cutAll();
    },
    'POST /once': (body: unknown) => {
      const { target, fault } = onceOf(body);
      for (const name of named(body)) endpoints[name].once(target, fault);
    },
    'POST /subscriptions': () => webpush.subscribe(),
  };
}
