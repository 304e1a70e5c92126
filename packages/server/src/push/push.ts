import { readFileSync } from 'node:fs';
import type { CourierEvent } from '@gatehouse/courier';
import type { Events } from '../events.ts';
import { Dispatcher } from '../outbox/dispatcher.ts';
import type { HourlyCounts } from '../store/hourly-counts.ts';
import type { Keyring } from '../store/seal.ts';
import type { Store } from '../store/store.ts';
import type { Tracer } from '../tracing.ts';
import type { Outside } from '../webhooks/outside.ts';
import { Delivery } from './delivery.ts';
import { PushLogs } from './logs.ts';
import { type JudgeMessage, Rings } from './messages.ts';
import { Notifications } from './notifications.ts';
import { UserPreferences } from './preferences.ts';
import { Providers } from './providers.ts';
import { PushRetention } from './retention.ts';
import { jobKind } from './segment.ts';
import { Senders } from './senders.ts';
import { NotificationSettings } from './settings.ts';
import { Tokens } from './tokens.ts';

export interface PushSettings {
  region: string;
  privateHosts: readonly string[];
  apnsHost: string | undefined;
  fcmHost: string | undefined;
  pushCaFile: string | undefined;
  leaseSeconds: number;
  pushLogDays: number;
}

/** The room, opened: what the routes ask, and the loop that sends. */
export interface Push {
  store: Store;
  outside: Outside;
  fcmHost: string | undefined;
  providers: Providers;
  tokens: Tokens;
  senders: Senders;
  settings: NotificationSettings;
  preferences: UserPreferences;
  notifications: Notifications;
  rings: Rings;
  logs: PushLogs;
  retention: PushRetention;
  start(): void;
  stop(): Promise<void>;
}

/** Of one provider: enough that sending never waits for the store, few enough to send again after a crash. */
const segmentsInHand = 4;

/** On stop: how long pushes under way are waited for, and then how long it may take to write down what came of them. */
const underWayMs = 5000;
const settleMs = 3000;

/** What the room is handed by the wiring. */
export interface PushNeighbours {
  keyring: Keyring;
  outside: Outside;
  events: Events;
  counts: HourlyCounts;
  judge: JudgeMessage;
  tracer: Tracer | undefined;
}

export function openPush(
  store: Store,
  options: PushSettings,
  { keyring, outside, events, counts, judge, tracer }: PushNeighbours,
): Push {
  const { apnsHost, fcmHost, pushCaFile, region, privateHosts } = options;
  const ca = pushCaFile === undefined ? undefined : readFileSync(pushCaFile, 'utf8');
  const settings = new NotificationSettings(store);
  const onEvent = ({ name, provider, origin, detail }: CourierEvent): void => {
    if (name === 'breakerOpened') events.info('push vendor fails', { provider, origin, detail });
    if (name === 'breakerClosed') events.info('push vendor answers again', { provider, origin });
    if (name === 'platformRefused') events.alarm('push platform stopped', { provider, origin, detail });
  };
  const senders = new Senders(store, keyring, { outside, apnsHost, fcmHost, ca, region, privateHosts, onEvent });
  const delivery = new Delivery(store, senders, settings, events, counts);
  const dispatcher = new Dispatcher(store, events, {
    kind: jobKind,
    handle: (job) => delivery.handle(job),
    leaseMs: options.leaseSeconds * 1000,
    perLane: segmentsInHand,
    tracer,
  });
  const notifications = new Notifications(store, dispatcher, delivery);
  const retention = new PushRetention(store, events, options.pushLogDays * 86_400_000);
  return {
    store,
    outside,
    fcmHost,
    providers: new Providers(store, keyring),
    tokens: new Tokens(store),
    senders,
    settings,
    preferences: new UserPreferences(store, settings),
    notifications,
    rings: new Rings(store, judge, settings, notifications),
    logs: new PushLogs(store),
    retention,
    start: () => {
      dispatcher.start();
      retention.start();
    },
    stop: async () => {
      await retention.stop();
      const stopped = dispatcher.stop(underWayMs + settleMs);
      delivery.leave(underWayMs);
      await stopped;
      await senders.close();
    },
  };
}
