import { randomBytes } from 'node:crypto';
import type { Tx } from '../store/store.ts';
import type { ChatContext } from './notification.ts';

/** How a push ended, in the log. `retry` and `held` are attempts that are made again. */
export const outcomeCodes = ['sent', 'dropped', 'failed', 'skipped', 'retry', 'held'] as const;
export type LoggedOutcome = (typeof outcomeCodes)[number];

/**
 * What came of one push, as short as it can be: a broadcast writes a million of them. The last three are left out for a
 * push that went well and whose id can be worked out.
 */
export type LogEntry =
  | [uid: string, tokenHash: string, platform: string]
  | [
      uid: string,
      tokenHash: string,
      platform: string,
      outcome: LoggedOutcome,
      status: number,
      reason: string,
      id: string,
    ];

export interface LogBatch {
  appId: string;
  notificationId: string;
  provider: string;
  providerId: string;
  startedAt: number;
  chat: ChatContext | undefined;
  /** JSON of LogEntry[]: made on the sender's thread, where it is cheaper than moving it in pieces. */
  entries: string;
  /** The one user they went to; '' for several. */
  receiverUid: string;
}

const columns = [
  'app_id',
  'id',
  'started_at',
  'ended_at',
  'notification_id',
  'message_id',
  'sender',
  'receiver',
  'receiver_type',
  'receiver_uid',
  'trigger_name',
  'provider',
  'provider_id',
  'entries',
] as const;

/** What the ids of all rows written at that time begin with: they are in the order of time, and a while is a range of them. */
export function idsAt(ms: number): string {
  return ms.toString(36).padStart(9, '0');
}

/** One row for up to a thousand pushes, in the transaction that settles them. */
export async function writeLogs(tx: Tx, batches: readonly LogBatch[]): Promise<void> {
  await tx.insertMany(
    'push_logs',
    columns,
    batches.map(({ chat, ...batch }) => [
      batch.appId,
      idsAt(tx.now) + randomBytes(6).toString('hex'),
      batch.startedAt,
      tx.now,
      batch.notificationId,
      chat?.messageId ?? '',
      chat?.sender ?? '',
      chat?.receiver ?? '',
      chat?.receiverType ?? '',
      batch.receiverUid,
      chat?.trigger ?? 'notification_sent',
      batch.provider,
      batch.providerId,
      batch.entries,
    ]),
  );
}
