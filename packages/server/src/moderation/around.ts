import { type Static, Type } from '#typebox';
import { ApiError } from '../errors.ts';
import type { Row, Store } from '../store/store.ts';
import type { Kept } from './kept.ts';
import type { Standing } from './message.ts';

/** How many records on either side are looked through for those of the same conversation. */
const lookedAtMax = 20_000;
/** Between two steps everybody else gets the thread. */
const recordsPerStep = 1000;
const textShownMax = 1000;

const messageAround = Type.Object({
  id: Type.String(),
  sender: Type.String(),
  receiver: Type.String(),
  receiverType: Type.String(),
  type: Type.String(),
  sentAt: Type.Integer(),
  outcome: Type.Enum(['delivered', 'flagged', 'blocked', 'dropped']),
  text: Type.String({ description: `The first ${textShownMax} characters. Of a dropped message nothing is kept.` }),
  isCut: Type.Boolean({ description: 'Whether the text goes on.' }),
  attachmentsCount: Type.Integer(),
});
const hasMore = Type.Boolean({ description: 'Whether there are more on that side than were asked for.' });

export const aroundAnswer = Type.Object({
  before: Type.Array(messageAround, { description: 'Oldest first; the last one is the one just before.' }),
  after: Type.Array(messageAround, { description: 'Oldest first; the first one is the one just after.' }),
  hasMoreBefore: hasMore,
  hasMoreAfter: hasMore,
  deliveredKeptHours: Type.Integer({
    description: 'How long messages that were let through are kept. 0: they are not, and only what was caught is here.',
  }),
});

export type Around = Static<typeof aroundAnswer>;
type MessageAround = Static<typeof messageAround>;

export interface AroundRequest {
  appId: string;
  messageId: string;
  before: number;
  after: number;
}

/** The message that is asked about: its conversation and its place in it. */
interface Middle {
  id: string;
  sender: string;
  receiver: string;
  receiverType: string;
  sentAt: number;
  createdAt: number;
}

/**
 * What was said before and after a message in the same conversation: to the same group, or between the same two users. A
 * message is found among those that are kept; what is kept for the moderators alone is found in their queues.
 */
export async function readAround(
  store: Store,
  kept: Kept,
  { appId, messageId, before, after }: AroundRequest,
): Promise<Omit<Around, 'deliveredKeptHours'>> {
  await kept.flush();
  const middle = await findMiddle(store, appId, messageId);
  if (middle === undefined) throw new ApiError('ERR_MESSAGE_ID_NOT_FOUND');
  const found = new Map<string, MessageAround>();
  for (const one of [
    ...(await readSide(store, appId, middle, 'before', before)),
    ...(await readSide(store, appId, middle, 'after', after)),
  ])
    if (one.id !== messageId) found.set(one.id, one);
  const inOrder = [...found.values()].sort(byPlace);
  const earlier = inOrder.filter((one) => byPlace(one, middle) < 0);
  const later = inOrder.filter((one) => byPlace(one, middle) > 0);
  return {
    before: before === 0 ? [] : earlier.slice(-before),
    after: later.slice(0, after),
    hasMoreBefore: earlier.length > before,
    hasMoreAfter: later.length > after,
  };
}

type Placed = Pick<Middle, 'sentAt' | 'id'>;

