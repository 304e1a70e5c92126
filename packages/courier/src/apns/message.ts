import type { SteadyHeaders } from '../h2/transport.ts';
import type { Notification } from '../notification.ts';
import { NotificationError, type Pause } from '../sender.ts';
import type { TokenWave } from '../token-wave.ts';
import type { WireText } from '../wire-text.ts';
import { type AlertDefaults, checkCollapseId, encodePayload, PUSH_TYPES, priorityOf, pushTypeOf } from './payload.ts';

/** One app among those that share a key. */
export interface ApnsApp {
  readonly bundleId: string;
  readonly defaults: AlertDefaults;
  /** Its own: one app's tokens of the wrong environment say nothing of the others that share its key. */
  readonly wave: TokenWave;
  /** Apple refuses this app's topic, or its tokens in general. */
  pauseTopic(status: number, reason: string): void;
  /** Why nothing of this app goes out, if so. */
  pausedBy(): Pause | undefined;
}

/** A notification in Apple's bytes, for any number of devices. */
export interface ApnsMessage {
  readonly app: ApnsApp;
  readonly steady: SteadyHeaders;
  readonly payload: WireText;
  /** Epoch seconds as text; '' when the storage policy is Apple's own. */
  readonly expiration: string;
  readonly collapseId: string;
  readonly channelId: string;
  /** Whether its topic is the caller's own and not the app's. */
  readonly hasOwnTopic: boolean;
  /** The same within fewer bytes, for the day Apple finds it too large. */
  smaller(): ApnsMessage | undefined;
}

/** Bytes a payload is cut to after a 413. */
const SMALLER_BYTES = 2_048;
/** Topics, ids and channels become header values. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

/** Makes messages for one app. Equal headers become one object, which a connection encodes once. */
export class ApnsMessages {
  readonly app: ApnsApp;
  readonly #steady = new Map<string, SteadyHeaders>();
  #latestTopic = '';
  #latestType = '';
  #latestPriority = 0;
  #latest: SteadyHeaders = { fields: [] };

  constructor(app: ApnsApp) {
    this.app = app;
  }

  prepare(notification: Notification, epochMs: number): ApnsMessage {
    return new Prepared(this, notification, epochMs, PUSH_TYPES[pushTypeOf(notification)].bytesMax);
  }

  headers(topic: string, type: string, priority: number): SteadyHeaders {
    // Mostly the same as last time: cheaper to compare than to look up.
    if (topic === this.#latestTopic && type === this.#latestType && priority === this.#latestPriority) {
      return this.#latest;
    }
    const key = `${topic} ${type} ${priority}`;
    let steady = this.#steady.get(key);
    if (steady === undefined) {
      const fields: [string, string][] = topic === '' ? [] : [['apns-topic', topic]];
      steady = { fields: [...fields, ['apns-push-type', type], ['apns-priority', String(priority)]] };
      this.#steady.set(key, steady);
    }
    this.#latestTopic = topic;
    this.#latestType = type;
    this.#latestPriority = priority;
    this.#latest = steady;
    return steady;
  }
}

class Prepared implements ApnsMessage {
  readonly app: ApnsApp;
  readonly steady: SteadyHeaders;
  readonly payload: WireText;
  readonly expiration: string;
  readonly collapseId: string;
  readonly channelId: string;
  readonly hasOwnTopic: boolean;
  readonly #messages: ApnsMessages;
  readonly #notification: Notification;
  readonly #epochMs: number;
  readonly #bytesMax: number;

  constructor(messages: ApnsMessages, notification: Notification, epochMs: number, bytesMax: number) {
    const { app } = messages;
    const { ttlSeconds: ttl, apns } = notification;
    const collapseId = notification.collapseId ?? notification.tag;
    const type = pushTypeOf(notification);
    checkCollapseId(collapseId);
    if (ttl !== undefined && !(Number.isFinite(ttl) && ttl >= 0))
      throw new NotificationError('ttlSeconds', 'must be 0 or more');
    this.app = app;
    this.channelId = checked('apns.channelId', apns?.channelId);
    const usual = app.bundleId + PUSH_TYPES[type].suffix;
    const topic = checked('apns.topic', apns?.topic) || usual;
    this.hasOwnTopic = this.channelId === '' && topic !== usual;
    this.steady = messages.headers(this.channelId === '' ? topic : '', type, priorityOf(notification, type));
    this.payload = encodePayload(notification, type, app.defaults, bytesMax);
    this.expiration = ttl === undefined ? '' : ttl === 0 ? '0' : String(Math.floor(epochMs / 1000 + ttl));
    this.collapseId = collapseId ?? '';
    this.#messages = messages;
    this.#notification = notification;
    this.#epochMs = epochMs;
    this.#bytesMax = bytesMax;
  }

  smaller(): ApnsMessage | undefined {
    if (this.#bytesMax <= SMALLER_BYTES) return undefined;
    try {
      return new Prepared(this.#messages, this.#notification, this.#epochMs, SMALLER_BYTES);
    } catch {
      return undefined;
    }
  }
}

/** A value that can stand in a header; '' when there is none. */
function checked(field: string, value: string | undefined): string {
  if (value !== undefined && !HEADER_VALUE.test(value)) throw new NotificationError(field, 'must be printable ASCII');
  return value ?? '';
}
