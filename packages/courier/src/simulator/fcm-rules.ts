import { createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { FaultKind, Rules, SimAnswer } from './endpoint.ts';
import type { Faults } from './faults.ts';
import type { ServerRequest } from './server-connection.ts';

export interface FcmRulesOptions {
  readonly projectId: string;
  readonly clientEmail: string;
  /** The service account's private key (PEM); its public half checks the grants. */
  readonly privateKey: string;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_LIFE_S = 3_600;
const TARGETS = ['token', 'fid', 'topic', 'condition'] as const;
const FIELDS = ['data', 'notification', 'android', 'webpush', 'apns', 'fcm_options', ...TARGETS];
const BYTES_MAX = 4_096;
const TOPIC_BYTES_MAX = 2_048;
const BAD_TOKEN = 'The registration token is not a valid FCM registration token';

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly Readonly<Record<string, unknown>>[];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** FCM HTTP v1 and the OAuth endpoint its tokens come from, as strict as Google's. */
export class FcmRules implements Rules {
  readonly firstStreams = undefined;
  readonly #options: FcmRulesOptions;
  readonly #publicKey: KeyObject;
  readonly #clock: Clock;
  readonly #tokens = new Map<string, number>();
  readonly #dead = new Set<string>();
  #count = 0;
  /** Set when the endpoint is known. */
  tokenUri = '';

  constructor(options: FcmRulesOptions, clock: Clock) {
    this.#options = options;
    this.#publicKey = createPublicKey(options.privateKey);
    this.#clock = clock;
  }

  /** From now on this token answers 404 UNREGISTERED. */
  kill(token: string): void {
    this.#dead.add(token);
  }

  /** Access tokens given out so far are worth nothing. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** The OAuth endpoint. */
  grant(form: URLSearchParams): { status: number; body: Readonly<Record<string, unknown>> } {
    if (form.get('grant_type') !== GRANT) return { status: 400, body: { error: 'unsupported_grant_type' } };
    if (!this.#isGrant(form.get('assertion') ?? ''))
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } };
    const token = `sim.${randomBytes(96).toString('base64url')}`;
    this.#tokens.set(token, this.#clock.epochMs() + TOKEN_LIFE_S * 1000);
    return { status: 200, body: { access_token: token, expires_in: TOKEN_LIFE_S, token_type: 'Bearer' } };
  }

  #isGrant(assertion: string): boolean {
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    try {
      const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString('utf8'));
      const { iss, scope, aud, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
      const nowS = this.#clock.epochMs() / 1000;
      const isTimely = iat <= nowS + 60 && exp > nowS && exp - iat <= TOKEN_LIFE_S;
      const isOurs = alg === 'RS256' && iss === this.#options.clientEmail && scope === SCOPE && aud === this.tokenUri;
      return (
        isTimely &&
        isOurs &&
        verify('sha256', Buffer.from(`${head}.${claims}`), this.#publicKey, Buffer.from(signature, 'base64url'))
      );
    } catch {
      return false;
    }
  }

  target({ body }: ServerRequest): string {
    const parsed = this.#message(body);
    return 'target' in parsed ? parsed.target : '';
  }

  answer(request: ServerRequest): SimAnswer {
    const checked = this.#head(request) ?? this.#message(request.body);
    if ('code' in checked) return refuse(checked);
    const { target } = checked;
    if (this.#dead.has(target)) return refuse(UNREGISTERED, target);
    this.#count++;
    const name = `projects/${this.#options.projectId}/messages/${this.#count}`;
    return {
      status: 200,
      reason: '',
      headers: JSON_TYPE,
      body: Buffer.from(JSON.stringify({ name })),
      id: name,
      target,
    };
  }

  fault(kind: FaultKind, request: ServerRequest, faults: Faults): SimAnswer {
    const target = this.target(request);
    if (kind === 'gone') return refuse(UNREGISTERED, target);
    if (kind === 'badToken')
      return refuse({ status: 403, code: 'SENDER_ID_MISMATCH', message: 'SenderId mismatch' }, target);
    if (kind === 'tooLarge') return refuse(invalid('Message is too big', 'message'), target);
    const after: readonly (readonly [string, string])[] = [['retry-after', String(faults.retryAfterSeconds)]];
    if (kind === 'tooMany') return refuse(QUOTA, target, after);
    if (kind === 'error') return refuse({ status: 500, code: 'INTERNAL', message: 'Internal error' }, target);
    return refuse({ status: 503, code: 'UNAVAILABLE', message: 'The service is currently unavailable.' }, target);
  }

  #head({ headers }: ServerRequest): Failure | undefined {
    if (headers.get(':method') !== 'POST') return { status: 404, code: 'NOT_FOUND', message: 'not found' };
    const path = `/v1/projects/${this.#options.projectId}/messages:send`;
    if (headers.get(':path') !== path) return { status: 404, code: 'NOT_FOUND', message: 'not found' };
    if (headers.duplicate !== '') return invalid('duplicate header');
    const [scheme, token = ''] = (headers.get('authorization') ?? '').split(' ');
    if (scheme !== 'Bearer' || (this.#tokens.get(token) ?? 0) < this.#clock.epochMs()) {
      return { status: 401, code: 'UNAUTHENTICATED', message: 'Request had invalid authentication credentials.' };
    }
    if (!/^application\/json/.test(headers.get('content-type') ?? ''))
      return invalid('content-type must be application/json');
    return undefined;
  }

  #message(body: Buffer): Failure | { readonly target: string } {
    let parsed: unknown;
    try {
      parsed = JSON.parse(body.toString('utf8'));
    } catch {
      return invalid('Invalid JSON payload received.');
    }
    if (!isRecord(parsed) || !isRecord(parsed.message)) return invalid('message is required');
    const { message } = parsed;
    const unknownField = Object.keys(message).find((name) => !FIELDS.includes(name));
    if (unknownField !== undefined) return invalid(`Unknown name "${unknownField}" at 'message'`);
    const targets = TARGETS.filter((name) => name in message);
    const target = targets[0] === undefined ? undefined : message[targets[0]];
    if (targets.length !== 1 || typeof target !== 'string')
      return invalid('Exactly one of token, fid, topic, condition is required');
    if ('token' in message && !/^[\w:%.~-]{8,}$/.test(target)) return invalid(BAD_TOKEN, 'message.token');
    return content(message) ?? { target };
  }
}

function content(message: Readonly<Record<string, unknown>>): Failure | undefined {
  const { data, notification } = message;
  if (data !== undefined) {
    if (!isRecord(data) || Object.values(data).some((value) => typeof value !== 'string'))
      return invalid('data must hold strings', 'message.data');
    const reserved = Object.keys(data).find((key) => /^(from$|gcm|google)/.test(key));
    if (reserved !== undefined) return invalid(`Invalid data payload key: ${reserved}`, 'message.data');
  }
  const bytesMax = 'topic' in message || 'condition' in message ? TOPIC_BYTES_MAX : BYTES_MAX;
  if (Buffer.byteLength(JSON.stringify({ notification, data })) > bytesMax)
    return invalid('Message is too big', 'message');
  return undefined;
}

const JSON_TYPE: readonly (readonly [string, string])[] = [['content-type', 'application/json; charset=UTF-8']];
const UNREGISTERED: Failure = { status: 404, code: 'UNREGISTERED', message: 'Requested entity was not found.' };
const QUOTA: Failure = {
  status: 429,
  code: 'QUOTA_EXCEEDED',
  message: 'Quota exceeded.',
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ subject: 'device', description: 'message rate of this device' }],
    },
  ],
};

function invalid(message: string, field?: string): Failure {
  const violation = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field, description: message }],
  };
  return { status: 400, code: 'INVALID_ARGUMENT', message, ...(field === undefined ? {} : { details: [violation] }) };
}

function refuse(failure: Failure, target = '', headers: readonly (readonly [string, string])[] = []): SimAnswer {
  const details = [
    { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: failure.code },
    ...(failure.details ?? []),
  ];
  const body = JSON.stringify({
    error: { code: failure.status, message: failure.message, status: failure.code, details },
  });
  return {
    status: failure.status,
    reason: failure.code,
    headers: [...JSON_TYPE, ...headers],
    body: Buffer.from(body),
    id: '',
    target,
  };
}
