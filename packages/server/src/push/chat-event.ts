import { badField } from '../errors.ts';
import type { RingRequest, Said } from './ring-request.ts';

/** What may happen in a chat. Each has a setting of the app, and most a preference of the user, by the same name. */
export const memberActions = ['left', 'added', 'joined', 'kicked', 'banned', 'unbanned', 'scopeChanged'] as const;
export const callActions = ['initiated', 'ongoing', 'cancelled', 'rejected', 'unanswered', 'busy', 'ended'] as const;
export type MemberAction = (typeof memberActions)[number];
export type CallAction = (typeof callActions)[number];
type MessageEventName = 'messages' | 'replies' | 'reactions' | 'messageEdited' | 'messageDeleted';
export type ChatEventName = MessageEventName | `member${Capitalize<MemberAction>}` | `call${Capitalize<CallAction>}`;

/** What a message tells of, and what it is called in the log. */
export type ChatEvent =
  | { kind: 'message'; name: MessageEventName; trigger: string }
  | { kind: 'member'; name: ChatEventName; trigger: string; action: MemberAction }
  | { kind: 'call'; name: ChatEventName; trigger: string; action: CallAction };

export function capital<T extends string>(word: T): Capitalize<T> {
  return (word.charAt(0).toUpperCase() + word.slice(1)) as Capitalize<T>;
}

const snake = (word: string): string => word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const ofMessages: ReadonlyMap<string, ChatEvent> = new Map<string, ChatEvent>([
  ['edited', { kind: 'message', name: 'messageEdited', trigger: 'message_edited' }],
  ['deleted', { kind: 'message', name: 'messageDeleted', trigger: 'message_deleted' }],
  ['reaction_added', { kind: 'message', name: 'reactions', trigger: 'message_reaction_added' }],
]);
const ofMembers: ReadonlyMap<string, ChatEvent> = new Map(
  memberActions.map((action) => [
    action,
    { kind: 'member', name: `member${capital(action)}`, trigger: `group_member_${snake(action)}`, action },
  ]),
);
const ofCalls: ReadonlyMap<string, ChatEvent> = new Map(
  callActions.map((action) => [
    action,
    { kind: 'call', name: `call${capital(action)}`, trigger: `call_${action}`, action },
  ]),
);

/** Reads the platform's shapes: a message or reply, `call` with its action, `action` on a message or on a group's member. */
export function eventOf(message: RingRequest): ChatEvent {
  const { category, type, data, receiverType, parentId } = message;
  if (category === 'call') return find(ofCalls, data?.action);
  if (category === 'action') {
    if (type === 'message') return find(ofMessages, data?.action);
    if (type !== 'groupMember') throw badField('type', 'Must be message or groupMember where category is action.');
    if (receiverType !== 'group') throw badField('receiverType', 'Must be group: members are those of a group.');
    return find(ofMembers, data?.action);
  }
  return { kind: 'message', name: parentId === undefined ? 'messages' : 'replies', trigger: 'message_sent' };
}

function find(events: ReadonlyMap<string, ChatEvent>, action: string | undefined): ChatEvent {
  const event = events.get(action ?? '');
  if (event === undefined) throw badField('data.action', `Must be one of: ${[...events.keys()].join(', ')}.`);
  return event;
}

const emoji =
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{200d}|\u{fe0f}|[0-9#*]\u{fe0f}?\u{20e3})+$/u;

/** The part of it that somebody said and that moderation must hear; undefined where nobody said anything. */
export function saidIn(message: RingRequest, event: ChatEvent): Said | undefined {
  const { category, data, ...rest } = message;
  if (category !== 'call' && category !== 'action')
    return { ...rest, ...(category && { category }), ...(data && { data }) };
  const about = data?.entities?.on?.entity;
  if (event.name === 'messageEdited') {
    const words = { ...about?.data, ...(data?.text !== undefined && { text: data.text }) };
    return { ...rest, category: 'message', type: about?.type ?? 'text', data: words };
  }
  const reaction = data?.reaction;
  if (event.name !== 'reactions' || reaction === undefined || emoji.test(reaction)) return undefined;
  return { ...rest, category: 'message', type: 'text', data: { text: reaction } };
}
