import { pushTypeOf } from '../apns/payload.ts';
import { type Draft, mergeJson, unlessEmpty } from '../merge.ts';
import type { JsonObject, Notification } from '../notification.ts';
import { NotificationError } from '../sender.ts';
import { fitFields } from '../truncate.ts';

const BYTES_MAX = 4_096;
const TTL_MAX_S = 2_419_200;
const RESERVED = /^(from$|gcm|google)/;
const TARGETS = new Set(['token', 'fid', 'topic', 'condition']);
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

function android(notification: Notification): Draft {
  const { title, body, ttlSeconds, priority, sound, badge, category, collapseId, tag } = notification;
  const shown = {
    sound: typeof sound === 'object' ? sound.name : sound,
    notification_count: badge,
    click_action: category,
    // A tag alone would make a notification of what is none.
    tag: title === undefined && body === undefined ? undefined : (collapseId ?? tag),
  };
  return {
    collapse_key: collapseId,
    priority: priority === undefined ? undefined : priority === 'high' ? 'HIGH' : 'NORMAL',
    ttl: ttlSeconds === undefined ? undefined : `${ttlSeconds}s`,
    notification: notification.fcmDataOnly === true ? undefined : unlessEmpty(shown),
  };
}

function apns(notification: Notification, epochMs: number): Draft {
  const { ttlSeconds, sound } = notification;
  const expiration = ttlSeconds === 0 ? '0' : String(Math.floor(epochMs / 1000 + (ttlSeconds ?? 0)));
  const headers = {
    'apns-collapse-id': notification.collapseId ?? notification.tag,
    'apns-priority': apnsPriority(notification),
    'apns-expiration': ttlSeconds === undefined ? undefined : expiration,
  };
  const aps = unlessEmpty({
    sound:
      typeof sound === 'object' ? { critical: sound.critical ? 1 : 0, name: sound.name, volume: sound.volume } : sound,
    badge: notification.badge,
    category: notification.category,
    'thread-id': notification.threadId,
    'content-available': notification.contentAvailable === true ? 1 : undefined,
    'mutable-content': notification.mutableContent === true ? 1 : undefined,
  });
  return { headers: unlessEmpty(headers), payload: aps === undefined ? undefined : { aps } };
}

/** Apple refuses a background push that wants to go at once. */
function apnsPriority(notification: Notification): string | undefined {
  const { priority, contentAvailable } = notification;
  if (contentAvailable === true && pushTypeOf(notification) === 'background') return APNS_PRIORITY.normal;
  return priority && APNS_PRIORITY[priority];
}

function webpush(notification: Notification): Draft {
  const { ttlSeconds, priority } = notification;
  return {
    headers: unlessEmpty({
      TTL: ttlSeconds === undefined ? undefined : String(Math.floor(ttlSeconds)),
      Urgency: priority === undefined ? undefined : URGENCY[priority],
    }),
  };
}

/** Notification and data, whose size Google limits: texts shortened (body, then title) until they fit. Also as JSON. */
function content(notification: Notification, bytesMax: number): { readonly draft: Draft; readonly text: string } {
  const { fcm, image } = notification;
  const data = notification.data === undefined ? undefined : stringData(notification.data);
  const over = fcm && contentOf(fcm);
  let draft: Draft = {};
  const encode = (texts: readonly string[]): string => {
    const body = notification.body === undefined ? undefined : texts[0];
    const title = notification.title === undefined ? undefined : texts[1];
    const made =
      notification.fcmDataOnly === true
        ? { data: unlessEmpty({ title, body, ...data }) }
        : { notification: unlessEmpty({ title, body, image }), data };
    draft = mergeJson(made, over);
    return JSON.stringify(draft);
  };
  const fitted = fitFields([notification.body ?? '', notification.title ?? ''], bytesMax, encode);
  return { draft, text: fitted.text };
}

/** What of an override counts towards Google's limit. */
function contentOf({ notification, data }: JsonObject): JsonObject {
  return { ...(notification !== undefined && { notification }), ...(data !== undefined && { data }) };
}

/** The fields of FCM's `message` but for its target, each followed by a comma. */
export function fcmFields(notification: Notification, epochMs: number, bytesMax = BYTES_MAX): string {
  const { ttlSeconds, fcm } = notification;
  if (ttlSeconds !== undefined && !(ttlSeconds >= 0 && ttlSeconds <= TTL_MAX_S)) {
    throw new NotificationError('ttlSeconds', `must be between 0 and ${TTL_MAX_S}`);
  }
  const target = Object.keys(fcm ?? {}).find((key) => TARGETS.has(key));
  if (target !== undefined)
    throw new NotificationError('fcm', `"${target}" is whom it goes to, which is not its content`);
  const shown = content(notification, bytesMax);
  const platforms = {
    android: unlessEmpty(android(notification)),
    apns: unlessEmpty(apns(notification, epochMs)),
    webpush: unlessEmpty(webpush(notification)),
  };
  if (fcm === undefined) return fieldsOf(shown.text) + fieldsOf(JSON.stringify(platforms));
  return fieldsOf(JSON.stringify(mergeJson({ ...shown.draft, ...platforms }, fcm)));
}

function fieldsOf(object: string): string {
  return object === '{}' ? '' : `${object.slice(1, -1)},`;
}
