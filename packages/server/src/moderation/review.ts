import type { By } from '../apps/audit.ts';
import { decodeCursor, encodeCursor } from '../paging.ts';
import type { Store } from '../store/store.ts';
import { type Around, type AroundRequest, readAround } from './around.ts';
import type { Kept } from './kept.ts';
import { captionsOf, type MessageRow, type Moderated, type Standing, versionOf } from './message.ts';
import type { KeptEvidence } from './outcomes.ts';
import { reviewBlocked, reviewFlagged } from './review-changes.ts';
import type { Condition } from './rule.ts';
import { scan } from './scan.ts';
import type { FoundMatch } from './verdict.ts';

export type EntryRow = {
  app_id: string;
  kind: string;
  id: string;
  message_id: string;
  rule_id: string;
  rule_name: string;
  revision_id: string;
  condition: string;
  actions: string;
  sender: string;
  receiver: string;
  receiver_type: string;
  content: string | null;
  hash: string;
  matches: string;
  status: string;
  reviewed: number;
  reviewed_by: string | null;
  flags_count: number;
  created_at: number;
  updated_at: number;
};

export type Queue = 'blocked' | 'flagged' | 'reviewed';

export interface ReviewFilter {
  /** Seconds or milliseconds since the epoch; both ends belong to it. */
  from?: number;
  to?: number;
  ruleId?: string;
  sender?: string;
  receiver?: string;
  text?: string;
  status?: string;
  action?: string;
}

type Target = By & { appId: string };
type Place = readonly [at: number, id: string];
const newest: Place = [Number.MAX_SAFE_INTEGER, '\uffff'];

/** What moderators look at: what was blocked, what was flagged, and what they decided. Newest first. */
export class Review {
  private readonly store: Store;
  private readonly kept: Kept;
  private readonly deliveredKeptHours: number;

  constructor(store: Store, kept: Kept, options: { approvedHours: number; backtestDays: number }) {
    this.store = store;
    this.kept = kept;
    this.deliveredKeptHours = Math.max(options.approvedHours, options.backtestDays * 24);
  }

  /** A word alone says little: what was said around it. */
  async listAround(request: AroundRequest): Promise<Around> {
    return {
      ...(await readAround(this.store, this.kept, request)),
      deliveredKeptHours: this.deliveredKeptHours,
    };
  }

  async list(appId: string, queue: Queue, filter: ReviewFilter, limit: number, cursor?: string) {
    const from: Place = cursor === undefined ? newest : decodeCursor(cursor, ['number', 'string']);
    const { rows, next } = await this.scan(appId, queue, filter, limit, from);
    const meta = {
      current: { limit, count: rows.length },
      ...(next && { next: { cursor: encodeCursor(next) } }),
    };
    return { data: await this.toAnswers(appId, queue, rows), meta };
  }

  /** Every entry that fits, a few hundred at a time: for exports. */
  async *stream(appId: string, queue: Queue, filter: ReviewFilter) {
    for (let place: Place | undefined = newest; place !== undefined; ) {
      const page: { rows: EntryRow[]; next: Place | undefined } = await this.scan(appId, queue, filter, 500, place);
      yield await this.toAnswers(appId, queue, page.rows);
      place = page.next;
    }
  }

  async reviewBlocked(target: Target, messageId: string, status: 'approved' | 'rejected', reviewed: boolean) {
    await this.kept.flush();
    await this.store.change(reviewBlocked, { ...target, messageId, status, reviewed });
  }

  async reviewFlagged(target: Target, messageId: string, status: 'approved' | 'disapproved') {
    await this.kept.flush();
    await this.store.change(reviewFlagged, { ...target, messageId, status });
  }

