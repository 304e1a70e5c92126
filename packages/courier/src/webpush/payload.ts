import { createHash } from 'node:crypto';
import { mergeJson } from '../merge.ts';
import type { Notification } from '../notification.ts';
import { NotificationError } from '../sender.ts';
import { fitFields } from '../truncate.ts';
import type { WebPushMessage } from './driver.ts';

/** Four weeks: what push services keep at most, and our default, as the header must be there. */
const TTL_MAX_S = 2_419_200;
const TOPIC_CHARS = 32;
/** What the smallest bridge takes. */
const SMALLER_BYTES = 2_744;
const URGENCY = { high: 'high', normal: 'normal', low: 'low' } as const;

/** A collapse id as a Topic: 32 letters and digits, the only ones every service takes. */
export function topicOf(collapseId: string): string {
  if (/^[A-Za-z0-9]{1,32}$/.test(collapseId)) return collapseId;
  return createHash('sha256').update(collapseId).digest('hex').slice(0, TOPIC_CHARS);
}

export function webPushMessage(notification: Notification, bytesMax: number): WebPushMessage {
  const { ttlSeconds } = notification;
  const collapseId = notification.collapseId ?? notification.tag;
  if (ttlSeconds !== undefined && !(ttlSeconds >= 0)) throw new NotificationError('ttlSeconds', 'must be 0 or more');
  const encode = ([body, title]: readonly string[]): string => {
    const payload = {
      title: notification.title === undefined ? undefined : title,
      body: notification.body === undefined ? undefined : body,
      image: notification.image,
      badge: notification.badge,
      tag: collapseId,
      data: notification.data,
    };
    return JSON.stringify(mergeJson(payload, notification.webpush?.payload));
  };
  const fitted = fitFields([notification.body ?? '', notification.title ?? ''], bytesMax, encode);
  const { priority, webpush } = notification;
  return {
    plaintext: Buffer.from(fitted.text),
    ttl: String(Math.min(TTL_MAX_S, Math.floor(ttlSeconds ?? TTL_MAX_S))),
    urgency: webpush?.urgency ?? (priority === undefined ? '' : URGENCY[priority]),
    topic: collapseId === undefined ? '' : topicOf(collapseId),
    smaller: () => {
      try {
        return bytesMax > SMALLER_BYTES ? webPushMessage(notification, SMALLER_BYTES) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
