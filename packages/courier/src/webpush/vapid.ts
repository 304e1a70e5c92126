import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { signJwt } from '../jwt.ts';
import type { VapidKeys } from '../options.ts';

const LIFE_S = 12 * 3_600;
const RENEW_BEFORE_MS = 3_600_000;
const SLIP_MS = 60_000;

/** A new pair. Keep it: browsers' subscriptions are bound to the public key. */
export function generateVapidKeys(): VapidKeys {
  const key = createECDH('prime256v1');
  key.generateKeys();
  const privateKey = Buffer.alloc(32);
  const bytes = key.getPrivateKey();
  bytes.copy(privateKey, 32 - bytes.length);
  return { publicKey: key.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') };
}

export function readVapidKey(keys: VapidKeys): KeyObject {
  const point = Buffer.from(keys.publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) throw new TypeError('vapid.publicKey must be 65 bytes in base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  try {
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'));
    if (!ecdh.getPublicKey().equals(point)) throw new TypeError();
    return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: keys.privateKey }, format: 'jwk' });
  } catch {
    throw new TypeError('vapid.privateKey does not belong to vapid.publicKey');
  }
}

/** RFC 8292: the `authorization` for an origin, signed once in eleven hours and not once a push. */
export class Vapid {
  readonly #key: KeyObject;
  readonly #publicKey: string;
  readonly #subject: string;
  readonly #clock: Clock;
  readonly #cache = new Map<string, { readonly value: string; readonly expiresMs: number }>();

  constructor(keys: VapidKeys, subject: string, clock: Clock) {
    if (!/^(mailto:|https:)/.test(subject)) throw new TypeError('subject must begin with mailto: or https:');
    this.#key = readVapidKey(keys);
    this.#publicKey = keys.publicKey;
    this.#subject = subject;
    this.#clock = clock;
  }

  authorization(origin: string): string {
    const nowMs = this.#clock.epochMs();
    const known = this.#cache.get(origin);
    const leftMs = (known?.expiresMs ?? 0) - nowMs;
    // One that lives longer than any is made to was signed by a clock that has been put back since: services refuse more than a day.
    if (known !== undefined && leftMs > RENEW_BEFORE_MS && leftMs < LIFE_S * 1000 + SLIP_MS) return known.value;
    const exp = Math.floor(nowMs / 1000) + LIFE_S;
    const jwt = signJwt({ typ: 'JWT' }, { aud: origin, exp, sub: this.#subject }, this.#key);
    const value = `vapid t=${jwt}, k=${this.#publicKey}`;
    if (this.#cache.size >= 10_000) this.#cache.clear();
    this.#cache.set(origin, { value, expiresMs: exp * 1000 });
    return value;
  }
}
