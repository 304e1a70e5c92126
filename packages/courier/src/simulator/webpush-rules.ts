import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { FaultKind, Rules, SimAnswer } from './endpoint.ts';
import type { Faults } from './faults.ts';
import type { HeaderList } from './header-list.ts';
import type { ServerRequest } from './server-connection.ts';

interface Subscription {
  readonly key: ECDH;
  readonly auth: Buffer;
  isDead: boolean;
  /** Was made for a key that is not the sender's. */
  isForeign: boolean;
}

const DAY_S = 86_400;
const BODY_BYTES_MAX = 4_096;
const EMPTY = Buffer.alloc(0);

/** A push service: gives subscriptions out, checks VAPID and decrypts what it is sent, as a browser would. */
export class WebPushRules implements Rules {
  readonly firstStreams = undefined;
  readonly #clock: Clock;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #jwts = new Map<string, boolean>();
  /** Set when the port is known. */
  origin = '';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a browser would hand to its server. */
  subscribe(): { endpoint: string; p256dh: string; auth: string } {
    const key = createECDH('prime256v1');
    key.generateKeys();
    const auth = randomBytes(16);
    const path = `/push/${randomBytes(24).toString('base64url')}`;
    this.#subscriptions.set(path, { key, auth, isDead: false, isForeign: false });
    return {
      endpoint: this.origin + path,
      p256dh: key.getPublicKey().toString('base64url'),
      auth: auth.toString('base64url'),
    };
  }

  kill(endpoint: string): void {
    const subscription = this.#subscriptions.get(new URL(endpoint).pathname);
    if (subscription !== undefined) subscription.isDead = true;
  }

  /** From now on this subscription is one that was made for another key. */
  refuse(endpoint: string): void {
    const subscription = this.#subscriptions.get(new URL(endpoint).pathname);
    if (subscription !== undefined) subscription.isForeign = true;
  }

  target({ headers }: ServerRequest): string {
    return this.origin + (headers.get(':path') ?? '');
  }

  answer(request: ServerRequest): SimAnswer {
    const { headers, body } = request;
    const path = headers.get(':path') ?? '';
    const subscription = this.#subscriptions.get(path);
    if (headers.get(':method') !== 'POST') return refuse(405, 'only POST', path);
    if (subscription === undefined) return refuse(404, 'no such subscription', path);
    if (subscription.isDead) return refuse(410, 'unsubscribed', path);
    const authorization = headers.get('authorization') ?? '';
    if (subscription.isForeign || !this.#isVapid(authorization))
      return refuse(authorization === '' ? 401 : 403, 'bad VAPID', path);
    const wrong = wrongHeader(headers);
    if (wrong !== '') return refuse(400, wrong, path);
    if (body.length > BODY_BYTES_MAX) return refuse(413, 'too large', path);
    const text = decrypt(body, subscription);
    if (text === undefined) return refuse(400, 'cannot be decrypted', path);
    const id = `${this.origin}/message/${randomBytes(12).toString('base64url')}`;
    const sent: readonly (readonly [string, string])[] = [
      ['location', id],
      ['ttl', headers.get('ttl') ?? '0'],
    ];
    return { status: 201, reason: '', headers: sent, body: EMPTY, id, target: path, text: text.toString('utf8') };
  }

  fault(kind: FaultKind, request: ServerRequest, faults: Faults): SimAnswer {
    const path = request.headers.get(':path') ?? '';
    if (kind === 'gone') return refuse(410, 'unsubscribed', path);
    if (kind === 'badToken') return refuse(404, 'no such subscription', path);
    if (kind === 'tooLarge') return refuse(413, 'too large', path);
    if (kind === 'error') return refuse(500, 'internal', path);
    if (kind === 'unavailable') return refuse(503, 'unavailable', path);
    return { ...refuse(429, 'too many', path), headers: [['retry-after', String(faults.retryAfterSeconds)]] };
  }

  #isVapid(authorization: string): boolean {
    const match = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization);
    if (match === null) return false;
    const known = this.#jwts.get(authorization);
    if (known !== undefined) return known;
    const isGood = this.#verify(match[1] ?? '', Buffer.from(match[2] ?? '', 'base64url'));
    this.#jwts.set(authorization, isGood);
    return isGood;
  }

  #verify(jwt: string, point: Buffer): boolean {
    const [head = '', claims = '', signature = ''] = jwt.split('.');
    try {
      const x = point.subarray(1, 33).toString('base64url');
      const y = point.subarray(33).toString('base64url');
      const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
      const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString('utf8'));
      const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
      const nowS = this.#clock.epochMs() / 1000;
      const isTimely = exp > nowS && exp <= nowS + DAY_S;
      const isFit = alg === 'ES256' && aud === this.origin && isTimely && /^(mailto:|https:)/.test(sub);
      const options = { key, dsaEncoding: 'ieee-p1363' } as const;
      return isFit && verify('sha256', Buffer.from(`${head}.${claims}`), options, Buffer.from(signature, 'base64url'));
    } catch {
      return false;
    }
  }
}

function wrongHeader(headers: HeaderList): string {
  if (!/^\d+$/.test(headers.get('ttl') ?? '')) return 'TTL is required';
  if (headers.get('content-encoding') !== 'aes128gcm') return 'content-encoding must be aes128gcm';
  if (!['very-low', 'low', 'normal', 'high'].includes(headers.get('urgency') ?? 'normal')) return 'bad Urgency';
  if (!/^[\w-]{1,32}$/.test(headers.get('topic') ?? 'x')) return 'bad Topic';
  return headers.duplicate !== '' ? 'duplicate header' : '';
}

/** The browser's side of RFC 8291, written from the RFC and apart from our own encryption. */
function decrypt(body: Buffer, { key, auth }: Subscription): Buffer | undefined {
  try {
    const salt = body.subarray(0, 16);
    const keyEnd = 21 + (body[20] ?? 0);
    const theirs = body.subarray(21, keyEnd);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), theirs]);
    const secret = Buffer.from(hkdfSync('sha256', key.computeSecret(theirs), auth, info, 32));
    const contentKey = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
    decipher.setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    return end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0) ? undefined : padded.subarray(0, end);
  } catch {
    return undefined;
  }
}

function refuse(status: number, reason: string, target: string): SimAnswer {
  return { status, reason, headers: [], body: Buffer.from(reason), id: '', target };
}
