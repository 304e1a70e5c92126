import type { GatehouseClient } from '@gatehouse/client';
import { isSpan } from '../rules/backtest.tsx';

export const queues = ['blocked', 'flagged', 'reviewed'] as const;
export type Queue = (typeof queues)[number];

export interface Attachment {
  url: string;
  name: string;
  mimeType: string;
}

/** An entry of any of the queues, in one shape. */
export interface Entry {
  /** Of the message: decisions name it. */
  id: string;
  key: string;
  text: string;
  customData: unknown;
  attachments: readonly Attachment[];
  /** Dropped: there was a message, and that is all that is kept of it. */
  isContentKept: boolean;
  sender: string;
  receiver: string;
  receiverType: string;
  at: number;
  status: string;
  reviewedBy: string | undefined;
  ruleId: string;
  ruleName: string;
  actions: readonly string[];
  matches: readonly { start: number; end: number }[];
  reasons: readonly string[];
  seen: readonly Seen[];
  failures: readonly Failure[];
  flags: readonly Flag[];
}

/** What a classifier saw in an attachment. */
export interface Seen {
  label: string;
  score: number;
  /** Its place among the attachments. */
  attachment: number;
}

/** What could not be judged. */
export interface Failure {
  what: string;
  reason: string;
}

interface Flag {
  uid: string;
  name: string;
  reasonName: string;
  remark: string;
  flaggedAt: number;
}

export interface ReviewFilter {
  text?: string;
  sender?: string;
  receiver?: string;
  ruleId?: string;
  status?: 'pending' | 'approved' | 'rejected' | 'disapproved';
}

/** What of a message a stranger wrote is not described by the document: it is looked at before it is used. */
function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

function number(value: unknown, name: string): number {
  const found = field(value, name);
  return typeof found === 'number' ? found : 0;
}

function list(value: unknown, name: string): unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** A match in a picture or film is found in `image.<attachment>`, and says `<label> <score>`. */
function toSeen(match: unknown): Seen[] {
  const [, attachment] = /^(?:image|video)\.(\d+)$/.exec(text(match, 'field')) ?? [];
  const [, label, score] = /^(.+) ([\d.]+)$/.exec(text(match, 'normalised')) ?? [];
  if (attachment === undefined || label === undefined) return [];
  return [{ label, score: Math.round(Number(score)), attachment: Number(attachment) }];
}

/** Several thresholds may be passed by the same sight. */
function once<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function toEntry(record: object): Entry {
  // A flagged message stands by itself; the other queues wrap it in what caught it.
  const message = field(record, 'message') ?? record;
  const data = field(message, 'data');
  const rule = field(field(message, 'moderation'), 'rule');
  const matches = list(record, 'matches');
  const actions = list(record, 'action').map(String);
  return {
    id: text(message, 'id'),
    key: `${text(message, 'id')} ${number(record, 'createdAt')} ${text(record, 'revisionId')}`,
    text: text(data, 'text'),
    customData: field(data, 'customData'),
    attachments: list(data, 'attachments').map((one) => ({
      url: text(one, 'url'),
      name: text(one, 'name'),
      mimeType: text(one, 'mimeType'),
    })),
    isContentKept: data !== undefined,
    sender: text(message, 'sender'),
    receiver: text(message, 'receiver'),
    receiverType: text(message, 'receiverType'),
    at: number(record, 'createdAt') || number(message, 'sentAt'),
    status: text(record, 'status') || text(field(message, 'moderation'), 'status'),
    reviewedBy: text(record, 'reviewedBy') || undefined,
    ruleId: text(record, 'ruleId') || text(rule, 'id'),
    ruleName: text(record, 'ruleName') || text(rule, 'name'),
    actions,
    matches: matches.filter(isSpan),
    reasons: [...new Set(matches.map((match) => text(match, 'reason')).filter((reason) => reason !== ''))],
    seen: once(matches.flatMap(toSeen), ({ label, attachment }) => `${attachment} ${label}`),
    failures: once(
      list(record, 'failures').map((one) => ({ what: text(one, 'what'), reason: text(one, 'reason') })),
      ({ what, reason }) => `${what} ${reason}`,
    ),
    flags: list(record, 'flaggedBy').map((flag) => ({
      uid: text(flag, 'uid'),
      name: text(flag, 'name'),
      reasonName: text(flag, 'reasonName'),
      remark: text(flag, 'remark'),
      flaggedAt: number(flag, 'flaggedAt'),
    })),
  };
}

const pageSize = 100;

export async function readQueue(
  client: GatehouseClient,
  queue: Queue,
  filter: ReviewFilter,
  cursor: string | undefined,
) {
  const input = { ...filter, limit: pageSize, cursor };
  const { data, meta } = await (queue === 'blocked'
    ? client.listBlockedMessagesOfApp(input)
    : queue === 'flagged'
      ? client.listFlaggedMessagesOfApp(input)
      : client.listReviewedMessagesOfApp(input));
  return { data: data.map(toEntry), meta };
}

export type Decision = 'approve' | 'reject';

/** A blocked message is approved or rejected, a flagged one approved or disapproved: one word for the moderator. */
export function decide(
  client: GatehouseClient,
  entry: Entry,
  isFlagged: boolean,
  decision: Decision,
): Promise<unknown> {
  return isFlagged
    ? client.reviewFlaggedMessageOfApp({
        messageId: entry.id,
        body: { status: decision === 'approve' ? 'approved' : 'disapproved' },
      })
    : client.reviewBlockedMessageOfApp({
        messageId: entry.id,
        body: { status: decision === 'approve' ? 'approved' : 'rejected' },
      });
}
