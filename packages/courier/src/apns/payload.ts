import { type Draft, mergeJson } from '../merge.ts';
import type { ApnsPushType, JsonValue, Notification } from '../notification.ts';
import { NotificationError } from '../sender.ts';
import { fitFields } from '../truncate.ts';
import type { WireText } from '../wire-text.ts';

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
  if (!/^[\x20-\x7e]+$/.test(collapseId))
    throw new NotificationError('collapseId', 'must be printable ASCII, and not empty');
  if (collapseId.length > COLLAPSE_ID_BYTES) {
    throw new NotificationError('collapseId', `longer than ${COLLAPSE_ID_BYTES} bytes`);
  }
}

function alertOf(notification: Notification, texts: readonly string[]): Draft | undefined {
  const { title, subtitle, body } = notification;
  if (title === undefined && subtitle === undefined && body === undefined) return undefined;
  return {
    title: title === undefined ? undefined : texts[2],
    subtitle: subtitle === undefined ? undefined : texts[1],
    body: body === undefined ? undefined : texts[0],
  };
}

function soundOf({ sound }: Notification): JsonValue | undefined {
  if (typeof sound !== 'object') return sound;
  return { critical: sound.critical ? 1 : 0, name: sound.name, volume: sound.volume };
}

function aps(notification: Notification, type: ApnsPushType, defaults: AlertDefaults, texts: readonly string[]): Draft {
  if (type === 'widgets' || type === 'controls') return { 'content-changed': true };
  const isAlert = type === 'alert';
  const isBackground = type === 'background';
  const contentAvailable = notification.contentAvailable ?? (isBackground || (isAlert && defaults.contentAvailable));
  const mutableContent = notification.mutableContent ?? (isAlert && defaults.mutableContent);
  const live = notification.liveActivity;
  return {
    alert: isBackground ? undefined : alertOf(notification, texts),
    sound: isBackground ? undefined : soundOf(notification),
    badge: notification.badge,
    category: notification.category,
    'thread-id': notification.threadId,
    'content-available': contentAvailable ? 1 : undefined,
    'mutable-content': mutableContent ? 1 : undefined,
    event: live?.event,
    timestamp: live?.timestamp,
    'content-state': live?.contentState,
    'stale-date': live?.staleDate,
    'dismissal-date': live?.dismissalDate,
    'attributes-type': live?.attributesType,
    attributes: live?.attributes,
    'relevance-score': live?.relevanceScore,
  };
}

/** The payload, its texts shortened (body, then subtitle, then title) until it fits. */
export function encodePayload(
  notification: Notification,
  type: ApnsPushType,
  defaults: AlertDefaults,
  bytesMax: number,
): WireText {
  const { data, apns, body = '', subtitle = '', title = '' } = notification;
  if (data !== undefined && Object.hasOwn(data, 'aps')) {
    throw new NotificationError('data', '"aps" is Apple\'s own key: use apns.payload');
  }
  const encode = (texts: readonly string[]): string => {
    const payload = { aps: aps(notification, type, defaults, texts), ...data };
    return JSON.stringify(apns?.payload === undefined ? payload : mergeJson(payload, apns.payload));
  };
  return fitFields([body, subtitle, title], bytesMax, encode);
}
