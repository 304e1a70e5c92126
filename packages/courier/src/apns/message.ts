import type { SteadyHeaders } from '../h2/transport.ts';
import type { Notification } from '../notification.ts';
import { NotificationError } from '../sender.ts';
import { type AlertDefaults, checkCollapseId, encodePayload, PUSH_TYPES, priorityOf, pushTypeOf } from './payload.ts';

/** A notification in Apple's bytes, for any number of devices. */
export interface ApnsMessage {
  readonly steady: SteadyHeaders;
  readonly payload: Uint8Array;
  /** Epoch seconds as text; '' when the storage policy is Apple's own. */
  readonly expiration: string;
  readonly collapseId: string;
  readonly channelId: string;
  readonly bundleId: string;
  /** The same within fewer bytes, for the day Apple finds it too large. */
  smaller(): ApnsMessage | undefined;
}

/** Bytes a payload is cut to after a 413. */
const SMALLER_BYTES = 2_048;

/** Makes messages for one app. Equal headers become one object, which a connection encodes once. */
export class ApnsMessages {
  readonly #bundleId: string;
  readonly #defaults: AlertDefaults;
  readonly #steady = new Map<string, SteadyHeaders>();

  constructor(bundleId: string, defaults: AlertDefaults) {
    this.#bundleId = bundleId;
    this.#defaults = defaults;
  }

  prepare(notification: Notification, epochMs: number): ApnsMessage {
    const type = pushTypeOf(notification);
    return this.#encode(notification, epochMs, PUSH_TYPES[type].bytesMax);
  }

  #encode(notification: Notification, epochMs: number, bytesMax: number): ApnsMessage {
    const type = pushTypeOf(notification);
    checkCollapseId(notification.collapseId);
    const ttl = notification.ttlSeconds;
    if (ttl !== undefined && !(Number.isFinite(ttl) && ttl >= 0))
      throw new NotificationError('ttlSeconds', 'must be 0 or more');
    const topic = notification.apns?.topic ?? this.#bundleId + PUSH_TYPES[type].suffix;
    const channelId = notification.apns?.channelId ?? '';
    return {
      steady: this.#headers(channelId === '' ? topic : '', type, priorityOf(notification, type)),
      payload: encodePayload(notification, type, this.#defaults, bytesMax),
      expiration: ttl === undefined ? '' : ttl === 0 ? '0' : String(Math.floor(epochMs / 1000 + ttl)),
      collapseId: notification.collapseId ?? '',
      channelId,
      bundleId: this.#bundleId,
      smaller: () => {
        try {
          return bytesMax > SMALLER_BYTES ? this.#encode(notification, epochMs, SMALLER_BYTES) : undefined;
        } catch {
          return undefined;
        }
      },
    };
  }

  #headers(topic: string, type: string, priority: number): SteadyHeaders {
    const key = `${topic} ${type} ${priority}`;
    let steady = this.#steady.get(key);
    if (steady === undefined) {
      const fields: [string, string][] = topic === '' ? [] : [['apns-topic', topic]];
      steady = { fields: [...fields, ['apns-push-type', type], ['apns-priority', String(priority)]] };
      this.#steady.set(key, steady);
    }
    return steady;
  }
}