/** Chat servers count seconds or milliseconds; what has no time of its own has ours, in seconds. */
function byPlace(a: Placed, b: Placed): number {
  const seconds = ({ sentAt }: Placed): number => (sentAt < 100_000_000_000 ? sentAt : sentAt / 1000);
  return seconds(a) - seconds(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

async function findMiddle(store: Store, appId: string, messageId: string): Promise<Middle | undefined> {
  const row = await store.get<MessageFields & { created_at: number }>(
    'SELECT id, sender, receiver, receiver_type, sent_at, created_at FROM messages WHERE app_id = $1 AND id = $2',
    [appId, messageId],
  );
  if (row !== undefined) return { ...partiesOf(row), id: row.id, sentAt: row.sent_at, createdAt: row.created_at };
  const entry = await store.get<EntryFields>(
    `SELECT ${entryColumns} FROM review_entries t WHERE t.app_id = $1 AND t.message_id = $2 ORDER BY t.created_at DESC LIMIT 1`,
    [appId, messageId],
  );
  if (entry === undefined) return undefined;
  return { ...partiesOf(entry), id: messageId, sentAt: sentAtOf(entry), createdAt: entry.created_at };
}

type Parties = { sender: string; receiver: string; receiver_type: string };
type MessageFields = Parties & { id: string; sent_at: number };
type MessageFound = MessageFields & { type: string; status: string; body: string; flagged: string | null };
type EntryFields = Parties & {
  kind: string;
  message_id: string;
  status: string;
  content: string | null;
  created_at: number;
};

const entryColumns = 't.kind, t.message_id, t.sender, t.receiver, t.receiver_type, t.status, t.content, t.created_at';

const partiesOf = ({ sender, receiver, receiver_type: receiverType }: Parties) => ({ sender, receiver, receiverType });

type Side = 'before' | 'after';
type Place = readonly [at: number, id: string];
const toward = {
  before: { than: '<', until: '>=', order: 'DESC', end: [-1, ''] },
  after: { than: '>', until: '<=', order: 'ASC', end: [Number.MAX_SAFE_INTEGER, '\uffff'] },
} as const satisfies Record<Side, { than: string; until: string; order: string; end: Place }>;

/** The two that `$6` and `$7` name, in either direction; in a group everybody is party to the conversation. */
const sameConversation = {
  group: "t.receiver_type = 'group' AND t.receiver = $6",
  user: "t.receiver_type = 'user' AND ((t.receiver = $6 AND t.sender = $7) OR (t.receiver = $7 AND t.sender = $6))",
} as const;

interface Source {
  /** Where the records of one step end. */
  edge: string;
  group: string;
  user: string;
}

interface SourceWords {
  time: 'sent_at' | 'created_at';
  /** Which records are gone through. */
  among: string;
  select: string;
  /** Which of them are wanted, beside those of the conversation. */
  only?: string;
}

/** No index knows of conversations: it would be paid for with every message. So records are gone through, a step at a time. */
function sourceOf(side: Side, { time, among, select, only = '' }: SourceWords): Source {
  const { than, until, order } = toward[side];
  const inOrder = `ORDER BY t.${time} ${order}, t.id ${order}`;
  const outward = `${among} AND (t.${time}, t.id) ${than} ($2, $3)`;
  const read = (same: string): string =>
    `${select} WHERE ${outward} AND (t.${time}, t.id) ${until} ($4, $5) AND ${same}${only} ${inOrder} LIMIT `;
  const table = time === 'sent_at' ? 'messages' : 'review_entries';
  return {
    edge: `SELECT t.${time} AS at, t.id FROM ${table} t WHERE ${outward} ${inOrder} LIMIT 1 OFFSET ${recordsPerStep - 1}`,
    group: `${read(sameConversation.group)}$7`,
    user: `${read(sameConversation.user)}$8`,
  };
}

/** What stands, or stood before it was blocked. */
const messagesOn = (side: Side): Source =>
  sourceOf(side, {
    time: 'sent_at',
    among: 't.app_id = $1',
    select: `SELECT t.id, t.sender, t.receiver, t.receiver_type, t.type, t.status, t.body, t.sent_at, f.status AS flagged
      FROM messages t LEFT JOIN review_entries f ON f.app_id = t.app_id AND f.kind = 'flagged' AND f.id = t.id`,
  });

/** What only the moderators' queues have: dropped messages, and flagged ones that are no longer kept elsewhere. */
const entriesOn = (side: Side, kind: 'blocked' | 'flagged'): Source =>
  sourceOf(side, {
    time: 'created_at',
    among: `t.app_id = $1 AND t.kind = '${kind}'`,
    select: `SELECT ${entryColumns} FROM review_entries t`,
    only: ' AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.app_id = t.app_id AND m.id = t.message_id)',
  });

/** The texts are few and fixed: each is prepared once. */
const sources = {
  before: { messages: messagesOn('before'), entries: [entriesOn('before', 'blocked'), entriesOn('before', 'flagged')] },
  after: { messages: messagesOn('after'), entries: [entriesOn('after', 'blocked'), entriesOn('after', 'flagged')] },
};

async function readSide(store: Store, appId: string, middle: Middle, side: Side, count: number) {
  const { messages, entries } = sources[side];
  const asked = { store, appId, middle, side, count };
  const found = await collect<MessageFound>(asked, messages, [middle.sentAt, middle.id]);
  // Of the same moment are both sides; which one it is, the time it was sent says.
  const moment: Place = [middle.createdAt, side === 'before' ? '\uffff' : ''];
  const rows: EntryFields[] = [];
  for (const source of entries) rows.push(...(await collect<EntryFields>(asked, source, moment)));
  return [...found.map(toMessageAround), ...rows.map(toEntryAround)];
}

/** The nearest of the conversation, and one more, to know of it. */
async function collect<R extends Row>(
  { store, appId, middle, side, count }: { store: Store; appId: string; middle: Middle; side: Side; count: number },
  source: Source,
  start: Place,
): Promise<R[]> {
  const kind = middle.receiverType === 'group' ? 'group' : 'user';
  const parties = kind === 'group' ? [middle.receiver] : [middle.receiver, middle.sender];
  const found: R[] = [];
  let from = start;
  for (let looked = 0; looked < lookedAtMax && found.length <= count; looked += recordsPerStep) {
    const edge = await store.get<{ at: number; id: string }>(source.edge, [appId, ...from]);
    const to = edge === undefined ? toward[side].end : ([edge.at, edge.id] as const);
    const wanted = count + 1 - found.length;
    found.push(...(await store.all<R>(source[kind], [appId, ...from, ...to, ...parties, wanted])));
    if (edge === undefined) break;
    from = to;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

function toMessageAround(row: MessageFound): MessageAround {
  const stands = row.status !== 'disapproved';
  return {
    ...partiesOf(row),
    id: row.id,
    type: row.type,
    sentAt: row.sent_at,
    outcome: stands ? (row.flagged === 'pending' ? 'flagged' : 'delivered') : 'blocked',
    ...excerptOf(JSON.parse(row.body) as Standing),
  };
}

function toEntryAround(row: EntryFields): MessageAround {
  const message = row.content === null ? undefined : (JSON.parse(row.content) as Standing);
  return {
    ...partiesOf(row),
    id: row.message_id,
    type: message?.type ?? 'text',
    sentAt: sentAtOf(row),
    outcome: outcomeOf(row),
    ...excerptOf(message),
  };
}

function outcomeOf({ kind, status, content }: EntryFields): MessageAround['outcome'] {
  if (content === null) return 'dropped';
  if (status === 'approved') return 'delivered';
  return kind === 'flagged' && status === 'pending' ? 'flagged' : 'blocked';
}

function sentAtOf({ content, created_at }: EntryFields): number {
  return content === null ? Math.floor(created_at / 1000) : (JSON.parse(content) as Standing).sentAt;
}

/** A conversation of long messages must not be a long answer. */
function excerptOf(message: Standing | undefined) {
  const { text = '', attachments = [] } = message?.data ?? {};
  const end = text.charCodeAt(textShownMax - 1) >>> 10 === 0x36 ? textShownMax - 1 : textShownMax;
  return { text: text.slice(0, end), isCut: text.length > end, attachmentsCount: attachments.length };
}
