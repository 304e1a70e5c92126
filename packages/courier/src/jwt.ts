import { type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from './notification.ts';

/** A signed JWT: ES256 for P-256 keys, RS256 for RSA keys. */
export function signJwt(header: JsonObject, claims: JsonObject, key: KeyObject): string {
  const alg = key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
  const text = `${base64urlJson({ ...header, alg })}.${base64urlJson(claims)}`;
  // JOSE wants r and s side by side, not the DER that OpenSSL writes.
  const signature = sign('sha256', Buffer.from(text), alg === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key);
  return `${text}.${signature.toString('base64url')}`;
}

function base64urlJson(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
