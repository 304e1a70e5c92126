import { randomBytes } from 'node:crypto';
import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { andThen, type Soon } from '../soon.ts';
import type { HourlyCounts } from '../store/hourly-counts.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Trigger } from '../webhooks/triggers.ts';
import type { Guard } from './guard.ts';
import type { Snapshot } from './judges.ts';
import type { Judging } from './judging.ts';
import type { Kept } from './kept.ts';
import {
  type MessageData,
  type MessageRequest,
  type MessageRow,
  type Moderated,
  type Standing,
  standingFields,
  toStanding,
  toStandingData,
  versionOf,
} from './message.ts';
import { type CaughtBy, recordOutcome } from './outcomes.ts';
import { countVerdict } from './statistics.ts';
import { askerOf, causeOf, isNothing, type Judged, judgedAsJson } from './verdict.ts';

type Target = By & { appId: string };

/** Whether somebody wants to hear of what happens all the time. */
export type HasListener = (appId: string, trigger: Trigger) => Soon<boolean>;

/** A message that was judged, and what is known of it now. */
interface Recorded {
  id: string;
  /** The message as JSON, without its braces. */
  fields: string;
  judged: Judged;
  snapshot: Snapshot;
}

/** Messages that are judged and remembered: what was caught for the moderators, what was let through for a while. */
export class Messages {
  private readonly store: Store;
  private readonly judging: Judging;
  private readonly kept: Kept;
  private readonly guard: Guard;
  private readonly counts: HourlyCounts;
  private readonly hasListener: HasListener;
  private readonly keepsApproved: boolean;

  constructor(
    store: Store,
    judging: Judging,
    parts: { kept: Kept; guard: Guard; counts: HourlyCounts; hasListener: HasListener; keepsApproved: boolean },
  ) {
    this.store = store;
    this.judging = judging;
    this.kept = parts.kept;
    this.guard = parts.guard;
    this.counts = parts.counts;
    this.hasListener = parts.hasListener;
    this.keepsApproved = parts.keepsApproved;
  }

  /** A caught message is in the store before the answer; a passed one is written behind it. */
  async judgeMessage(appId: string, request: MessageRequest): Promise<Judged & { id: string; moderation: Moderated }> {
    const { id, judged, snapshot } = await this.judgeAndRecord(appId, request);
    return { id, moderation: moderated(judged, snapshot), ...judged };
  }

  /** The message with what was decided, as JSON: it is written once, for the store and for the caller. */
  judgeMessageAsJson(appId: string, request: MessageRequest): Soon<string> {
    return andThen(this.judgeAndRecord(appId, request), ({ fields, judged, snapshot }) => {
      const moderation = isNothing(judged) ? approvedAsJson : JSON.stringify(moderated(judged, snapshot));
      return `{${fields},"moderation":${moderation},${judgedAsJson(judged).slice(1)}`;
    });
  }

  private judgeAndRecord(appId: string, request: MessageRequest): Soon<Recorded> {
    const message = toStanding(request, request.id ?? newMessageId(), Date.now());
    const record = (judged: Judged, snapshot: Snapshot): Soon<Recorded> => {
      this.count(appId, snapshot, judged);
      const fields = standingFields(message);
      return andThen(this.record(appId, message, fields, judged, snapshot, false), () => {
        if (judged.verdict === 'allow' || judged.verdict === 'flag') this.judging.remember(appId, message, snapshot);
        return { id: message.id, fields, judged, snapshot };
      });
    };
    return andThen(this.judging.snapshot(appId), (snapshot) =>
      andThen(this.judging.judge(appId, message, snapshot), (judged) => record(judged, snapshot)),
    );
  }

  async getMessage(appId: string, id: string) {
    const row = await this.find(appId, id);
    if (row === undefined) throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND');
    return toMessage(row);
  }

  /**
   * A new version of a message is judged like a new message. When it is caught, what is there stays as it is, also what
   * a moderator took away and may bring back: the answer says what became of the edit and holds what stands.
   */
  async editMessage(appId: string, id: string, edit: { data: MessageData } & Partial<MessageRequest>) {
    const row = await this.find(appId, id);
    const before = row && (JSON.parse(row.body) as Standing);
    const base = before ?? asSent(edit);
    const now = Date.now();
    const message: Standing = { ...toStanding(base, id, now), data: toStandingData(edit.data) };
    const snapshot = await this.judging.snapshot(appId);
    const judged = await this.judging.judge(appId, message, snapshot);
    this.count(appId, snapshot, judged);
    const isRefused = judged.verdict === 'block' || judged.verdict === 'drop';
    await this.record(appId, message, standingFields(message), judged, snapshot, true);
    if (!isRefused) this.judging.rememberEdit(appId, message, snapshot);
    const standing = isRefused && before !== undefined ? before : message;
    return {
      ...standing,
      updatedAt: isRefused && row !== undefined ? Math.floor(row.updated_at / 1000) : Math.floor(now / 1000),
      moderation: moderated(judged, snapshot),
      ...judged,
    };
  }

