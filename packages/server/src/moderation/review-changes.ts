import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import type { MessageRow, Moderated, Standing } from './message.ts';
import { writeMessage } from './outcomes.ts';
import type { EntryRow } from './review.ts';

type Target = By & { appId: string };

/** What an approved edit took the place of, so that the approval can be taken back. */
type Reversible = Standing & { replaced?: Standing };

/**
 * A moderator's word on a blocked message. Approving one lets it stand; of an edit, in the place of the version before.
 * Both can be taken back.
 */
export async function reviewBlocked(
  tx: Tx,
  {
    appId,
    actor,
    messageId,
    status,
    reviewed,
  }: Target & {
    messageId: string;
    status: 'approved' | 'rejected';
    reviewed: boolean;
  },
): Promise<void> {
  await tx.lock(`review:${appId}:${messageId}`);
  const entry = await tx.get<EntryRow>(
    "SELECT * FROM review_entries WHERE app_id = $1 AND message_id = $2 AND kind = 'blocked' ORDER BY created_at DESC, id DESC LIMIT 1",
    [appId, messageId],
  );
  if (entry === undefined) throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND');
  if (entry.status !== status && entry.content !== null) await restand(tx, entry, status);
  await settle(tx, entry, status, reviewed, actor);
  await audit(tx, {
    appId,
    actor,
    action: 'reviewBlockedMessage',
    target: messageId,
    before: { status: entry.status },
    after: { status, reviewed },
  });
  if (status !== entry.status) await tellReviewed(tx, entry, status === 'approved', actor);
}

/** Makes the blocked version stand, or takes that back. */
async function restand(tx: Tx, entry: EntryRow, status: 'approved' | 'rejected'): Promise<void> {
  const { replaced, ...message } = JSON.parse(entry.content ?? '{}') as Reversible;
  if (status === 'approved') {
    const row = await tx.get<MessageRow>('SELECT * FROM messages WHERE app_id = $1 AND id = $2', [
      entry.app_id,
      entry.message_id,
    ]);
    const before = row?.status === 'approved' ? (JSON.parse(row.body) as Standing) : undefined;
    await writeMessage(tx, entry.app_id, message, { status: 'approved' });
    await keepContent(tx, entry, { ...message, ...(before && { replaced: before }) });
    return;
  }
  if (entry.status !== 'approved') return;
  if (replaced === undefined) await writeMessage(tx, entry.app_id, message, disapproved(entry));
  else await writeMessage(tx, entry.app_id, replaced, { status: 'approved' });
  await keepContent(tx, entry, message);
}

export async function reviewFlagged(
  tx: Tx,
  { appId, actor, messageId, status }: Target & { messageId: string; status: 'approved' | 'disapproved' },
): Promise<void> {
  await tx.lock(`review:${appId}:${messageId}`);
  const entry = await tx.get<EntryRow>(
    "SELECT * FROM review_entries WHERE app_id = $1 AND kind = 'flagged' AND id = $2",
    [appId, messageId],
  );
  if (entry === undefined) throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND');
  await settle(tx, entry, status, true, actor);
  const moderation: Moderated = status === 'approved' ? { status } : disapproved(entry);
  await tx.run('UPDATE messages SET status = $3, moderation = $4, updated_at = $5 WHERE app_id = $1 AND id = $2', [
    appId,
    messageId,
    moderation.status,
    JSON.stringify(moderation),
    tx.now,
  ]);
  await audit(tx, {
    appId,
    actor,
    action: 'reviewFlaggedMessage',
    target: messageId,
    before: { status: entry.status },
    after: { status },
  });
  if (status !== entry.status) await tellReviewed(tx, entry, status === 'approved', actor);
}

async function settle(tx: Tx, entry: EntryRow, status: string, reviewed: boolean, actor: string): Promise<void> {
  await tx.run(
    'UPDATE review_entries SET status = $4, reviewed = $5, reviewed_by = $6, updated_at = $7 WHERE app_id = $1 AND kind = $2 AND id = $3',
    [entry.app_id, entry.kind, entry.id, status, reviewed ? 1 : 0, actor, tx.now],
  );
}

async function keepContent(tx: Tx, entry: EntryRow, content: Reversible): Promise<void> {
  await tx.run('UPDATE review_entries SET content = $4 WHERE app_id = $1 AND kind = $2 AND id = $3', [
    entry.app_id,
    entry.kind,
    entry.id,
    JSON.stringify(content),
  ]);
}

/** Once for each time that a moderator says something new: a chat shows or takes away the message by it. */
async function tellReviewed(tx: Tx, entry: EntryRow, isApproved: boolean, by: string): Promise<void> {
  const { replaced, ...message } = JSON.parse(entry.content ?? '{}') as Reversible;
  await announce(tx, {
    appId: entry.app_id,
    trigger: isApproved ? 'moderation_manual_approved' : 'message_rejected',
    data: {
      message: entry.content === null ? { id: entry.message_id, sender: entry.sender } : message,
      by,
      ...(!isApproved && replaced && { standing: replaced }),
    },
  });
}

function disapproved(entry: EntryRow): Moderated {
  const rule = entry.rule_id === '' ? {} : { rule: { id: entry.rule_id, name: entry.rule_name } };
  return { status: 'disapproved', ...rule };
}
