import { defined, mergeJson } from '../merge.ts';
import type { ApnsPushType, JsonObject, JsonValue, Notification } from '../notification.ts';
import { NotificationError } from '../sender.ts';
import { fitFields } from '../truncate.ts';

/** What Apple asks of each push type: the topic's suffix, the priorities it takes (first: the default), the payload's limit. */
export const PUSH_TYPES: Readonly<
  Record<ApnsPushType, { suffix: string; priorities: readonly number[]; bytesMax: number }>
> = {
  alert: { suffix: '', priorities: [10, 5, 1], bytesMax: 4096 },
  background: { suffix: '', priorities: [5], bytesMax: 4096 },
  voip: { suffix: '.voip', priorities: [10, 5, 1], bytesMax: 5120 },
  complication: { suffix: '.complication', priorities: [10, 5, 1], bytesMax: 4096 },
  fileprovider: { suffix: '.pushkit.fileprovider', priorities: [10, 5, 1], bytesMax: 4096 },
  mdm: { suffix: '', priorities: [10, 5, 1], bytesMax: 4096 },
  location: { suffix: '.location-query', priorities: [10, 5, 1], bytesMax: 4096 },
  liveactivity: { suffix: '.push-type.liveactivity', priorities: [10, 5, 1], bytesMax: 4096 },
  pushtotalk: { suffix: '.voip-ptt', priorities: [10, 5, 1], bytesMax: 4096 },
  widgets: { suffix: '.push-type.widgets', priorities: [10, 5, 1], bytesMax: 4096 },
  controls: { suffix: '.push-type.controls', priorities: [10, 5, 1], bytesMax: 4096 },
};

const PRIORITY = { high: 10, normal: 5, low: 1 } as const;
const COLLAPSE_ID_BYTES = 64;

export interface AlertDefaults {
  readonly contentAvailable: boolean;
  readonly mutableContent: boolean;
}

export function pushTypeOf(notification: Notification): ApnsPushType {
  if (notification.apns?.pushType !== undefined) return notification.apns.pushType;
  if (notification.liveActivity !== undefined) return 'liveactivity';
  const visible = notification.title ?? notification.body ?? notification.sound ?? notification.badge;
  return notification.contentAvailable === true && visible === undefined ? 'background' : 'alert';
}

/** A priority the push type takes: Apple refuses a background push at 10. */
export function priorityOf(notification: Notification, type: ApnsPushType): number {
  const { priorities } = PUSH_TYPES[type];
  const wanted = notification.priority === undefined ? undefined : PRIORITY[notification.priority];
  return wanted !== undefined && priorities.includes(wanted) ? wanted : (priorities[0] ?? 10);
}

export function checkCollapseId(collapseId: string | undefined): void {
  if (collapseId === undefined) return;
  if (Buffer.byteLength(collapseId) > COLLAPSE_ID_BYTES) {
    throw new NotificationError('collapseId', `longer than ${COLLAPSE_ID_BYTES} bytes`);
  }
  if (!/^[\x20-\x7e]+$/.test(collapseId))
    throw new NotificationError('collapseId', 'must be printable ASCII, and not empty');
}

function liveActivity(notification: Notification): JsonObject {
  const live = notification.liveActivity;
  if (live === undefined) return {};
  return defined({
    event: live.event,
    timestamp: live.timestamp,
    'content-state': live.contentState,
    'stale-date': live.staleDate,
    'dismissal-date': live.dismissalDate,
    'attributes-type': live.attributesType,
    attributes: live.attributes,
    'relevance-score': live.relevanceScore,
  });
}

function aps(
  notification: Notification,
  type: ApnsPushType,
  defaults: AlertDefaults,
  texts: readonly string[],
): JsonObject {
  if (type === 'widgets' || type === 'controls') return { 'content-changed': true };
  const [body, subtitle, title] = texts;
  const alert = defined({
    title: notification.title === undefined ? undefined : title,
    subtitle: notification.subtitle === undefined ? undefined : subtitle,
    body: notification.body === undefined ? undefined : body,
  });
  const isAlert = type === 'alert';
  const contentAvailable =
    notification.contentAvailable ?? (type === 'background' || (isAlert && defaults.contentAvailable));
  const mutableContent = notification.mutableContent ?? (isAlert && defaults.mutableContent);
  const sound: JsonValue | undefined =
    typeof notification.sound === 'object'
      ? {
          critical: notification.sound.critical ? 1 : 0,
          name: notification.sound.name,
          volume: notification.sound.volume,
        }
      : notification.sound;
  return {
    ...defined({
      alert: Object.keys(alert).length === 0 || type === 'background' ? undefined : alert,
      sound: type === 'background' ? undefined : sound,
      badge: notification.badge,
      category: notification.category,
      'thread-id': notification.threadId,
      'content-available': contentAvailable ? 1 : undefined,
      'mutable-content': mutableContent ? 1 : undefined,
    }),
    ...liveActivity(notification),
  };
}

/** The payload's bytes, its texts shortened (body, then subtitle, then title) until it fits. */
export function encodePayload(
  notification: Notification,
  type: ApnsPushType,
  defaults: AlertDefaults,
  bytesMax: number,
): Buffer {
  if (notification.data !== undefined && Object.hasOwn(notification.data, 'aps')) {
    throw new NotificationError('data', '"aps" is Apple\'s own key: use apns.payload');
  }
  const encode = (texts: readonly string[]): Buffer => {
    const payload: JsonObject = { aps: aps(notification, type, defaults, texts), ...notification.data };
    return Buffer.from(JSON.stringify(mergeJson(payload, notification.apns?.payload)), 'utf8');
  };
  const fitted = fitFields(
    [notification.body ?? '', notification.subtitle ?? '', notification.title ?? ''],
    bytesMax,
    encode,
  );
  if (fitted === undefined)
    throw new NotificationError('data', `the payload exceeds ${bytesMax} bytes even without its texts`);
  return fitted;
}
