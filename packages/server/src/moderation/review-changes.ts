import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import { type MessageRow, type Moderated, type Standing, versionOf } from './message.ts';
import { writeMessage } from './outcomes.ts';
import type { EntryRow } from './review.ts';

type Target = By & { appId: string };

/** What an approved edit took the place of, so that the approval can be taken back. */
type Reversible = Standing & { replaced?: Standing };

/** On whose word an entry is settled. */
interface Mark {
  actor: string;
  reviewed: boolean;
}

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
  const entry = await findBlocked(tx, appId, messageId, status);
  const mark = { actor, reviewed };
  const { isChanged, standing } = await restand(tx, entry, status);
  await settleBlocked(tx, entry, status, mark);
  if (entry.content !== null) await settleFlaggedToo(tx, entry, status, mark);
  await audit(tx, {
    appId,
    actor,
    action: 'reviewBlockedMessage',
    target: messageId,
    before: { status: entry.status },
    after: { status, reviewed },
  });
  if (isChanged || status !== entry.status) await tellReviewed(tx, entry, status === 'approved', actor, standing);
}

/** The newest version that can stand: of a dropped one there is nothing left to decide about. */
async function findBlocked(tx: Tx, appId: string, messageId: string, status: string): Promise<EntryRow> {
  const find = (only = '') =>
    tx.get<EntryRow>(
      `SELECT * FROM review_entries WHERE app_id = $1 AND message_id = $2 AND kind = 'blocked'${only} ORDER BY created_at DESC, id DESC LIMIT 1`,
      [appId, messageId],
    );
  const newest = await find();
  if (newest === undefined) throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND');
  const reviewable = await find(' AND content IS NOT NULL');
  // Turning down a dropped edit is no word on the version that was approved before it.
  const isOnDropped = status === 'rejected' && newest.status === 'pending' && reviewable?.status === 'approved';
  return reviewable === undefined || isOnDropped ? newest : reviewable;
}

/** What a decision did to the message. */
interface Restood {
  isChanged: boolean;
  /** What stands, where it is not the version that was decided about. */
  standing?: Standing | undefined;
}

/** Makes the blocked version stand, or takes it away, whichever way it came to stand. */
async function restand(tx: Tx, entry: EntryRow, status: 'approved' | 'rejected'): Promise<Restood> {
  if (entry.content === null) return { isChanged: false };
  const { replaced: _replaced, ...message } = JSON.parse(entry.content) as Reversible;
  const row = await findMessage(tx, entry);
  const standing = row?.status === 'approved' ? (JSON.parse(row.body) as Standing) : undefined;
  const stands = standing !== undefined && versionOf(standing) === entry.hash;
  if (status === 'rejected') return takeBack(tx, entry, message, { isKept: row !== undefined, standing, stands });
  // What was approved before and gave way to a newer version does not come back by being approved again.
  if (stands || (entry.status === 'approved' && standing !== undefined)) return { isChanged: false };
  await writeMessage(tx, entry.app_id, message, { status: 'approved' });
  await keepContent(tx, entry, { ...message, ...(standing && { replaced: standing }) });
  return { isChanged: true };
}

async function takeBack(
  tx: Tx,
  entry: EntryRow,
  message: Standing,
  { isKept, standing, stands }: { isKept: boolean; standing: Standing | undefined; stands: boolean },
): Promise<Restood> {
  const approved = entry.status === 'approved' ? entry : await findApproved(tx, entry);
  if (approved !== undefined) await keepContent(tx, approved, message);
  // Another version came since, or the message was taken away.
  if (isKept ? !stands : approved === undefined) return { isChanged: false, standing: approved && standing };
  const { replaced } = JSON.parse(approved?.content ?? '{}') as Partial<Reversible>;
  if (replaced === undefined) await writeMessage(tx, entry.app_id, message, disapproved(entry));
  else await writeMessage(tx, entry.app_id, replaced, { status: 'approved' });
  return { isChanged: true, standing: replaced };
}

/** The same version, caught before and let through: it knows what it took the place of. */
function findApproved(tx: Tx, { app_id, message_id, hash }: EntryRow): Promise<EntryRow | undefined> {
  return tx.get<EntryRow>(
    `SELECT * FROM review_entries WHERE app_id = $1 AND message_id = $2 AND kind = 'blocked' AND hash = $3 AND status = 'approved'
       AND content IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1`,
    [app_id, message_id, hash],
  );
}

