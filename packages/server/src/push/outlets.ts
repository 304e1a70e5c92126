import {
  type ApnsHubs,
  type CourierEvent,
  createApnsSender,
  createFcmSender,
  createWebPushSender,
  type Notification,
  type OnOutcome,
  type Sender,
  type WebPushTarget,
} from '@gatehouse/courier';
import type { Outside } from '../webhooks/outside.ts';
import type { ApnsSettings } from './apns-provider.ts';
import { CustomOutlet } from './custom-outlet.ts';
import type { CustomSettings } from './custom-provider.ts';
import type { FcmSettings } from './fcm-provider.ts';
import { fcmFamilyOf } from './platforms.ts';
import type { ProviderRow } from './provider.ts';
import type { WebPushSettings } from './webpush-provider.ts';

/** Sends a notification that is loaded already. False: no room, wait for `onDrain`. */
export type Post = (token: string, context: number, onOutcome: OnOutcome, id: string) => boolean;

/** A provider one can send through, whatever its kind. */
export interface Outlet {
  /** Platforms of the same variant get the same bytes. */
  variantOf(platform: string): string;
  /** Encodes once for any number of devices of a variant. Throws courier's NotificationError when it cannot be made to fit. */
  load(notification: Notification, variant: string, isUrgent: boolean): Post;
  onDrain(listener: () => void): () => void;
  /** Pushes taken that have not left yet, and that all others wait behind. */
  waiting(): number;
  readonly isClosed: boolean;
  /** False: switched off by its operator, though a test may still go out. */
  readonly isEnabled: boolean;
  /** Takes nothing more, and waits `graceMs` at most for what is under way. */
  close(graceMs?: number): Promise<void>;
}

export interface OutletOptions {
  hubs: ApnsHubs;
  outside: Outside;
  privateHosts: readonly string[];
  apnsHost: string | undefined;
  fcmHost: string | undefined;
  ca: string | undefined;
  /** Of the service, for the envelope of the custom provider. */
  appId: string;
  region: string;
  onEvent: (event: CourierEvent) => void;
}

export function openOutlet(row: ProviderRow, secret: string, options: OutletOptions): Outlet {
  switch (row.kind) {
    case 'apns':
      return openApns(JSON.parse(row.settings) as ApnsSettings, secret, options);
    case 'fcm':
      return openFcm(JSON.parse(row.settings) as FcmSettings, secret, options);
    case 'webpush':
      return openWebPush(JSON.parse(row.settings) as WebPushSettings, secret, options);
    case 'custom':
      return new CustomOutlet(JSON.parse(row.settings) as CustomSettings, secret, options);
  }
}

const trusted = (ca: string | undefined) => (ca === undefined ? {} : { ca });

function openApns(settings: ApnsSettings, p8Key: string, { hubs, apnsHost, ca, onEvent }: OutletOptions): Outlet {
  const { keyId, teamId, bundleId, productionMode, includeContentAvailable, includeMutableContent } = settings;
  const sender = createApnsSender(
    {
      keyId,
      teamId,
      bundleId,
      p8Key,
      production: productionMode,
      includeContentAvailable,
      includeMutableContent,
      onEvent,
      ...(apnsHost !== undefined && { host: apnsHost }),
      ...trusted(ca),
    },
    hubs,
  );
  return new VendorOutlet(sender, (token) => token);
}

function isCall({ data, apns }: Notification): boolean {
  return data?.type === 'call' || apns?.pushType === 'voip';
}

/** The simulator has no quota to respect. */
const unlimited = { pushesPerMinute: 60_000_000, rampMs: 0 };