  private scan(appId: string, queue: Queue, filter: ReviewFilter, limit: number, from: Place) {
    const timeOf = (row: EntryRow): number => (queue === 'reviewed' ? row.updated_at : row.created_at);
    const since = toMs(filter.from, 0) ?? 0;
    const until = toMs(filter.to, 999) ?? Number.MAX_SAFE_INTEGER;
    // Starting at the end of the wanted time, not at the newest entry.
    const start: Place = from[0] > until ? [until, '\uffff'] : from;
    return scan<EntryRow, Place>({
      from: start,
      limit,
      read: (place, count) => this.read(appId, queue, filter, since, place, count),
      fits: (row) => fits(row, queue, filter),
      placeOf: (row) => [timeOf(row), row.id],
    });
  }

  /** The narrowest index that the filter allows. */
  private read(appId: string, queue: Queue, filter: ReviewFilter, since: number, [at, id]: Place, count: number) {
    if (queue === 'reviewed')
      return this.store.all<EntryRow>(
        `SELECT * FROM review_entries WHERE app_id = $1 AND reviewed = 1 AND updated_at >= $2 AND (updated_at, id) < ($3, $4)
         ORDER BY updated_at DESC, id DESC LIMIT $5`,
        [appId, since, at, id, count],
      );
    if (filter.ruleId !== undefined)
      return this.store.all<EntryRow>(
        `SELECT * FROM review_entries WHERE app_id = $1 AND rule_id = $2 AND kind = $3 AND created_at >= $4 AND (created_at, id) < ($5, $6)
         ORDER BY created_at DESC, id DESC LIMIT $7`,
        [appId, filter.ruleId, queue, since, at, id, count],
      );
    if (filter.sender !== undefined)
      return this.store.all<EntryRow>(
        `SELECT * FROM review_entries WHERE app_id = $1 AND sender = $2 AND kind = $3 AND created_at >= $4 AND (created_at, id) < ($5, $6)
         ORDER BY created_at DESC, id DESC LIMIT $7`,
        [appId, filter.sender, queue, since, at, id, count],
      );
    return this.store.all<EntryRow>(
      `SELECT * FROM review_entries WHERE app_id = $1 AND kind = $2 AND created_at >= $3 AND (created_at, id) < ($4, $5)
       ORDER BY created_at DESC, id DESC LIMIT $6`,
      [appId, queue, since, at, id, count],
    );
  }

  private async toAnswers(appId: string, queue: Queue, rows: readonly EntryRow[]) {
    const answers: ReviewAnswer[] = [];
    for (const row of rows) {
      const isFlagged = row.kind === 'flagged';
      const flags = isFlagged && queue !== 'blocked' ? await readFlags(this.store, appId, row.message_id) : undefined;
      const moderation = (isFlagged ? await this.standingOf(row) : undefined) ?? moderationOf(row);
      answers.push(
        isFlagged && queue === 'flagged' ? toFlagged(row, moderation, flags ?? []) : toBlocked(row, moderation, flags),
      );
    }
    return answers;
  }

  /** What was decided about the very version that was flagged: it may be one that was blocked. */
  private async standingOf({ app_id, message_id, hash }: EntryRow): Promise<Moderated | undefined> {
    const row = await this.store.get<Pick<MessageRow, 'body' | 'moderation'>>(
      'SELECT body, moderation FROM messages WHERE app_id = $1 AND id = $2',
      [app_id, message_id],
    );
    if (row === undefined || versionOf(JSON.parse(row.body) as Standing) !== hash) return undefined;
    return JSON.parse(row.moderation) as Moderated;
  }
}

export type ReviewAnswer = ReturnType<typeof toBlocked> | ReturnType<typeof toFlagged>;

function toMs(time: number | undefined, endMs: number): number | undefined {
  if (time === undefined) return undefined;
  return time < 100_000_000_000 ? time * 1000 + endMs : time;
}

function fits(row: EntryRow, queue: Queue, filter: ReviewFilter): boolean {
  const { from, to, ruleId, sender, receiver, text, status, action } = filter;
  if (queue === 'reviewed' && (from !== undefined || to !== undefined)) {
    const until = toMs(to, 999) ?? Number.MAX_SAFE_INTEGER;
    if (row.updated_at > until) return false;
  }
  if (ruleId !== undefined && row.rule_id !== ruleId) return false;
  if (sender !== undefined && row.sender !== sender) return false;
  if (receiver !== undefined && row.receiver !== receiver) return false;
  if (status !== undefined && row.status !== status) return false;
  if (action !== undefined && !(JSON.parse(row.actions) as string[]).includes(action)) return false;
  return text === undefined || textOf(row).toLowerCase().includes(text.toLowerCase());
}

