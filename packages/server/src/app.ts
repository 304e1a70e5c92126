import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createCredentials } from './apps/credentials.ts';
import { appRoutes } from './apps/routes.ts';
import { deviceRoutes } from './apps/routes-device.ts';
import { overviewRoutes } from './apps/routes-overview.ts';
import { peopleRoutes } from './apps/routes-people.ts';
import { serviceRoutes } from './apps/routes-service.ts';
import { sessionRoutes } from './apps/routes-sessions.ts';
import { SignIn } from './apps/sign-in.ts';
import { openTracing, type Tracing } from './collector.ts';
import type { Config } from './config.ts';
import { createEvents, type Events, type EventsOptions } from './events.ts';
import { registerDashboard } from './http/dashboard.ts';
import { type Readiness, registerHealth } from './http/health.ts';
import { registerOperations } from './http/operation.ts';
import { RateLimit } from './http/rate-limit.ts';
import { describeOperations, registerReference } from './http/reference.ts';
import { createHttpServer } from './http/server.ts';
import { traceRequests } from './http/trace-requests.ts';
import { BundledClassifier } from './moderation/classifier-bundled.ts';
import { HttpClassifier } from './moderation/classifier-http.ts';
import { CustomApi } from './moderation/custom-api.ts';
import { GatheredEvidence } from './moderation/gather-evidence.ts';
import { Media } from './moderation/media.ts';
import { MediaFetcher } from './moderation/media-fetcher.ts';
import { FrameTaker } from './moderation/media-frames.ts';
import { openModeration } from './moderation/moderation.ts';
import { moderationRoutes } from './moderation/routes.ts';
import { attachmentRoutes } from './moderation/routes-attachments.ts';
import { settingsRoutes } from './moderation/routes-settings.ts';
import { SettingsOfApps } from './moderation/settings.ts';
import { moderationState } from './moderation/statistics.ts';
import { Turnstile } from './moderation/turnstile.ts';
import { openKeyring, openStore } from './open-store.ts';
import { watchSharedClock } from './outbox/clock-watch.ts';
import { Dispatcher } from './outbox/dispatcher.ts';
import { openPush } from './push/push.ts';
import { pushRoutes } from './push/routes.ts';
import { pushState } from './push/statistics.ts';
import { refuseForeignSecrets } from './rotate-master-key.ts';
import { HourlyCounts } from './store/hourly-counts.ts';
import type { Keyring } from './store/seal.ts';
import type { Store } from './store/store.ts';
import { Deliveries } from './webhooks/deliver.ts';
import { jobKind as webhookJobs } from './webhooks/delivery.ts';
import { Endpoints } from './webhooks/endpoints.ts';
import { Outside } from './webhooks/outside.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { troubledEndpoints } from './webhooks/statistics.ts';

/** The whole service, not yet listening. */
export interface App {
  server: FastifyInstance;
  store: Store;
  keyring: Keyring;
  events: Events;
  /** The OpenAPI document. */
  describe(): Promise<object>;
  /** From now on the process says that it is not ready, and serves all the same. */
  retire(): void;
  /** Stops taking work, finishes what is under way, closes the store. */
  close(): Promise<void>;
}

export interface AppOptions {
  logTo?: EventsOptions['destination'];
  /** A store that is being opened already. */
  opening?: Promise<Store>;
  /** Runs though some secrets cannot be opened any more. */
  isKeyLost?: boolean;
}

