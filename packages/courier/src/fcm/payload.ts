import { defined, mergeJson } from '../merge.ts';
import type { JsonObject, JsonValue, Notification } from '../notification.ts';
import { NotificationError } from '../sender.ts';
import { fitFields } from '../truncate.ts';

const BYTES_MAX = 4_096;
const TTL_MAX_S = 2_419_200;
const RESERVED = /^(from$|gcm|google)/;
const APNS_PRIORITY = { high: '10', normal: '5', low: '1' } as const;
const URGENCY = { high: 'high', normal: 'normal', low: 'low' } as const;

/** FCM's data block takes strings only. */
export function stringData(data: JsonObject): JsonObject {
  const strings: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(data)) {
    if (RESERVED.test(key)) throw new NotificationError('data', `"${key}" is one of Google's own keys`);
    strings[key] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return strings;
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

function orUndefined(value: JsonObject): JsonObject | undefined {
  return isEmpty(value) ? undefined : value;
}

function android(notification: Notification): JsonObject {
  const { ttlSeconds, priority, sound, badge, category } = notification;
  const shown = defined({
    sound: typeof sound === 'object' ? sound.name : sound,
    notification_count: badge,
    click_action: category,
    tag: notification.collapseId,
  });
  return defined({
    collapse_key: notification.collapseId,
    priority: priority === undefined ? undefined : priority === 'high' ? 'HIGH' : 'NORMAL',
    ttl: ttlSeconds === undefined ? undefined : `${ttlSeconds}s`,
    notification: notification.fcmDataOnly === true ? undefined : orUndefined(shown),
  });
}

function apns(notification: Notification, epochMs: number): JsonObject {
  const { ttlSeconds, priority, sound } = notification;
  const expiration = ttlSeconds === 0 ? '0' : String(Math.floor(epochMs / 1000 + (ttlSeconds ?? 0)));
  const headers = defined({
    'apns-collapse-id': notification.collapseId,
    'apns-priority': priority === undefined ? undefined : APNS_PRIORITY[priority],
    'apns-expiration': ttlSeconds === undefined ? undefined : expiration,
  });
  const aps = defined({
    sound:
      typeof sound === 'object' ? { critical: sound.critical ? 1 : 0, name: sound.name, volume: sound.volume } : sound,
    badge: notification.badge,
    category: notification.category,
    'thread-id': notification.threadId,
    'content-available': notification.contentAvailable === true ? 1 : undefined,
    'mutable-content': notification.mutableContent === true ? 1 : undefined,
  });
  return defined({ headers: orUndefined(headers), payload: isEmpty(aps) ? undefined : { aps } });
}

function webpush(notification: Notification): JsonObject {
  const headers = defined({
    TTL: notification.ttlSeconds === undefined ? undefined : String(notification.ttlSeconds),
    Urgency: notification.priority === undefined ? undefined : URGENCY[notification.priority],
  });
  return defined({ headers: orUndefined(headers) });
}

/** FCM's `message` without its target, its texts shortened (body, then title) until notification and data fit. */
export function fcmMessage(notification: Notification, epochMs: number, bytesMax = BYTES_MAX): JsonObject {
  const { ttlSeconds } = notification;
  if (ttlSeconds !== undefined && !(ttlSeconds >= 0 && ttlSeconds <= TTL_MAX_S)) {
    throw new NotificationError('ttlSeconds', `must be between 0 and ${TTL_MAX_S}`);
  }
  const data = notification.data === undefined ? undefined : stringData(notification.data);
  let content: JsonObject = {};
  const encode = ([body, title]: readonly string[]): Buffer => {
    const shown: Record<string, JsonValue | undefined> = {
      title: notification.title === undefined ? undefined : title,
      body: notification.body === undefined ? undefined : body,
      image: notification.image,
    };
    content = defined({
      notification: notification.fcmDataOnly === true ? undefined : orUndefined(defined(shown)),
      data,
    });
    return Buffer.from(JSON.stringify(content));
  };
  if (fitFields([notification.body ?? '', notification.title ?? ''], bytesMax, encode) === undefined) {
    throw new NotificationError('data', `notification and data exceed ${bytesMax} bytes even without their texts`);
  }
  const platforms = defined({
    android: orUndefined(android(notification)),
    apns: orUndefined(apns(notification, epochMs)),
    webpush: orUndefined(webpush(notification)),
  });
  return mergeJson({ ...content, ...platforms }, notification.fcm);
}