function textOf(row: EntryRow): string {
  if (row.content === null) return '';
  const { data } = JSON.parse(row.content) as Standing;
  const custom = data?.customData === undefined ? undefined : JSON.stringify(data.customData);
  return [data?.text, custom, ...captionsOf(data)].join(' ');
}

const moderationOf = (row: EntryRow): Moderated => {
  const { status } = row;
  const isApproved = status === 'approved' || (row.kind === 'flagged' && status === 'pending');
  return {
    status: isApproved ? 'approved' : 'disapproved',
    ...(row.rule_id !== '' && { rule: { id: row.rule_id, name: row.rule_name } }),
  };
};

/** Of a dropped message there is only the fact. */
function messageOf(row: EntryRow, moderation: Moderated) {
  if (row.content !== null) {
    const { replaced: _replaced, ...message } = JSON.parse(row.content) as Standing & { replaced?: Standing };
    return { ...message, moderation };
  }
  return {
    id: row.message_id,
    sender: row.sender,
    receiver: row.receiver,
    receiverType: row.receiver_type,
    hash: row.hash,
    moderation,
  };
}

function evidenceOf({ matches }: EntryRow): KeptEvidence {
  const kept = JSON.parse(matches) as FoundMatch[] | KeptEvidence;
  return Array.isArray(kept) ? { matches: kept } : kept;
}

function toBlocked(row: EntryRow, moderation: Moderated, flaggedBy?: readonly Flag[]) {
  return {
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    revisionId: row.revision_id,
    condition: JSON.parse(row.condition) as (Condition & { weight: number }) | null,
    message: messageOf(row, moderation),
    action: JSON.parse(row.actions) as string[],
    createdAt: Math.floor(row.created_at / 1000),
    updatedAt: Math.floor(row.updated_at / 1000),
    status: row.status,
    reviewed: row.reviewed === 1,
    ...evidenceOf(row),
    ...(row.reviewed_by !== null && { reviewedBy: row.reviewed_by }),
    ...(flaggedBy && { flaggedBy, flaggedCount: row.flags_count }),
  };
}

function toFlagged(row: EntryRow, moderation: Moderated, flaggedBy: readonly Flag[]) {
  return {
    ...messageOf(row, moderation),
    flaggedBy,
    flaggedCount: row.flags_count,
    status: row.status,
    reviewed: row.reviewed === 1,
    createdAt: Math.floor(row.created_at / 1000),
    updatedAt: Math.floor(row.updated_at / 1000),
    ...(row.rule_id !== '' && {
      ruleId: row.rule_id,
      ruleName: row.rule_name,
      ...evidenceOf(row),
    }),
  };
}

export interface Flag {
  uid: string;
  name: string;
  reasonId: string;
  reasonName: string;
  description: string;
  remark: string;
  flaggedAt: number;
}

/** How many reporters are named; all of them are counted. */
const flagsShown = 100;

async function readFlags(store: Store, appId: string, messageId: string): Promise<Flag[]> {
  const rows = await store.all<{
    uid: string;
    name: string;
    reason_id: string;
    reason_name: string;
    description: string;
    remark: string;
    flagged_at: number;
  }>(
    `SELECT uid, name, reason_id, reason_name, description, remark, flagged_at FROM message_flags
     WHERE app_id = $1 AND message_id = $2 ORDER BY flagged_at DESC, uid LIMIT ${flagsShown}`,
    [appId, messageId],
  );
  return rows.map(({ uid, name, reason_id, reason_name, description, remark, flagged_at }) => ({
    uid,
    name,
    reasonId: reason_id,
    reasonName: reason_name,
    description,
    remark,
    flaggedAt: Math.floor(flagged_at / 1000),
  }));
}
