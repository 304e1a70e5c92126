import { createCipheriv, createECDH, createHmac, ECDH, randomBytes } from 'node:crypto';
import { NotificationError } from '../sender.ts';

const RECORD_BYTES = 4_096;
const SALT_BYTES = 16;
const PUBLIC_BYTES = 65;
const AUTH_BYTES = 16;
const TAG_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_BYTES;
const NO_KEY = 'must be 65 bytes of an uncompressed P-256 point';
const NO_POINT = 'must be a point on the curve P-256';
const DELIMITER = Buffer.of(2);
/** One record: header, text, delimiter and tag within 4,096 bytes. */
export const PLAINTEXT_BYTES_MAX = RECORD_BYTES - HEADER_BYTES - 1 - TAG_BYTES;

/** A browser's keys, as bytes. */
export interface SubscriptionKeys {
  readonly publicKey: Buffer;
  readonly auth: Buffer;
}

export function readKeys(p256dh: string, auth: string): SubscriptionKeys {
  const keys = { publicKey: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
  if (keys.publicKey.length !== PUBLIC_BYTES || keys.publicKey[0] !== 4) {
    throw new NotificationError('target.p256dh', NO_KEY);
  }
  if (keys.auth.length !== AUTH_BYTES) throw new NotificationError('target.auth', 'must be 16 bytes');
  return keys;
}

function hmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** HKDF (RFC 5869) for at most 32 bytes: one round. */
function hkdf(salt: Uint8Array, secret: Uint8Array, info: Uint8Array, length: number): Buffer {
  return hmac(hmac(salt, secret), info, Buffer.of(1)).subarray(0, length);
}

const KEY_INFO = Buffer.from('Content-Encoding: aes128gcm\0');
const NONCE_INFO = Buffer.from('Content-Encoding: nonce\0');

/** RFC 8291: the body of a push message, one aes128gcm record that only this subscription can read. */
export function encrypt(
  plaintext: Uint8Array,
  keys: SubscriptionKeys,
  sender: ECDH = newKey(),
  salt: Uint8Array = randomBytes(SALT_BYTES),
): Buffer {
  const ours = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.publicKey, ours]);
  const secret = hkdf(keys.auth, sharedSecret(sender, keys.publicKey), info, 32);
  const cipher = createCipheriv('aes-128-gcm', hkdf(salt, secret, KEY_INFO, 16), hkdf(salt, secret, NONCE_INFO, 12));
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([
    salt,
    recordSize,
    Buffer.of(PUBLIC_BYTES),
    ours,
    cipher.update(plaintext),
    cipher.update(DELIMITER),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Whether the bytes are a point of the curve is found out here, where they are read anyway: looking twice would cost every push. */
function sharedSecret(sender: ECDH, publicKey: Buffer): Buffer {
  try {
    return sender.computeSecret(publicKey);
  } catch {
    throw new NotificationError('target.p256dh', NO_POINT);
  }
}

/** Why a browser cannot have made this key, in words that follow its name; undefined for one that it can. */
export function whyNotKey(p256dh: string): string | undefined {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== PUBLIC_BYTES || point[0] !== 4) return NO_KEY;
  try {
    ECDH.convertKey(point, 'prime256v1');
    return undefined;
  } catch {
    return NO_POINT;
  }
}

/** The RFC asks for a new key for every message. */
function newKey(): ECDH {
  const key = createECDH('prime256v1');
  key.generateKeys();
  return key;
}