/** The only wiring: everything is made here, in order, and handed to what needs it. */
export async function openApp(config: Config, { logTo, opening, isKeyLost = false }: AppOptions = {}): Promise<App> {
  const { settings } = config;
  const events = createEvents({ logLevel: settings.logLevel, ...(logTo && { destination: logTo }) });
  const store = await (opening ?? openStore(config));
  const keyring = await keyringBeside(store, config, isKeyLost);
  const readiness: Readiness = { stopping: false };

  const tracing = tracingOf(config, events);
  const tracer = tracing?.tracer;
  const outside = new Outside(settings.privateHosts, tracer);
  const appSettings = new SettingsOfApps(store, keyring, outside);
  const customApi = new CustomApi(appSettings, outside, events, { concurrency: settings.customApiConcurrency });
  const media = openMedia(config, store, outside, events);
  const evidence = new GatheredEvidence(appSettings, customApi, media, events);

  const endpoints = new Endpoints(store, keyring, outside, { endpointsMax: settings.webhooksMax });
  const counts = new HourlyCounts(store);
  const moderation = openModeration(store, settings, {
    events,
    counts,
    evidence,
    hasListener: (appId, trigger) => endpoints.hasListener(appId, trigger),
  });
  const push = openPush(store, settings, {
    keyring,
    outside,
    events,
    counts,
    judge: (appId, message) => moderation.messages.judgeMessage(appId, message),
    tracer,
  });
  const deliveries = new Deliveries(store, keyring, outside, events, {
    region: settings.region,
    firstRetryMs: settings.webhookRetryMs,
    pauseAfterMs: settings.webhookPauseAfterMs,
    keepMs: settings.webhookKeepDays * 86_400_000,
  });
  const webhookDispatcher = new Dispatcher(store, events, {
    kind: webhookJobs,
    // An endpoint is asked so many things at once: one that takes 50 ms then hears of 300 events a second.
    perLane: 16,
    handle: (job) => deliveries.deliver(job),
    tracer,
  });

  const server = createHttpServer(events, settings.trustedProxies);
  if (tracer !== undefined) traceRequests(server, tracer);
  registerHealth(server, store, events, readiness);
  const operations = [
    ...appRoutes(store, settings.region),
    ...deviceRoutes(store),
    ...sessionRoutes(store, new SignIn(store)),
    ...peopleRoutes(store),
    ...overviewRoutes({
      counts,
      moderation: (appId) => moderationState(store, appId),
      push: (appId) => pushState(store, appId),
      endpoints: (appId) => troubledEndpoints(store, appId),
    }),
    ...serviceRoutes(store, settings, () => media.problems()),
    ...moderationRoutes(moderation),
    ...settingsRoutes(appSettings, media),
    ...attachmentRoutes(store, outside, { bytesMax: settings.mediaBytesMax, timeoutMs: settings.mediaTimeoutMs }),
    ...pushRoutes(push),
    ...webhookRoutes(endpoints, deliveries),
  ];
  const gate = {
    hosts: settings,
    credentials: createCredentials(store),
    rateLimit: new RateLimit(settings.ratePerMinute),
  };
  registerOperations(server, operations, gate);
  const describe = () => describeOperations((other) => registerOperations(other, operations, gate));
  registerReference(server, describe);
  registerDashboard(server, fileURLToPath(new URL('../../dashboard/dist/', import.meta.url)), settings);
  await server.ready();
  push.start();
  webhookDispatcher.start();
  deliveries.startForgetting();
  moderation.retention.start();
  media.startForgetting();
  void media.raiseAlarms();
  const unwatchClock = watchSharedClock(store, events);

  const retire = (): void => {
    readiness.stopping = true;
  };
  const close = async (): Promise<void> => {
    retire();
    // A connection whose last request is answered now would be kept for the next one, and hold up the end.
    const sweep = setInterval(() => server.server.closeIdleConnections(), 50);
    await server.close();
    clearInterval(sweep);
    await moderation.close();
    await Promise.all([push.stop(), webhookDispatcher.stop()]);
    deliveries.stopForgetting();
    unwatchClock();
    await media.close();
    outside.close();
    await counts.flush();
    await store.close();
    await tracing?.stop();
    events.flush();
  };
  return { server, store, keyring, events, describe, retire, close };
}

/** Without its keys the service cannot run, and a store left open would hold up the end of the process. */
async function keyringBeside(store: Store, config: Config, isKeyLost: boolean): Promise<Keyring> {
  try {
    const keyring = openKeyring(config);
    if (!isKeyLost) await refuseForeignSecrets(store, keyring);
    return keyring;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function tracingOf({ settings, secrets }: Config, events: Events): Tracing | undefined {
  const { otlpEndpoint: endpoint, otlpServiceName: serviceName, otlpRatio: ratio } = settings;
  if (endpoint === undefined) return undefined;
  return openTracing({ endpoint, serviceName, ratio, headers: secrets.otlpHeaders }, events);
}

function openMedia({ settings, secrets }: Config, store: Store, outside: Outside, events: Events): Media {
  const http = { url: settings.classifierUrl, version: settings.classifierVersion, token: secrets.classifierToken };
  const classifier = {
    none: () => undefined,
    http: () => new HttpClassifier(outside, events, http),
    bundled: () => new BundledClassifier(events),
  }[settings.classifier]();
  return new Media(
    {
      store,
      fetcher: new MediaFetcher(outside, events, {
        bytesMax: settings.mediaBytesMax,
        firstByteMs: Math.ceil(settings.mediaTimeoutMs * 0.3),
        places: settings.mediaConcurrency * 4,
      }),
      events,
      classifier,
      frameTaker: new FrameTaker(settings.ffmpeg),
      turnstile: new Turnstile({
        insideMax: settings.mediaConcurrency,
        insidePerApp: Math.max(1, settings.mediaConcurrency - 1),
        waitingPerApp: settings.mediaConcurrency * 64,
      }),
    },
    { timeoutMs: settings.mediaTimeoutMs },
  );
}
