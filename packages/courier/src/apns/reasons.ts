import type { OutcomeKind } from '../outcome.ts';

/** What one of Apple's answers makes us do. */
export interface ReasonRow {
  readonly status: number;
  readonly reason: string;
  readonly kind: OutcomeKind;
  /** For `retry`: the least wait. */
  readonly floorMs?: number;
  /** Many of these at once mean that our environment or topic is wrong. */
  readonly wave?: true;
  /** Concerns this app's topic, not the key. */
  readonly topic?: true;
}

const TOKEN_UPDATES_MS = 60_000;
const PER_DEVICE_MS = 15_000;
const SERVER_MS = 1_000;

/** Every documented answer. A test holds a row of the specification against each. */
export const APNS_REASONS: readonly ReasonRow[] = [
  { status: 200, reason: '', kind: 'sent' },
  { status: 400, reason: 'BadDeviceToken', kind: 'dropToken', wave: true },
  { status: 400, reason: 'DeviceTokenNotForTopic', kind: 'dropToken', wave: true, topic: true },
  { status: 400, reason: 'TopicDisallowed', kind: 'pauseProvider', topic: true },
  { status: 400, reason: 'BadTopic', kind: 'pauseProvider', topic: true },
  { status: 400, reason: 'MissingTopic', kind: 'pauseProvider', topic: true },
  { status: 400, reason: 'BadCollapseId', kind: 'failMessage' },
  { status: 400, reason: 'BadExpirationDate', kind: 'failMessage' },
  { status: 400, reason: 'BadMessageId', kind: 'failMessage' },
  { status: 400, reason: 'BadPriority', kind: 'failMessage' },
  { status: 400, reason: 'DuplicateHeaders', kind: 'failMessage' },
  { status: 400, reason: 'InvalidPushType', kind: 'failMessage' },
  { status: 400, reason: 'PayloadEmpty', kind: 'failMessage' },
  { status: 400, reason: 'MissingDeviceToken', kind: 'failMessage' },
  { status: 400, reason: 'IdleTimeout', kind: 'reconnect' },
  { status: 403, reason: 'ExpiredProviderToken', kind: 'reconnect' },
  { status: 403, reason: 'InvalidProviderToken', kind: 'pauseProvider' },
  { status: 403, reason: 'MissingProviderToken', kind: 'pauseProvider' },
  { status: 403, reason: 'Forbidden', kind: 'pauseProvider' },
  { status: 403, reason: 'BadCertificate', kind: 'pauseProvider' },
  { status: 403, reason: 'BadCertificateEnvironment', kind: 'pauseProvider' },
  { status: 403, reason: 'BadEnvironmentKeyIdInToken', kind: 'pauseProvider' },
  { status: 403, reason: 'BadEnvironmentKeyInToken', kind: 'pauseProvider' },
  { status: 403, reason: 'UnrelatedKeyIdInToken', kind: 'reconnect' },
  { status: 404, reason: 'BadPath', kind: 'failMessage' },
  { status: 405, reason: 'MethodNotAllowed', kind: 'failMessage' },
  { status: 410, reason: 'Unregistered', kind: 'dropToken' },
  { status: 410, reason: 'ExpiredToken', kind: 'dropToken' },
  { status: 413, reason: 'PayloadTooLarge', kind: 'failMessage' },
  { status: 429, reason: 'TooManyRequests', kind: 'retry', floorMs: PER_DEVICE_MS },
  { status: 429, reason: 'TooManyProviderTokenUpdates', kind: 'retry', floorMs: TOKEN_UPDATES_MS },
  { status: 500, reason: 'InternalServerError', kind: 'retry', floorMs: SERVER_MS },
  { status: 503, reason: 'ServiceUnavailable', kind: 'retry', floorMs: SERVER_MS },
  { status: 503, reason: 'Shutdown', kind: 'retry', floorMs: SERVER_MS },
  // Broadcast channels.
  { status: 400, reason: 'FeatureNotEnabled', kind: 'pauseProvider', topic: true },
  { status: 400, reason: 'TopicMismatch', kind: 'pauseProvider', topic: true },
  { status: 400, reason: 'MissingChannelId', kind: 'failMessage' },
  { status: 400, reason: 'BadChannelId', kind: 'failMessage' },
  { status: 400, reason: 'ChannelNotRegistered', kind: 'failMessage' },
  { status: 400, reason: 'BadRequestParams', kind: 'failMessage' },
  { status: 400, reason: 'BadRequestPayload', kind: 'failMessage' },
  { status: 400, reason: 'MissingPushType', kind: 'failMessage' },
  { status: 400, reason: 'CannotCreateChannelConfig', kind: 'failMessage' },
];

const byReason = new Map(APNS_REASONS.map((row) => [row.reason, row]));

/** The row for an answer; for a reason nobody documented, what its status alone implies. */
export function reasonRow(status: number, reason: string): ReasonRow {
  const row = byReason.get(reason);
  if (row !== undefined && row.status === status) return row;
  // A reason we know under another status still means what it says, unless the provider itself is failing.
  if (row !== undefined && reason !== '' && status < 500) return { ...row, status };
  if (status === 200) return { status, reason, kind: 'sent' };
  if (status === 403) return { status, reason, kind: 'pauseProvider' };
  if (status === 410) return { status, reason, kind: 'dropToken' };
  if (status === 429) return { status, reason, kind: 'retry', floorMs: PER_DEVICE_MS };
  if (status >= 500) return { status, reason, kind: 'retry', floorMs: SERVER_MS };
  return { status, reason, kind: 'failMessage' };
}
