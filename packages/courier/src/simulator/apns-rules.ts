import { createPublicKey, type KeyObject, randomUUID, verify } from 'node:crypto';
import { PUSH_TYPES } from '../apns/payload.ts';
import type { Clock } from '../clock.ts';
import { APNS_PUSH_TYPES } from '../notification.ts';
import type { FaultKind, Rules, SimAnswer } from './endpoint.ts';
import type { Faults } from './faults.ts';
import type { HeaderList } from './header-list.ts';
import type { ServerConnection, ServerRequest } from './server-connection.ts';

export interface ApnsRulesOptions {
  readonly keyId: string;
  readonly teamId: string;
  /** The key's PEM; its public half checks the signatures. */
  readonly p8Key: string;
  readonly bundleId: string;
}

const HOUR_S = 3_600;
const TOKEN_CHANGE_S = 20 * 60;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DEVICE = /^\/3\/device\/([0-9a-fA-F]+)$/;
const FORBIDDEN = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'content-encoding'];
const EMPTY = Buffer.alloc(0);
const STATUS: Readonly<Record<string, number>> = {
  Unregistered: 410,
  PayloadTooLarge: 413,
  BadPath: 404,
  MethodNotAllowed: 405,
  MissingProviderToken: 403,
  InvalidProviderToken: 403,
  ExpiredProviderToken: 403,
  TooManyProviderTokenUpdates: 429,
};

/** What is wrong with a request, by Apple's name for it; '' when nothing is. */
export class ApnsRules implements Rules {
  readonly firstStreams = 1;
  readonly #options: ApnsRulesOptions;
  readonly #publicKey: KeyObject;
  readonly #clock: Clock;
  readonly #jwts = new Map<string, number>();
  readonly #connections = new WeakMap<ServerConnection, { jwt: string; issuedS: number; sinceS: number }>();
  readonly #dead = new Map<string, number>();
  readonly #channels = new Set<string>();
  #lastBody: Buffer = EMPTY;

  constructor(options: ApnsRulesOptions, clock: Clock) {
    this.#options = options;
    this.#publicKey = createPublicKey(options.p8Key);
    this.#clock = clock;
  }

  /** From now on this token answers 410 with the timestamp. */
  kill(token: string, timestampMs: number): void {
    this.#dead.set(token, timestampMs);
  }

  target({ headers }: ServerRequest): string {
    return DEVICE.exec(headers.get(':path') ?? '')?.[1] ?? headers.get('apns-channel-id') ?? '';
  }

  answer(request: ServerRequest, connection: ServerConnection): SimAnswer {
    const { headers } = request;
    const id = headers.get('apns-id') ?? headers.get('apns-request-id') ?? randomUUID();
    const path = headers.get(':path') ?? '';
    if (path.startsWith('/1/apps/')) return this.#manage(headers, path, connection);
    const device = DEVICE.exec(path)?.[1];
    const token = device ?? headers.get('apns-channel-id') ?? '';
    const reason = this.#auth(headers, connection) || this.#head(headers, path, device) || this.#payload(request);
    if (reason !== '') return refuse(STATUS[reason] ?? 400, reason, id, token);
    const deadSince = this.#dead.get(token);
    if (deadSince !== undefined) return refuse(410, 'Unregistered', id, token, deadSince);
    return { status: 200, reason: '', headers: [['apns-id', id]], body: EMPTY, id, target: token };
  }

