import type { OutcomeKind } from '../outcome.ts';

export interface FcmErrorRow {
  readonly status: number;
  /** `errorCode` of the FcmError detail, else `error.status`. */
  readonly code: string;
  readonly kind: OutcomeKind;
  /** For `retry`: the least wait when Google names none. */
  readonly floorMs?: number;
  /** Many of these at once mean that our credentials are of another project. */
  readonly wave?: true;
}

const QUOTA_MS = 60_000;
const SERVER_MS = 10_000;
export const PLATFORM_MS = 10 * 60_000;

/** Every documented answer. A test holds a row of the specification against each. */
export const FCM_ERRORS: readonly FcmErrorRow[] = [
  { status: 200, code: '', kind: 'sent' },
  { status: 404, code: 'UNREGISTERED', kind: 'dropToken' },
  // Ambiguous: `judgeFcm` drops the token only when Google says that the token is what is wrong.
  { status: 400, code: 'INVALID_ARGUMENT', kind: 'failMessage' },
  { status: 403, code: 'SENDER_ID_MISMATCH', kind: 'dropToken', wave: true },
  // The key of Apple or of browsers is missing or wrong in Firebase: that platform waits until it is mended, Android goes on.
  { status: 401, code: 'THIRD_PARTY_AUTH_ERROR', kind: 'retry', floorMs: PLATFORM_MS },
  // The access token is refreshed once; refused again, the provider is paused.
  { status: 401, code: 'UNAUTHENTICATED', kind: 'reconnect' },
  { status: 429, code: 'QUOTA_EXCEEDED', kind: 'retry', floorMs: QUOTA_MS },
  { status: 500, code: 'INTERNAL', kind: 'retry', floorMs: SERVER_MS },
  { status: 503, code: 'UNAVAILABLE', kind: 'retry', floorMs: SERVER_MS },
  { status: 502, code: '', kind: 'retry', floorMs: SERVER_MS },
];

export interface FcmError {
  readonly code: string;
  readonly message: string;
  /** `message.token` among the field violations, or the message that says so. */
  readonly namesToken: boolean;
  /** Whose quota was exceeded, in Google's words. */
  readonly quota: string;
}

const BAD_TOKEN = 'The registration token is not a valid FCM registration token';

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads an error body; anything that is not Google's JSON (a proxy's HTML, say) has no code. */
export function readFcmError(body: string): FcmError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { code: '', message: '', namesToken: false, quota: '' };
  }
  const error = field(parsed, 'error');
  const details = list(field(error, 'details'));
  const ofType = (name: string): unknown => details.find((detail) => text(field(detail, '@type')).endsWith(name));
  const message = text(field(error, 'message')).slice(0, 300);
  const violations = list(field(ofType('google.rpc.BadRequest'), 'fieldViolations'));
  const quota = list(field(ofType('google.rpc.QuotaFailure'), 'violations'))[0];
  return {
    code: text(field(ofType('google.firebase.fcm.v1.FcmError'), 'errorCode')) || text(field(error, 'status')),
    message,
    namesToken:
      message.startsWith(BAD_TOKEN) || violations.some((violation) => field(violation, 'field') === 'message.token'),
    quota: `${text(field(quota, 'subject'))} ${text(field(quota, 'description'))}`.trim().slice(0, 200),
  };
}

/** The row for an answer; for a code nobody documented, what its status alone implies. */
export function fcmErrorRow(status: number, error: FcmError): FcmErrorRow {
  const row = FCM_ERRORS.find((candidate) => candidate.status === status && candidate.code === error.code);
  if (row?.code === 'INVALID_ARGUMENT' && error.namesToken) return { ...row, kind: 'dropToken' };
  if (row !== undefined) return row;
  const { code } = error;
  if (status === 200) return { status, code, kind: 'sent' };
  if (status === 401) return { status, code, kind: 'reconnect' };
  if (status === 403) return { status, code, kind: 'pauseProvider' };
  if (status === 429) return { status, code, kind: 'retry', floorMs: QUOTA_MS };
  if (status >= 500) return { status, code, kind: 'retry', floorMs: SERVER_MS };
  return { status, code, kind: 'failMessage' };
}
