import type { SenderOptions } from './sender.ts';

export interface ApnsOptions extends SenderOptions {
  /** Ten characters, as Apple shows beside the key. */
  readonly keyId: string;
  readonly teamId: string;
  readonly bundleId: string;
  /** The `.p8` file's text (PEM, PKCS#8, P-256). */
  readonly p8Key: string;
  /** True: api.push.apple.com. False: api.sandbox.push.apple.com. */
  readonly production: boolean;
  /** `host` or `host:port` instead of Apple's, for a simulator. */
  readonly host?: string;
  /** Set on every alert that does not say otherwise. */
  readonly includeContentAvailable?: boolean;
  readonly includeMutableContent?: boolean;
}

export interface ServiceAccount {
  readonly project_id: string;
  readonly client_email: string;
  /** PEM, PKCS#8, RSA. */
  readonly private_key: string;
  readonly private_key_id?: string;
  readonly token_uri?: string;
}

export interface FcmOptions extends SenderOptions {
  readonly serviceAccount: ServiceAccount;
  /** Origin instead of `https://fcm.googleapis.com`, for a simulator. */
  readonly endpoint?: string;
  /** `validate_only`: the provider checks and does not deliver. */
  readonly dryRun?: boolean;
  /** Google's quota: 600,000 a minute a project. */
  readonly pushesPerMinute?: number;
  /** From none to the full rate over this long; Google asks for 60,000 ms or more. */
  readonly rampMs?: number;
}

/** What a device says as its target on FCM: a registration token, or one of the others. */
export type FcmTarget = string | { readonly fid: string } | { readonly topic: string } | { readonly condition: string };

export interface VapidKeys {
  /** Base64url, 65 bytes uncompressed P-256. */
  readonly publicKey: string;
  /** Base64url, 32 bytes. */
  readonly privateKey: string;
}

export interface WebPushOptions extends SenderOptions {
  readonly vapid: VapidKeys;
  /** `mailto:` or `https:`; push services write there when something is wrong. */
  readonly subject: string;
  /** Lets endpoints in private ranges through, for a simulator or a push service of one's own. Never on for endpoints of strangers. */
  readonly allowPrivate?: boolean;
  /** Body bytes before encryption, at most. 3,993; Mozilla's mobile bridge takes 2,744. */
  readonly plaintextBytesMax?: number;
}

/** A browser's PushSubscription, flattened; UnifiedPush gives the same. */
export interface WebPushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface WebhookOptions {
  readonly timeoutMs?: number;
  readonly queueMax?: number;
  /** Calls in flight at once, and at one host. 64 and 8. */
  readonly concurrency?: number;
  readonly concurrencyPerHost?: number;
  readonly allowPrivate?: boolean;
  readonly ca?: string | readonly string[];
  readonly onEvent?: SenderOptions['onEvent'];
}

export interface WebhookTarget {
  readonly url: string;
  /** `whsec_<base64>`; several while a secret is being changed. */
  readonly secrets: readonly string[];
  /** Extra headers, such as an `authorization` the receiver asked for. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A webhook's body as it will be signed. */
export interface WebhookMessage {
  readonly body: string;
  readonly contentType?: string;
}
