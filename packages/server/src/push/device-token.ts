import { createHash } from 'node:crypto';
import { Type } from '#typebox';

export const tokenLengthMax = 4096;

/** Vendors promise no form of their tokens; but none has spaces, or signs that no header or address takes. */
export const isToken = /^[\x21-\x7e]+$/;

/**
 * Apple gives bytes, of no promised length, and every client writes them as hex. What is not hex was never a token: the
 * bytes as base64, or what a language prints of them.
 */
export const isAppleToken = /^(?:[0-9A-Fa-f]{2})+$/;

export const anyToken = Type.String({
  minLength: 1,
  maxLength: tokenLengthMax,
  pattern: isToken.source,
  description: 'A device token without spaces.',
});

export const appleToken = Type.String({
  minLength: 1,
  maxLength: tokenLengthMax,
  pattern: isAppleToken.source,
  description: "The bytes of Apple's token as hex: two digits for each byte, without spaces.",
});

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Of Apple's tokens alone: those of the others are no hex of that length. */
const hexWithCapitals = /^(?=.*[A-F])(?:[0-9A-Fa-f]{2}){32,}$/;

/** What a device is found by. Apple's tokens are the same device in any case of their letters, endpoints in any way to write them. */
export function hashPushToken(pushToken: string): string {
  if (hexWithCapitals.test(pushToken)) return hashToken(pushToken.toLowerCase());
  const isEndpoint = /^https:/i.test(pushToken) && URL.canParse(pushToken);
  return hashToken(isEndpoint ? new URL(pushToken).href : pushToken);
}
