import { encodePayload, PUSH_TYPES, pushTypeOf } from './apns/payload.ts';
import { fcmFields } from './fcm/payload.ts';
import type { Notification } from './notification.ts';
import { PLAINTEXT_BYTES_MAX } from './webpush/encrypt.ts';
import { webPushMessage } from './webpush/payload.ts';

/** Throws a `NotificationError`, as `prepare` would, for what no truncation makes fit for the vendor, whatever the sender's options. */
export function checkFits(notification: Notification, vendor: 'apns' | 'fcm' | 'webpush'): void {
  if (vendor === 'apns') {
    const type = pushTypeOf(notification);
    encodePayload(notification, type, { contentAvailable: true, mutableContent: true }, PUSH_TYPES[type].bytesMax);
  } else if (vendor === 'webpush') {
    webPushMessage(notification, PLAINTEXT_BYTES_MAX);
  } else {
    fcmFields(notification, 0);
    fcmFields({ ...notification, fcmDataOnly: true }, 0);
  }
}
