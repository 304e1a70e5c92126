import type { Notification } from '@gatehouse/courier';
import { type Static, Type } from '#typebox';
import { badField } from '../errors.ts';
import { authTokenField, isoTime, line, text, timeMs, timeSeconds, uidField } from '../fields.ts';
import type { ChatEventName } from './chat-event.ts';
import { bytesOf, checkFcm, isObject, reservedKey } from './check-fields.ts';
import { tokenLengthMax } from './device-token.ts';
import type { TokenKind } from './platforms.ts';

export const uidsMax = 10_000;
const othersMax = 1000;
/** Neither vendor keeps a push for longer. */
const ttlSecondsMax = 28 * 86_400;

const json = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown());
const strict = { additionalProperties: false };
/** `call` is what a call in a chat makes: it rings where a device can ring, and shows itself elsewhere. */
export type PushType = 'alert' | 'background' | 'voip' | 'liveactivity' | 'call';

/** Which tokens a push type goes to. */
export const kindsOf: Readonly<Record<PushType, readonly TokenKind[]>> = {
  alert: ['apns', 'fcm', 'webpush'],
  background: ['apns', 'fcm', 'webpush'],
  voip: ['voip'],
  liveactivity: ['activity'],
  call: ['voip', 'apns', 'fcm', 'webpush'],
};

export const sendRequest = Type.Object(
  {
    to: Type.Object(
      {
        uids: Type.Optional(Type.Array(uidField, { minItems: 1, maxItems: uidsMax })),
        authTokens: Type.Optional(Type.Array(authTokenField, { minItems: 1, maxItems: othersMax })),
        pushTokens: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: tokenLengthMax }), { minItems: 1, maxItems: othersMax }),
        ),
        all: Type.Optional(Type.Literal(true, { description: 'Every device of the app.' })),
      },
      { ...strict, description: 'Exactly one of uids, authTokens, pushTokens and all.' },
    ),
    title: Type.Optional(text(4096)),
    subtitle: Type.Optional(text(4096)),
    body: Type.Optional(text(16_384)),
    data: Type.Optional(json),
    sound: Type.Optional(line(100)),
    badge: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    image: Type.Optional(line(2048)),
    category: Type.Optional(line(100)),
    threadId: Type.Optional(line(200)),
    collapseId: Type.Optional(
      Type.String({ pattern: '^[\\x21-\\x7e]{1,64}$', description: '1 to 64 printable characters without spaces.' }),
    ),
    ttlSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: ttlSecondsMax })),
    priority: Type.Optional(Type.Union([Type.Literal('high'), Type.Literal('normal'), Type.Literal('low')])),
    pushType: Type.Optional(
      Type.Union([
        Type.Literal('alert'),
        Type.Literal('background'),
        Type.Literal('voip'),
        Type.Literal('liveactivity'),
      ]),
    ),
    contentAvailable: Type.Optional(Type.Boolean()),
    mutableContent: Type.Optional(Type.Boolean()),
    liveActivity: Type.Optional(
      Type.Object(
        {
          event: Type.Union([Type.Literal('start'), Type.Literal('update'), Type.Literal('end')]),
          timestamp: timeSeconds('Epoch seconds.'),
          contentState: json,
          staleDate: Type.Optional(timeSeconds('Epoch seconds.')),
          dismissalDate: Type.Optional(timeSeconds('Epoch seconds.')),
          attributesType: Type.Optional(line(200)),
          attributes: Type.Optional(json),
          relevanceScore: Type.Optional(Type.Number()),
        },
        strict,
      ),
    ),
    apns: Type.Optional(Type.Object({ topic: Type.Optional(line(255)), payload: Type.Optional(json) }, strict)),
    fcm: Type.Optional(json),
    webpush: Type.Optional(
      Type.Object(
        {
          urgency: Type.Optional(
            Type.Union([Type.Literal('very-low'), Type.Literal('low'), Type.Literal('normal'), Type.Literal('high')]),
          ),
          payload: Type.Optional(json),
        },
        strict,
      ),
    ),
    sendAt: Type.Optional(
      Type.Union([timeMs('Epoch milliseconds.'), Type.String({ maxLength: 40 })], {
        description: 'Not before this moment: epoch milliseconds, or an ISO 8601 date and time with its zone.',
      }),
    ),
    localTime: Type.Optional(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        description: "HH:MM on each user's own clock, the first time it comes from sendAt on.",
      }),
    ),
    ignorePreferences: Type.Optional(Type.Boolean({ description: 'Goes through do-not-disturb.' })),
    dryRun: Type.Optional(Type.Boolean({ description: 'Checks everything and counts the devices; nothing is sent.' })),
  },
  strict,
);

