import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** What a receiver checks to know that a request is ours, by the Standard Webhooks convention. */
export type SignedHeaders = {
  'content-type': string;
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

/** `whsec_` and 24 to 64 bytes as base64. */
export const secretPattern = '^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Several secrets, several signatures: while one is rotated out the receiver may know either. */
export function signedHeaders(secrets: readonly string[], id: string, body: string, now: number): SignedHeaders {
  const at = new Date(now);
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
