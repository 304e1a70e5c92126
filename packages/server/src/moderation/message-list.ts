import { Type } from '#typebox';
import { timeSeconds, uidField } from '../fields.ts';
import type { Store } from '../store/store.ts';
import type { Kept } from './kept.ts';
import { type MessageRow, messageIdField } from './message.ts';
import { toMessage } from './messages.ts';
import { scan } from './scan.ts';

export const messageListQuery = Type.Object({
  sender: Type.Optional(uidField),
  receiverUID: Type.Optional(uidField),
  receiverGUID: Type.Optional(uidField),
  category: Type.Optional(Type.Enum(['message', 'custom'])),
  type: Type.Optional(Type.String({ maxLength: 100 })),
  moderationStatus: Type.Optional(Type.Enum(['pending', 'approved', 'disapproved'])),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'How many records to fetch, 1 to 1000.',
  }),
  affix: Type.Enum(['append', 'prepend'], {
    default: 'append',
    description: 'append: those after the place, oldest first. prepend: those before it, newest first.',
  }),
  sentAt: Type.Optional(timeSeconds('With id: the place where the page before ended.')),
  id: Type.Optional(messageIdField),
});

export interface MessageFilter {
  sender?: string;
  receiverUID?: string;
  receiverGUID?: string;
  category?: string;
  type?: string;
  moderationStatus?: string;
}

type Place = [sentAt: number, id: string];

/** A page of the messages that are kept, by the time they were sent. */
export async function listMessages(
  store: Store,
  kept: Kept,
  appId: string,
  filter: MessageFilter,
  page: { limit: number; affix: 'append' | 'prepend'; sentAt?: number; id?: string },
) {
  await kept.flush();
  const { limit, affix } = page;
  const isForward = affix === 'append';
  const edge: Place = isForward ? [-1, ''] : [Number.MAX_SAFE_INTEGER, '\uffff'];
  const from: Place = [page.sentAt ?? edge[0], page.id ?? edge[1]];
  const { rows, next } = await scan<MessageRow, Place>({
    from,
    limit,
    read: ([sentAt, id], count) =>
      store.all<MessageRow>(
        isForward
          ? 'SELECT * FROM messages WHERE app_id = $1 AND (sent_at, id) > ($2, $3) ORDER BY sent_at, id LIMIT $4'
          : 'SELECT * FROM messages WHERE app_id = $1 AND (sent_at, id) < ($2, $3) ORDER BY sent_at DESC, id DESC LIMIT $4',
        [appId, sentAt, id, count],
      ),
    fits: (row) => fits(row, filter),
    placeOf: (row) => [row.sent_at, row.id],
  });
  const meta = {
    current: { limit, count: rows.length },
    ...(next && { next: { affix, sentAt: next[0], id: next[1] } }),
  };
  return { data: rows.map(toMessage), meta };
}

function fits(row: MessageRow, filter: MessageFilter): boolean {
  const { sender, receiverUID, receiverGUID, category, type, moderationStatus } = filter;
  if (sender !== undefined && row.sender !== sender) return false;
  if (receiverUID !== undefined && (row.receiver_type !== 'user' || row.receiver !== receiverUID)) return false;
  if (receiverGUID !== undefined && (row.receiver_type !== 'group' || row.receiver !== receiverGUID)) return false;
  if (category !== undefined && row.category !== category) return false;
  if (type !== undefined && row.type !== type) return false;
  return moderationStatus === undefined || row.status === moderationStatus;
}