function openFcm(settings: FcmSettings, privateKey: string, { fcmHost, ca, onEvent }: OutletOptions): Outlet {
  const sender = createFcmSender({
    serviceAccount: { ...settings.serviceAccountCreds, private_key: privateKey },
    onEvent,
    ...(fcmHost !== undefined && { endpoint: `https://${fcmHost}`, ...unlimited }),
    ...trusted(ca),
  });
  const { notificationInPayload } = settings;
  return new VendorOutlet(sender, (token) => token, {
    variantOf: fcmFamilyOf,
    // Apps for which FCM shows nothing get title and body among their data, and show them themselves.
    adapt(notification, variant) {
      const shown = notificationInPayload[fcmFamilyOf(`fcm_${variant}`)];
      return (isCall(notification) ? shown.call : shown.chat) ? notification : { ...notification, fcmDataOnly: true };
    },
  });
}

function openWebPush(
  settings: WebPushSettings,
  privateKey: string,
  { privateHosts, ca, onEvent }: OutletOptions,
): Outlet {
  const options = {
    vapid: { publicKey: settings.vapidPublicKey, privateKey },
    subject: settings.subject,
    onEvent,
    ...trusted(ca),
  };
  const target = (stored: string): WebPushTarget => JSON.parse(stored) as WebPushTarget;
  const guarded = new VendorOutlet(createWebPushSender(options), target);
  const open = new VendorOutlet(createWebPushSender({ ...options, allowPrivate: true }), target);
  const isAllowed = (stored: string): boolean => {
    const { host, hostname } = new URL(target(stored).endpoint);
    return privateHosts.includes(host) || privateHosts.includes(hostname);
  };
  return new TwoOutlets(guarded, open, isAllowed);
}

/** How one notification differs between the platforms of a provider. */
interface Variants {
  variantOf(platform: string): string;
  adapt(notification: Notification, variant: string): Notification;
}

const noVariants: Variants = { variantOf: () => '', adapt: (notification) => notification };

class VendorOutlet<T, M> implements Outlet {
  isClosed = false;
  readonly isEnabled = true;
  private readonly sender: Sender<T, M>;
  private readonly targetOf: (token: string) => T;
  private readonly variants: Variants;

  constructor(sender: Sender<T, M>, targetOf: (token: string) => T, variants: Variants = noVariants) {
    this.sender = sender;
    this.targetOf = targetOf;
    this.variants = variants;
  }

  variantOf(platform: string): string {
    return this.variants.variantOf(platform);
  }

  load(notification: Notification, variant: string, isUrgent: boolean): Post {
    const { sender, targetOf } = this;
    const message = sender.prepare(this.variants.adapt(notification, variant));
    return (token, context, onOutcome, id) => sender.send(targetOf(token), message, context, onOutcome, id, isUrgent);
  }

  onDrain(listener: () => void): () => void {
    return this.sender.onDrain(listener);
  }

  waiting(): number {
    return this.sender.state().queued;
  }

  close(graceMs?: number): Promise<void> {
    this.isClosed = true;
    return this.sender.close(graceMs);
  }
}

/** Hosts that the operator allowed by name are reached although they are private; nobody else's are. */
class TwoOutlets implements Outlet {
  isClosed = false;
  readonly isEnabled = true;
  private readonly guarded: Outlet;
  private readonly open: Outlet;
  private readonly isAllowed: (token: string) => boolean;

  constructor(guarded: Outlet, open: Outlet, isAllowed: (token: string) => boolean) {
    this.guarded = guarded;
    this.open = open;
    this.isAllowed = isAllowed;
  }

  variantOf(): string {
    return '';
  }

  load(notification: Notification, variant: string, isUrgent: boolean): Post {
    const guarded = this.guarded.load(notification, variant, isUrgent);
    const open = this.open.load(notification, variant, isUrgent);
    return (token, context, onOutcome, id) => (this.isAllowed(token) ? open : guarded)(token, context, onOutcome, id);
  }

  onDrain(listener: () => void): () => void {
    const stops = [this.guarded.onDrain(listener), this.open.onDrain(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Each push service has a line of its own: one that is silent holds up nobody at the others. */
  waiting(): number {
    return 0;
  }

  async close(graceMs?: number): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.guarded.close(graceMs), this.open.close(graceMs)]);
  }
}