export type SendRequest = Static<typeof sendRequest>;

/** Whom a notification goes to. */
export type Audience = { uids: string[] } | { authTokens: string[] } | { pushTokens: string[] } | { all: true };

/** What a chat message adds: what the platform's logs and preferences speak of. */
export interface ChatContext {
  messageId: string;
  trigger: string;
  sender: string;
  receiver: string;
  receiverType: 'user' | 'group';
  /** What of the preferences it falls under. */
  event: ChatEventName;
  /** Of a reaction: whose message it is to; '' where that is not known. */
  author?: string;
  /** Users who are mentioned. */
  mentioned: string[];
  sentAt: number;
}

/** A notification as it is stored, and as every segment reads it again. */
export interface NotificationBody {
  pushType: PushType;
  content: Notification;
  /** For users who want no content on their lock screens. */
  privateContent?: Notification;
  chat?: ChatContext;
  localMinute?: number;
  ignorePreferences: boolean;
}

const bytesMax = { alert: 4096, background: 4096, voip: 5120, liveactivity: 4096 } as const;

/** What can be sent to nobody is refused now; what is too large for a vendor that the app has, by checkPayload. */
export function toBody(request: SendRequest): NotificationBody {
  const { to: _to, sendAt: _sendAt, localTime, ignorePreferences, dryRun: _dryRun, pushType: sent, ...words } = request;
  const pushType = sent ?? (words.liveActivity === undefined ? 'alert' : 'liveactivity');
  if (pushType === 'liveactivity' && words.liveActivity === undefined)
    throw badField('liveActivity', 'Is needed for pushType liveactivity.');
  const { title, subtitle, body, badge, sound, data, apns, fcm, webpush, liveActivity } = words;
  const seen = [title, subtitle, body, badge, sound, data, apns?.payload, fcm, webpush?.payload];
  if (pushType === 'alert' && seen.every((word) => word === undefined))
    throw badField('title', 'There is nothing to show. Send a title, a body, a badge, a sound or data.');
  for (const key of Object.keys(data ?? {}))
    if (reservedKey.test(key)) throw badField('data', `"${key}" is a key of the vendors' own. Rename it.`);
  if (apns?.payload?.aps !== undefined && !isObject(apns.payload.aps))
    throw badField('apns.payload.aps', 'Must be an object.');
  if (fcm !== undefined) checkFcm(fcm);
  checkSize('data', data, bytesMax[pushType]);
  checkSize('apns.payload', apns?.payload, bytesMax[pushType]);
  checkSize('fcm', fcm, bytesMax[pushType]);
  checkSize('webpush.payload', webpush?.payload, bytesMax[pushType]);
  checkSize('liveActivity.contentState', liveActivity?.contentState, bytesMax[pushType]);
  checkSize('liveActivity.attributes', liveActivity?.attributes, bytesMax[pushType]);
  // The schema has checked the shapes; `json` is JSON because it came as JSON.
  const content = {
    ...words,
    ...(pushType === 'background' && { contentAvailable: true }),
    ...(pushType !== 'liveactivity' && { apns: { ...words.apns, pushType } }),
  } as Notification;
  return {
    pushType,
    content,
    ignorePreferences: ignorePreferences ?? false,
    ...(localTime !== undefined && { localMinute: minuteOf(localTime) }),
  };
}

