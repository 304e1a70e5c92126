import { badField } from '../errors.ts';

export function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

const fcmBlocks = ['notification', 'android', 'webpush', 'apns', 'fcm_options'];
/** Of the vendors' own. */
export const reservedKey = /^(from$|gcm|google|aps$)/;

/** What FCM would refuse for every device. */
export function checkFcm(fcm: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(fcm)) {
    if (key === 'data') checkFcmData(value);
    else if (!fcmBlocks.includes(key))
      throw badField(
        `fcm.${key}`,
        `Is not known. The blocks of a message are data, ${fcmBlocks.join(', ')}; \`to\` says whom it goes to.`,
      );
    else if (!isObject(value)) throw badField(`fcm.${key}`, 'Must be an object.');
  }
}

function checkFcmData(data: unknown): void {
  if (!isObject(data)) throw badField('fcm.data', 'Must be an object of strings.');
  for (const [key, value] of Object.entries(data)) {
    if (typeof value !== 'string') throw badField(`fcm.data.${key}`, 'Must be a string; FCM takes nothing else.');
    if (reservedKey.test(key)) throw badField(`fcm.data.${key}`, "Is a key of the vendors' own. Rename it.");
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
