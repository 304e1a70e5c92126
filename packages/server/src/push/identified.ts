import type { Notification } from '@gatehouse/courier';
import type { PushType } from './notification.ts';

/**
 * The notification with its id, by which an app acknowledges it and knows it again: a vendor may deliver what it said it had not.
 * An app that has a `notificationId` of its own among its data keeps it. What is shown also replaces itself, where the caller does
 * not say what it replaces. Of a Live Activity an app sees no more than its state.
 */
export function identified(content: Notification, pushType: PushType, id: string): Notification {
  if (pushType === 'liveactivity') return content;
  const data = { notificationId: id, ...content.data };
  return pushType === 'alert' ? { ...content, data, tag: id } : { ...content, data };
}
