import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const TOLERANCE_S = 300;

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  if (key.length < 16) throw new TypeError('a webhook secret is "whsec_" and at least 16 bytes in base64');
  return key;
}

function mac(secret: string, id: string, timestamp: number, body: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest();
}

/** `webhook-signature` of the Standard Webhooks specification: one signature a secret. */
export function signWebhook(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets.map((secret) => `v1,${mac(secret, id, timestamp, body).toString('base64')}`).join(' ');
}

/** For those who receive webhooks: whether one of the signatures was made with the secret, not longer than five minutes ago. */
export function verifyWebhook(
  secret: string,
  headers: { readonly id: string; readonly timestamp: string; readonly signature: string },
  body: string,
  epochMs = Date.now(),
): boolean {
  const timestamp = Number(headers.timestamp);
  if (!Number.isInteger(timestamp) || Math.abs(epochMs / 1000 - timestamp) > TOLERANCE_S) return false;
  const expected = mac(secret, headers.id, timestamp, body);
  return headers.signature.split(' ').some((part) => {
    const [version, value] = part.split(',');
    const given = Buffer.from(value ?? '', 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