  /** Creates, reads, removes and lists broadcast channels. */
  #manage(headers: HeaderList, path: string, connection: ServerConnection): SimAnswer {
    const id = headers.get('apns-request-id') ?? '';
    const wrong = this.#auth(headers, connection);
    if (wrong !== '') return refuse(STATUS[wrong] ?? 400, wrong, id, '');
    const app = `/1/apps/${this.#options.bundleId}`;
    const method = headers.get(':method') ?? '';
    const channelId = headers.get('apns-channel-id') ?? '';
    const done = (status: number, body: string, channel: string): SimAnswer => {
      const sent: readonly (readonly [string, string])[] = [['apns-channel-id', channel]];
      return { status, reason: '', headers: channel === '' ? [] : sent, body: Buffer.from(body), id, target: channel };
    };
    if (path === `${app}/all-channels`) return done(200, JSON.stringify({ channels: [...this.#channels] }), '');
    if (path !== `${app}/channels`) return refuse(404, 'BadPath', id, '');
    if (method === 'POST') {
      const made = randomUUID();
      this.#channels.add(made);
      return done(201, '', made);
    }
    if (!this.#channels.has(channelId)) return refuse(400, 'ChannelNotRegistered', id, channelId);
    if (method === 'DELETE') this.#channels.delete(channelId);
    return method === 'DELETE' ? done(204, '', channelId) : done(200, '{"push-type":"LiveActivity"}', channelId);
  }

  fault(kind: FaultKind, request: ServerRequest, faults: Faults): SimAnswer {
    const id = request.headers.get('apns-id') ?? '';
    const token = this.target(request);
    if (kind === 'gone') return refuse(410, 'Unregistered', id, token, this.#clock.epochMs() - faults.goneSinceMs);
    if (kind === 'badToken') return refuse(400, 'BadDeviceToken', id, token);
    if (kind === 'tooLarge') return refuse(413, 'PayloadTooLarge', id, token);
    if (kind === 'error') return refuse(500, 'InternalServerError', id, token);
    if (kind === 'unavailable') return refuse(503, 'ServiceUnavailable', id, token);
    const answer = refuse(429, 'TooManyRequests', id, token);
    return { ...answer, headers: [...answer.headers, ['retry-after', String(faults.retryAfterSeconds)]] };
  }

  #auth(headers: HeaderList, connection: ServerConnection): string {
    const authorization = headers.get('authorization');
    if (authorization === undefined || !authorization.startsWith('bearer ')) return 'MissingProviderToken';
    const bound = this.#connections.get(connection);
    const isBound = bound?.jwt === authorization;
    const issuedS = isBound ? bound.issuedS : this.#issued(authorization.slice(7));
    const nowS = this.#clock.epochMs() / 1000;
    if (Number.isNaN(issuedS) || issuedS > nowS + 60) return 'InvalidProviderToken';
    if (nowS - issuedS > HOUR_S) return 'ExpiredProviderToken';
    if (isBound) return '';
    if (bound !== undefined && nowS - bound.sinceS < TOKEN_CHANGE_S) return 'TooManyProviderTokenUpdates';
    this.#connections.set(connection, { jwt: authorization, issuedS, sinceS: nowS });
    return '';
  }

  /** When the JWT was issued (s), or NaN if it is not one of ours. Each is verified once. */
  #issued(jwt: string): number {
    const known = this.#jwts.get(jwt);
    if (known !== undefined) return known;
    const issuedS = this.#verify(jwt);
    if (this.#jwts.size > 10_000) this.#jwts.clear();
    this.#jwts.set(jwt, issuedS);
    return issuedS;
  }

  #verify(jwt: string): number {
    const parts = jwt.split('.');
    const [head = '', claims = '', signature = ''] = parts;
    try {
      const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString('utf8'));
      const { iss, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
      const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const;
      const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'));
      const isOurs = alg === 'ES256' && kid === this.#options.keyId && iss === this.#options.teamId;
      return parts.length === 3 && isSigned && isOurs && Number.isInteger(iat) ? iat : Number.NaN;
    } catch {
      return Number.NaN;
    }
  }

  #head(headers: HeaderList, path: string, device: string | undefined): string {
    if (headers.get(':method') !== 'POST') return 'MethodNotAllowed';
    if (headers.duplicate !== '') return 'DuplicateHeaders';
    if (headers.get(':scheme') !== 'https' || FORBIDDEN.some((name) => headers.has(name))) return 'BadPath';
    const isBroadcast = device === undefined && path === `/4/broadcasts/apps/${this.#options.bundleId}`;
    if (isBroadcast) {
      if ((headers.get('apns-channel-id') ?? '') === '') return 'MissingChannelId';
      if (headers.has('apns-topic')) return 'BadTopic';
    } else if (path === '/3/device/') return 'MissingDeviceToken';
    else if (device === undefined) return path.startsWith('/3/device/') ? 'BadDeviceToken' : 'BadPath';
    const type = APNS_PUSH_TYPES.find((name) => name === headers.get('apns-push-type'));
    if (type === undefined) return 'InvalidPushType';
    const priority = headers.get('apns-priority') ?? '10';
    if (!PUSH_TYPES[type].priorities.includes(Number(priority))) return 'BadPriority';
    if (!/^\d+$/.test(headers.get('apns-expiration') ?? '0')) return 'BadExpirationDate';
    const id = headers.get('apns-id') ?? headers.get('apns-request-id');
    if (id !== undefined && !UUID.test(id)) return 'BadMessageId';
    const collapseId = headers.get('apns-collapse-id');
    if (collapseId !== undefined && (collapseId.length > 64 || collapseId.length === 0)) return 'BadCollapseId';
    return isBroadcast ? '' : this.#topic(headers.get('apns-topic'), type);
  }

  #topic(topic: string | undefined, type: keyof typeof PUSH_TYPES): string {
    if (topic === undefined) return 'MissingTopic';
    if (type === 'mdm') return '';
    return topic === this.#options.bundleId + PUSH_TYPES[type].suffix ? '' : 'TopicDisallowed';
  }

  #payload({ headers, body }: ServerRequest): string {
    if (body.length === 0) return 'PayloadEmpty';
    if (body.length > (headers.get('apns-push-type') === 'voip' ? 5_120 : 4_096)) return 'PayloadTooLarge';
    if (body.equals(this.#lastBody)) return '';
    try {
      const payload: unknown = JSON.parse(body.toString('utf8'));
      if (typeof payload !== 'object' || payload === null || !('aps' in payload)) return 'PayloadEmpty';
    } catch {
      return 'PayloadEmpty';
    }
    this.#lastBody = body;
    return '';
  }
}

function refuse(status: number, reason: string, id: string, target: string, timestampMs?: number): SimAnswer {
  const body = Buffer.from(
    JSON.stringify({ reason, ...(timestampMs === undefined ? {} : { timestamp: timestampMs }) }),
  );
  return { status, reason, headers: [['apns-id', id]], body, id, target };
}
