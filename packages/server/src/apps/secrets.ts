import { hash, randomBytes } from 'node:crypto';

/** Keys are random and long, so one round of SHA-256 is all it takes to keep them; they are shown once, when made. */
export function makeSecret(): string {
  return randomBytes(20).toString('hex');
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Enough to recognise a key by, not enough to use it. */
export function hintOf(secret: string): string {
  return `…${secret.slice(-4)}`;
}