/** A moderator's word on a flagged message. What is approved is the version that the entry shows. */
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
  const mark = { actor, reviewed: true };
  const blocked = await tx.get<EntryRow>(
    `SELECT * FROM review_entries WHERE app_id = $1 AND message_id = $2 AND kind = 'blocked' AND hash = $3 AND content IS NOT NULL
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [appId, messageId, entry.hash],
  );
  let restood: Restood;
  if (blocked === undefined) restood = await decideDelivered(tx, entry, status, mark);
  else {
    // A version that a rule blocked is decided as in the queue of those: both must say the same.
    const decision = status === 'approved' ? 'approved' : 'rejected';
    restood = await restand(tx, blocked, decision);
    await settleBlocked(tx, blocked, decision, mark);
  }
  await settle(tx, entry, status, mark);
  await audit(tx, {
    appId,
    actor,
    action: 'reviewFlaggedMessage',
    target: messageId,
    before: { status: entry.status },
    after: { status },
  });
  if (restood.isChanged || status !== entry.status)
    await tellReviewed(tx, entry, status === 'approved', actor, restood.standing);
}

/** Of a message that no rule blocked. */
async function decideDelivered(
  tx: Tx,
  entry: EntryRow,
  status: 'approved' | 'disapproved',
  mark: Mark,
): Promise<Restood> {
  const row = await findMessage(tx, entry);
  if (row === undefined) return { isChanged: false };
  const isChanged = row.status !== status;
  if (status === 'approved') {
    const standing = JSON.parse(row.body) as Standing;
    // It was edited since and judged again: there is nothing to publish.
    if (row.status === 'approved' && versionOf(standing) !== entry.hash) return { isChanged: false, standing };
    if (entry.content !== null)
      await writeMessage(tx, entry.app_id, JSON.parse(entry.content) as Standing, { status: 'approved' });
    return { isChanged };
  }
  const moderation = disapproved(entry);
  await tx.run('UPDATE messages SET status = $3, moderation = $4, updated_at = $5 WHERE app_id = $1 AND id = $2', [
    entry.app_id,
    entry.message_id,
    moderation.status,
    JSON.stringify(moderation),
    tx.now,
  ]);
  // The message is gone, whichever of its versions was approved.
  await tx.run(
    `UPDATE review_entries SET status = 'rejected', reviewed = 1, reviewed_by = $3, updated_at = $4
     WHERE app_id = $1 AND message_id = $2 AND kind = 'blocked' AND status = 'approved'`,
    [entry.app_id, entry.message_id, mark.actor, tx.now],
  );
  return { isChanged };
}

function findMessage(tx: Tx, { app_id, message_id }: EntryRow): Promise<MessageRow | undefined> {
  return tx.get<MessageRow>('SELECT * FROM messages WHERE app_id = $1 AND id = $2', [app_id, message_id]);
}

async function settle(tx: Tx, entry: EntryRow, status: string, { actor, reviewed }: Mark): Promise<void> {
  await tx.run(
    'UPDATE review_entries SET status = $4, reviewed = $5, reviewed_by = $6, updated_at = $7 WHERE app_id = $1 AND kind = $2 AND id = $3',
    [entry.app_id, entry.kind, entry.id, status, reviewed ? 1 : 0, actor, tx.now],
  );
}

/**
 * With the entry, those of the same message that nobody could decide about any more: the same version caught twice goes with
 * it, an older version or a dropped one that still waits will not stand.
 */
async function settleBlocked(tx: Tx, entry: EntryRow, status: string, mark: Mark): Promise<void> {
  await settle(tx, entry, status, mark);
  const { app_id, message_id, id, hash, created_at } = entry;
  const marked = [mark.reviewed ? 1 : 0, mark.actor, tx.now];
  if (entry.content !== null)
    await tx.run(
      `UPDATE review_entries SET status = $5, reviewed = $6, reviewed_by = $7, updated_at = $8
       WHERE app_id = $1 AND message_id = $2 AND kind = 'blocked' AND id <> $3 AND hash = $4 AND content IS NOT NULL AND status <> $5`,
      [app_id, message_id, id, hash, status, ...marked],
    );
  await tx.run(
    `UPDATE review_entries SET status = 'rejected', reviewed = $5, reviewed_by = $6, updated_at = $7
     WHERE app_id = $1 AND message_id = $2 AND kind = 'blocked' AND status = 'pending' AND (content IS NULL OR (created_at, id) < ($3, $4))`,
    [app_id, message_id, created_at, id, ...marked],
  );
}

/** Users may have flagged the same version: it is decided with it. */
async function settleFlaggedToo(tx: Tx, entry: EntryRow, status: 'approved' | 'rejected', mark: Mark): Promise<void> {
  await tx.run(
    `UPDATE review_entries SET status = $4, reviewed = $5, reviewed_by = $6, updated_at = $7
     WHERE app_id = $1 AND kind = 'flagged' AND id = $2 AND hash = $3 AND status <> $4`,
    [
      entry.app_id,
      entry.message_id,
      entry.hash,
      status === 'approved' ? status : 'disapproved',
      mark.reviewed ? 1 : 0,
      mark.actor,
      tx.now,
    ],
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
async function tellReviewed(
  tx: Tx,
  entry: EntryRow,
  isApproved: boolean,
  by: string,
  standing: Standing | undefined,
): Promise<void> {
  const { replaced: _replaced, ...message } = JSON.parse(entry.content ?? '{}') as Reversible;
  const shown = entry.content === null ? { id: entry.message_id, sender: entry.sender } : message;
  await announce(tx, {
    appId: entry.app_id,
    trigger: isApproved ? 'moderation_manual_approved' : 'message_rejected',
    data: isApproved ? { message: standing ?? shown, by } : { message: shown, by, ...(standing && { standing }) },
  });
}

function disapproved(entry: EntryRow): Moderated {
  const rule = entry.rule_id === '' ? {} : { rule: { id: entry.rule_id, name: entry.rule_name } };
  return { status: 'disapproved', ...rule };
}
