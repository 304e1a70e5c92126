import { whyNotKey } from '@gatehouse/courier';
import { type Static, Type } from '#typebox';
import { badField } from '../errors.ts';
import type { Outside } from '../webhooks/outside.ts';
import type { TokenKind } from './platforms.ts';

const key = (bytes: number) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]{16,100}={0,2}$', description: `${bytes} bytes as base64url.` });

/** What `PushSubscription.toJSON()` gives in a browser, as it is. UnifiedPush gives the same. */
export const subscriptionField = Type.Object({
  endpoint: Type.String({ minLength: 1, maxLength: 2048 }),
  keys: Type.Object({ p256dh: key(65), auth: key(16) }),
});

/** The endpoint names the device; the keys are stored beside it and never shown. */
export function readSubscription(
  { endpoint, keys }: Static<typeof subscriptionField>,
  outside: Outside,
): { pushToken: string; stored: string } {
  checkBytes('p256dh', keys.p256dh, 65);
  checkBytes('auth', keys.auth, 16);
  const whyNot = whyNotKey(keys.p256dh);
  if (whyNot !== undefined) throw badField('webPushSubscription.keys.p256dh', `It ${whyNot}.`);
  // As it will be called: written out it may be longer than it was sent.
  const href = URL.canParse(endpoint) ? new URL(endpoint).href : endpoint;
  const why = outside.whyNot(href);
  if (why !== undefined) throw badField('webPushSubscription.endpoint', why);
  return { pushToken: href, stored: JSON.stringify({ endpoint: href, p256dh: keys.p256dh, auth: keys.auth }) };
}

/** A browser's subscription, as a push service of the web needs it. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What is shown of a token: of a subscription its endpoint, never its secret. */
export function shownToken(kind: TokenKind, stored: string): string {
  return kind === 'webpush' ? (JSON.parse(stored) as Subscription).endpoint : stored;
}

function checkBytes(name: string, text: string, bytes: number): void {
  const { length } = Buffer.from(text, 'base64url');
  if (length !== bytes)
    throw badField(`webPushSubscription.keys.${name}`, `Must be ${bytes} bytes as base64url, not ${length}.`);
}
