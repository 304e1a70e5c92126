export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export const APNS_PUSH_TYPES = [
  'alert',
  'background',
  'voip',
  'complication',
  'fileprovider',
  'mdm',
  'location',
  'liveactivity',
  'pushtotalk',
  'widgets',
  'controls',
] as const;
export type ApnsPushType = (typeof APNS_PUSH_TYPES)[number];

/** An APNs Live Activity update; times are epoch seconds. */
export interface LiveActivity {
  readonly event: 'start' | 'update' | 'end';
  readonly timestamp: number;
  readonly contentState: JsonObject;
  readonly staleDate?: number;
  readonly dismissalDate?: number;
  readonly attributesType?: string;
  readonly attributes?: JsonObject;
  readonly relevanceScore?: number;
}

/** One notification, in the words of no vendor. `prepare` turns it into a vendor's bytes, once for any number of devices. */
export interface Notification {
  readonly title?: string;
  readonly subtitle?: string;
  readonly body?: string;
  /** Beside `aps` on APNs, `message.data` on FCM (values become strings), `data` on Web Push. */
  readonly data?: JsonObject;
  readonly sound?: string | { readonly critical: boolean; readonly name: string; readonly volume: number };
  readonly badge?: number;
  readonly image?: string;
  readonly category?: string;
  readonly threadId?: string;
  readonly contentAvailable?: boolean;
  readonly mutableContent?: boolean;
  /** A later notification with the same id replaces this one. At most 64 bytes on APNs. */
  readonly collapseId?: string;
  /**
   * Where there is no collapse id: what a device shows takes the place of what it shows under the same tag, so that a push that
   * arrives twice is seen once. FCM keeps but four collapse keys a device, so there it marks only what is shown.
   */
  readonly tag?: string;
  /** How long a provider may keep it for a device that is away. 0: one try. Absent: the provider's own policy. */
  readonly ttlSeconds?: number;
  readonly priority?: 'high' | 'normal' | 'low';
  readonly liveActivity?: LiveActivity;
  /** What only one vendor knows; merged over what the fields above made, object by object. */
  readonly apns?: {
    readonly pushType?: ApnsPushType;
    /** Full topic; by default the bundle id with the push type's suffix. */
    readonly topic?: string;
    readonly payload?: JsonObject;
    /** Broadcast to a channel (`sendBroadcast`). */
    readonly channelId?: string;
  };
  /** Merged into FCM's `message` (`android`, `webpush`, `apns`, `fcm_options`, ...). */
  readonly fcm?: JsonObject & { readonly notification?: JsonValue };
  /** FCM only: send no `notification` block; title and body are in `data`, for the app to show. */
  readonly fcmDataOnly?: boolean;
  readonly webpush?: { readonly urgency?: 'very-low' | 'low' | 'normal' | 'high'; readonly payload?: JsonObject };
}
