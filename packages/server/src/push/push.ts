import { readFileSync } from 'node:fs';
import type { Events } from '../events.ts';
import { Dispatcher } from '../outbox/dispatcher.ts';
import type { Keyring } from '../store/seal.ts';
import type { Store } from '../store/store.ts';
import type { Outside } from '../webhooks/outside.ts';
import { Delivery } from './delivery.ts';
import { Notifications } from './notifications.ts';
import { UserPreferences } from './preferences.ts';
import { Providers } from './providers.ts';
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
  start(): void;
  stop(): Promise<void>;
}

export function openPush(
  store: Store,
  keyring: Keyring,
  outside: Outside,
  events: Events,
  options: PushSettings,
): Push {
  const { apnsHost, fcmHost, pushCaFile, region, privateHosts } = options;
  const ca = pushCaFile === undefined ? undefined : readFileSync(pushCaFile, 'utf8');
  const settings = new NotificationSettings(store);
  const senders = new Senders(store, keyring, { outside, apnsHost, fcmHost, ca, region, privateHosts });
  const delivery = new Delivery(store, senders, settings, events);
  const dispatcher = new Dispatcher(store, events, {
    kind: jobKind,
    handle: (job) => delivery.handle(job),
    leaseMs: options.leaseSeconds * 1000,
  });
  return {
    store,
    outside,
    fcmHost,
    providers: new Providers(store, keyring),
    tokens: new Tokens(store),
    senders,
    settings,
    preferences: new UserPreferences(store, settings),
    notifications: new Notifications(store, dispatcher),
    start: () => dispatcher.start(),
    stop: async () => {
      await dispatcher.stop();
      await senders.close();
    },
  };
}