  async deleteMessage(target: Target, id: string) {
    await this.kept.flush();
    const row = await this.store.change(deleteMessage, { ...target, id });
    return toMessage(row);
  }

  private async find(appId: string, id: string): Promise<MessageRow | undefined> {
    await this.kept.flush();
    return this.store.get<MessageRow>('SELECT * FROM messages WHERE app_id = $1 AND id = $2', [appId, id]);
  }

  private count(appId: string, snapshot: Snapshot, judged: Judged): void {
    this.guard.count(appId, snapshot, judged);
    countVerdict(this.counts, appId, judged.verdict);
  }

  /** Without a promise for what is only written behind. */
  private record(
    appId: string,
    message: Standing,
    fields: string,
    judged: Judged,
    snapshot: Snapshot,
    isEdit: boolean,
  ): Soon<void> {
    const isPlain = judged.verdict === 'allow' && judged.failures === undefined;
    if (!isPlain) return this.recordOutcome(appId, message, judged, snapshot, isEdit);
    return andThen(this.hasListener(appId, 'moderation_engine_approved'), (isHeard): Soon<void> => {
      // Of an edit, what was kept of a version before goes.
      if (isHeard || (isEdit && !this.keepsApproved))
        return this.recordOutcome(appId, message, judged, snapshot, isEdit);
      if (this.keepsApproved) this.kept.add(appId, message.id, `{${fields}}`);
    });
  }

  private async recordOutcome(
    appId: string,
    message: Standing,
    judged: Judged,
    snapshot: Snapshot,
    isEdit: boolean,
  ): Promise<void> {
    const { verdict, actions, matches, failures = [] } = judged;
    // An older version of the same message must not be written over this one later.
    if (this.kept.has(appId, message.id)) await this.kept.flush();
    const caughtBy = caughtByOf(judged, snapshot);
    const hash = versionOf(message);
    const entryId = newMessageId();
    await this.store.change(recordOutcome, {
      appId,
      verdict,
      entryId,
      message,
      isEdit,
      keepsApproved: this.keepsApproved,
      caughtBy,
      actions,
      matches,
      failures,
      hash,
    });
  }
}

export async function deleteMessage(tx: Tx, { appId, actor, id }: Target & { id: string }): Promise<MessageRow> {
  const row = await tx.get<MessageRow>('SELECT * FROM messages WHERE app_id = $1 AND id = $2', [appId, id]);
  if (row === undefined) throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND');
  await tx.run('DELETE FROM messages WHERE app_id = $1 AND id = $2', [appId, id]);
  await audit(tx, { appId, actor, action: 'deleteMessage', target: id });
  return row;
}

export function toMessage(row: MessageRow) {
  const message = JSON.parse(row.body) as Standing;
  const moderation = JSON.parse(row.moderation) as Moderated;
  return { ...message, updatedAt: Math.floor(row.updated_at / 1000), moderation };
}

const approvedAsJson = JSON.stringify({ status: 'approved' } satisfies Moderated);

function moderated(judged: Judged, snapshot: Snapshot): Moderated {
  const isCaught = judged.verdict === 'block' || judged.verdict === 'drop';
  const rule = causeOf(judged, snapshot)?.rule;
  return { status: isCaught ? 'disapproved' : 'approved', ...(rule && { rule: { id: rule.id, name: rule.name } }) };
}

function caughtByOf(judged: Judged, snapshot: Snapshot): CaughtBy {
  const cause = causeOf(judged, snapshot) ?? askerOf(judged, snapshot);
  if (cause === undefined) return { ruleId: '', ruleName: '', revisionId: '', condition: undefined };
  const { rule, condition, match } = cause;
  const weighed = condition && { ...condition, weight: match.severity ?? 1 };
  return { ruleId: rule.id, ruleName: rule.name, revisionId: rule.revisionId, condition: weighed };
}

const processMark = randomBytes(6).toString('hex');
let made = 0;
let moment = { ms: 0, text: '' };

/** Sorts by time, so that the newest stand together in the store. */
export function newMessageId(): string {
  const ms = Date.now();
  if (ms !== moment.ms) moment = { ms, text: ms.toString(36).padStart(9, '0') + processMark };
  return `${moment.text}${(made++).toString(36).padStart(4, '0')}`;
}

/** Of a message that is not kept the caller must say who wrote to whom. */
function asSent(edit: Partial<MessageRequest>): MessageRequest {
  const { sender, receiver, receiverType } = edit;
  if (sender === undefined || receiver === undefined || receiverType === undefined)
    throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND', {
      message:
        'There is no message with this id here: it was never judged, was dropped, or is no longer kept. Send sender, receiver and receiverType along to have the edit judged all the same.',
    });
  return { ...edit, sender, receiver, receiverType };
}
