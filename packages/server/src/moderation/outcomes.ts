import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import type { EvidenceFailure } from './evidence.ts';
import type { MessageRow, Moderated, Standing } from './message.ts';
import type { Condition } from './rule.ts';
import type { FoundMatch } from './verdict.ts';

/** Why a message was caught: the rule as it was at that moment. */
export interface CaughtBy {
  ruleId: string;
  ruleName: string;
  revisionId: string;
  condition: (Condition & { weight: number }) | undefined;
}

/** What judging a message came to, on its way into the store. */
export interface Outcome {
  appId: string;
  verdict: 'allow' | 'flag' | 'block' | 'drop';
  entryId: string;
  message: Standing;
  /** A new version of a message: when it is caught, the one before stays as it is. */
  isEdit: boolean;
  /** Whether anything of a message that is let through may stay. */
  keepsApproved: boolean;
  caughtBy: CaughtBy;
  actions: readonly string[];
  matches: readonly FoundMatch[];
  failures: readonly EvidenceFailure[];
  /** Stands for the content of a message of which nothing else is kept. */
  hash: string;
}

/** One transaction: the message as it stands, what moderators will see of it, and what the outside is told. */
export async function recordOutcome(tx: Tx, outcome: Outcome): Promise<void> {
  const { appId, verdict, message, caughtBy, actions, failures } = outcome;
  const rule = caughtBy.ruleId === '' ? {} : { rule: { id: caughtBy.ruleId, name: caughtBy.ruleName } };
  const shown = verdict === 'drop' ? factOf(outcome) : message;
  if (failures.length > 0)
    await announce(tx, { appId, trigger: 'moderation_engine_failed', data: { message: shown, failures } });
  switch (verdict) {
    case 'allow':
      await writeApproved(tx, outcome, { status: 'approved' });
      await announce(tx, { appId, trigger: 'moderation_engine_approved', data: { message, ...rule, actions } });
      return;
    case 'flag':
      await writeApproved(tx, outcome, { status: 'approved', ...rule });
      await writeFlagged(tx, outcome);
      await announce(tx, { appId, trigger: 'message_flagged', data: { message, ...rule, actions, by: 'rule' } });
      return;
    case 'block':
      if (!outcome.isEdit) await writeMessage(tx, appId, message, { status: 'disapproved', ...rule });
      break;
    case 'drop':
      break;
  }
  await writeBlocked(tx, outcome);
  const data = { message: shown, verdict, ...rule, actions };
  await announce(tx, { appId, trigger: 'moderation_engine_blocked', data });
}

async function writeApproved(tx: Tx, { appId, message, keepsApproved }: Outcome, moderation: Moderated): Promise<void> {
  if (keepsApproved) await writeMessage(tx, appId, message, moderation);
  else await tx.run('DELETE FROM messages WHERE app_id = $1 AND id = $2', [appId, message.id]);
}

/** What is kept and told of a dropped message: that there was one. */
function factOf({ message, hash }: Outcome) {
  const { id, sender, receiver, receiverType, sentAt } = message;
  return { id, sender, receiver, receiverType, sentAt, hash };
}

