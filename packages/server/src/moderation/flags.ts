import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import type { Store, Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import type { Kept } from './kept.ts';
import { type MessageRequest, type MessageRow, type Standing, toStanding, versionOf } from './message.ts';
import { findReason } from './reasons.ts';

export interface FlagRequest extends By {
  appId: string;
  messageId: string;
  uid: string;
  name: string;
  reasonId: string;
  remark: string;
  /** For a message that is not kept here. */
  message?: MessageRequest;
}

/** Users tell the moderators of a message. One entry a message, and a count of those who told. */
export class Flags {
  private readonly store: Store;
  private readonly kept: Kept;

  constructor(store: Store, kept: Kept) {
    this.store = store;
    this.kept = kept;
  }

  async flagMessage(request: FlagRequest): Promise<void> {
    await this.kept.flush();
    await this.store.change(flagMessage, request);
  }
}

export async function flagMessage(tx: Tx, request: FlagRequest): Promise<void> {
  const { appId, actor, messageId, uid, reasonId, remark } = request;
  const reason = await findReason(tx, appId, reasonId);
  if (reason === undefined) throw new ApiError('ERR_REASON_NOT_FOUND');
  const message = await messageOf(tx, request);
  await tx.lock(`review:${appId}:${messageId}`);
  const known = await tx.get('SELECT uid FROM message_flags WHERE app_id = $1 AND message_id = $2 AND uid = $3', [
    appId,
    messageId,
    uid,
  ]);
  await tx.run(
    `INSERT INTO message_flags (app_id, message_id, uid, name, reason_id, reason_name, description, remark, flagged_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (app_id, message_id, uid) DO UPDATE SET name = excluded.name, reason_id = excluded.reason_id,
       reason_name = excluded.reason_name, description = excluded.description, remark = excluded.remark`,
    [appId, messageId, uid, request.name, reasonId, reason.name, reason.description, remark, tx.now],
  );
  const entry = await tx.get("SELECT id FROM review_entries WHERE app_id = $1 AND kind = 'flagged' AND id = $2", [
    appId,
    messageId,
  ]);
  // Who tells again changes their own words; only somebody new opens a settled entry again, and anybody one that was removed.
  if (known !== undefined && entry !== undefined) return;
  await addReporter(tx, appId, message, entry === undefined ? await countReporters(tx, appId, messageId) : 1);
  await audit(tx, { appId, actor, action: 'flagMessage', target: messageId, after: { uid, reasonId } });
  const data = { message, reason: { id: reasonId, name: reason.name }, by: uid };
  await announce(tx, { appId, trigger: 'message_flagged', data });
}

async function messageOf(tx: Tx, { appId, messageId, message }: FlagRequest): Promise<Standing> {
  const row = await tx.get<MessageRow>('SELECT * FROM messages WHERE app_id = $1 AND id = $2', [appId, messageId]);
  if (row !== undefined) return JSON.parse(row.body) as Standing;
  const entry = await tx.get<{ content: string | null }>(
    "SELECT content FROM review_entries WHERE app_id = $1 AND kind = 'flagged' AND id = $2",
    [appId, messageId],
  );
  if (typeof entry?.content === 'string') return JSON.parse(entry.content) as Standing;
  if (message !== undefined) return toStanding(message, messageId, tx.now);
  throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND', {
    message:
      'There is no message with this id here: it was never judged or is no longer kept. Send it along in "message" to flag it all the same.',
  });
}

/** Moderators see what the newest reporter saw: it is what they decide about. */
async function addReporter(tx: Tx, appId: string, message: Standing, count: number): Promise<void> {
  const content = JSON.stringify(message);
  const hash = versionOf(message);
  const { id, sender, receiver, receiverType } = message;
  // What a rule found was in the version that it flagged.
  const found = ['rule_id', 'rule_name', 'revision_id', 'condition', 'actions', 'matches']
    .map(
      (name) =>
        `${name} = CASE WHEN review_entries.hash = excluded.hash THEN review_entries.${name} ELSE excluded.${name} END`,
    )
    .join(', ');
  await tx.run(
    `INSERT INTO review_entries (app_id, kind, id, message_id, rule_id, rule_name, revision_id, condition, actions, sender, receiver,
       receiver_type, content, hash, matches, status, reviewed, flags_count, created_at, updated_at)
     VALUES ($1, 'flagged', $2, $2, '', '', '', 'null', '[]', $3, $4, $5, $6, $7, '[]', 'pending', 0, $9, $8, $8)
     ON CONFLICT (app_id, kind, id) DO UPDATE SET flags_count = review_entries.flags_count + excluded.flags_count, content = excluded.content,
       ${found}, hash = excluded.hash, status = 'pending', reviewed = 0, updated_at = excluded.updated_at`,
    [appId, id, sender, receiver, receiverType, content, hash, tx.now, count],
  );
}

/** Flags are younger than the entry that they were counted in, and may be here when it is gone. */
async function countReporters(tx: Tx, appId: string, messageId: string): Promise<number> {
  const sql = 'SELECT COUNT(*) AS n FROM message_flags WHERE app_id = $1 AND message_id = $2';
  return (await tx.get<{ n: number }>(sql, [appId, messageId]))?.n ?? 0;
}