function checkSize(field: string, value: unknown, max: number): void {
  const bytes = bytesOf(value);
  // Room for the braces and names around it.
  if (bytes > max - 64) throw badField(field, `Has ${bytes} bytes as JSON; at most ${max - 64} fit into a push.`);
}

function minuteOf(time: string): number {
  const [hour = '0', minute = '0'] = time.split(':');
  return Number(hour) * 60 + Number(minute);
}

export function audienceOf({ uids, authTokens, pushTokens, all }: SendRequest['to']): Audience {
  const given = [uids, authTokens, pushTokens, all].filter((part) => part !== undefined);
  if (given.length !== 1) throw badField('to', 'Name exactly one of uids, authTokens, pushTokens and all.');
  if (uids !== undefined) return { uids: [...new Set(uids)] };
  if (authTokens !== undefined) return { authTokens: [...new Set(authTokens)] };
  if (pushTokens !== undefined) return { pushTokens: [...new Set(pushTokens)] };
  return { all: true };
}

export type NotificationState = 'scheduled' | 'sending' | 'finished' | 'cancelled';
export type NotificationRow = {
  id: string;
  state: NotificationState;
  body: string;
  created_at: number;
  send_at: number;
  expires_at: number;
  finished_at: number;
  queued: number;
  sent: number;
  failed: number;
  dropped: number;
  skipped: number;
  cancelled: number;
  acknowledged: number;
};

const counts = Type.Record(Type.String(), Type.Integer());
export const notificationAnswer = Type.Object({
  id: Type.String(),
  state: Type.String({ description: 'scheduled, sending, finished or cancelled.' }),
  title: Type.Optional(Type.String({ description: 'How the title begins.' })),
  body: Type.Optional(Type.String({ description: 'How the text begins.' })),
  createdAt: Type.String(),
  sendAt: Type.String(),
  localTime: Type.Optional(Type.String({ description: "The hour on each user's own clock, where one was asked for." })),
  finishedAt: Type.Optional(Type.String()),
  counts: Type.Object({
    queued: Type.Integer(),
    sent: Type.Integer(),
    failed: Type.Integer(),
    droppedTokens: Type.Integer(),
    skipped: Type.Integer(),
    cancelled: Type.Integer(),
    acknowledged: Type.Integer(),
  }),
  failedByReason: counts,
  skippedByReason: counts,
});

export type ReasonRow = { outcome: string; reason: string; n: number };

const wordsMax = 200;

export function toNotification(
  row: NotificationRow,
  { content, localMinute, chat }: NotificationBody,
  reasons: readonly ReasonRow[],
): Static<typeof notificationAnswer> {
  // What a chat message says is for its receivers.
  const { title, body } = chat === undefined ? content : {};
  const by = (outcome: string) =>
    Object.fromEntries(reasons.filter((one) => one.outcome === outcome).map(({ reason, n }) => [reason, n]));
  return {
    id: row.id,
    state: row.state,
    ...(title !== undefined && { title: title.slice(0, wordsMax) }),
    ...(body !== undefined && { body: body.slice(0, wordsMax) }),
    createdAt: isoTime(row.created_at),
    sendAt: isoTime(row.send_at),
    ...(localMinute !== undefined && { localTime: hourOf(localMinute) }),
    ...(row.finished_at > 0 && { finishedAt: isoTime(row.finished_at) }),
    counts: {
      queued: row.queued,
      sent: row.sent,
      failed: row.failed,
      droppedTokens: row.dropped,
      skipped: row.skipped,
      cancelled: row.cancelled,
      acknowledged: row.acknowledged,
    },
    failedByReason: by('failed'),
    skippedByReason: by('skipped'),
  };
}

function hourOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':');
}