const messageColumns = [
  'app_id',
  'id',
  'sender',
  'receiver',
  'receiver_type',
  'category',
  'type',
  'status',
  'body',
  'moderation',
  'sent_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof MessageRow)[];
const replaceMessage = `ON CONFLICT (app_id, id) DO UPDATE SET sender = excluded.sender, receiver = excluded.receiver,
  receiver_type = excluded.receiver_type, category = excluded.category, type = excluded.type, status = excluded.status,
  body = excluded.body, moderation = excluded.moderation, sent_at = excluded.sent_at, updated_at = excluded.updated_at`;

/** In the order of the columns; `body` is the message as JSON. */
function messageValues(appId: string, message: Standing, body: string, moderation: Moderated, now: number) {
  const { id, sender, receiver, receiverType, category = 'message', type = 'text', sentAt } = message;
  const { status } = moderation;
  const decided = moderation.rule === undefined ? plainly[status] : JSON.stringify(moderation);
  return [appId, id, sender, receiver, receiverType, category, type, status, body, decided, sentAt, now, now] as const;
}

const plainly = {
  pending: '{"status":"pending"}',
  approved: '{"status":"approved"}',
  disapproved: '{"status":"disapproved"}',
};

/** Messages of one app as JSON: one text each travels to the writer in a fraction of the time that a dozen values take. */
export interface ApprovedOfApp {
  appId: string;
  bodies: readonly string[];
  /** When each was judged: the newest stand first. */
  times: readonly number[];
}

/** The messages let through, many at a time: nobody waits for them, and losing the last few in a crash harms nobody. */
export async function keepApproved(tx: Tx, { approved }: { approved: readonly ApprovedOfApp[] }): Promise<void> {
  for (const { appId, bodies, times } of approved) {
    const rows = bodies.map((body, i) =>
      messageValues(appId, JSON.parse(body) as Standing, body, { status: 'approved' }, times[i] ?? tx.now),
    );
    await writeRows(tx, appId, rows);
  }
}

export async function writeMessage(tx: Tx, appId: string, message: Standing, moderation: Moderated): Promise<void> {
  await writeRows(tx, appId, [messageValues(appId, message, JSON.stringify(message), moderation, tx.now)]);
}

async function writeRows(tx: Tx, appId: string, rows: ReturnType<typeof messageValues>[]): Promise<void> {
  // An app that was deleted meanwhile must not take the others' messages with it.
  if ((await tx.get('SELECT id FROM apps WHERE id = $1', [appId])) === undefined) return;
  await tx.insertMany('messages', messageColumns, rows, replaceMessage);
}

const entryColumns =
  'app_id, kind, id, message_id, rule_id, rule_name, revision_id, condition, actions, sender, receiver, receiver_type, content, hash, matches, status, reviewed, flags_count, created_at, updated_at';
const insertEntry = `INSERT INTO review_entries (${entryColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'pending', 0, 0, $16, $16)`;

async function writeBlocked(tx: Tx, outcome: Outcome): Promise<void> {
  const isDropped = outcome.verdict === 'drop';
  await tx.run(insertEntry, [...entryValues(outcome, 'blocked', outcome.entryId, isDropped), tx.now]);
}

/** One entry a message, however often and by whom it was flagged; a new cause opens it again. */
async function writeFlagged(tx: Tx, outcome: Outcome): Promise<void> {
  await tx.run(
    `${insertEntry} ON CONFLICT (app_id, kind, id) DO UPDATE SET rule_id = excluded.rule_id, rule_name = excluded.rule_name,
       revision_id = excluded.revision_id, condition = excluded.condition, actions = excluded.actions, content = excluded.content,
       hash = excluded.hash, matches = excluded.matches, status = 'pending', reviewed = 0, updated_at = excluded.updated_at`,
    [...entryValues(outcome, 'flagged', outcome.message.id, false), tx.now],
  );
}

/** Matches quote the message, and failures name its attachments: of a dropped one they go with its content. */
function entryValues(outcome: Outcome, kind: string, id: string, isDropped: boolean) {
  const { appId, message, caughtBy, actions, hash } = outcome;
  const matches = isDropped ? [] : outcome.matches;
  const failures = isDropped ? outcome.failures.map(({ url: _, ...failure }) => failure) : outcome.failures;
  return [
    appId,
    kind,
    id,
    message.id,
    caughtBy.ruleId,
    caughtBy.ruleName,
    caughtBy.revisionId,
    JSON.stringify(caughtBy.condition ?? null),
    JSON.stringify(actions),
    message.sender,
    message.receiver,
    message.receiverType,
    isDropped ? null : JSON.stringify(message),
    hash,
    JSON.stringify(failures.length === 0 ? matches : ({ matches, failures } satisfies KeptEvidence)),
  ];
}

/** What spoke for an entry, as it is kept: the matches alone where everything could be judged. */
export interface KeptEvidence {
  matches: readonly FoundMatch[];
  failures?: readonly EvidenceFailure[];
}
