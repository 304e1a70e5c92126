import { type Notification, truncateText } from '@gatehouse/courier';
import type { ChatEvent } from './chat-event.ts';
import { conversationOf, flatKeys, sessionOf, wantedKeys } from './chat-payload.ts';
import type { ChatContext, NotificationBody } from './notification.ts';
import type { RingRequest } from './ring-request.ts';
import type { Settings, Templates } from './settings.ts';
import { fillTemplate, type TemplateValues } from './template.ts';

type Message = RingRequest & { id: string };

const textMax = 1000;
const nameMax = 200;
/** A call that rings for longer rings for nobody. */
const callSeconds = 45;

/** The notification of what happened in a chat: its words from the templates, its keys as the platform's clients read them. */
export function compose(message: Message, event: ChatEvent, settings: Settings, now: number): NotificationBody {
  const values = valuesOf(message);
  const sentAt = message.sentAt ?? Math.floor(now / 1000);
  const { templates, sounds } = settings;
  const side = message.receiverType === 'group' ? templates.group : templates.oneOnOne;
  const flat = flatKeys(message, event, { sender: values['sender.name'], receiver: values['receiver.name'] }, sentAt);
  const session = sessionOf(message);
  const make = (title: string, body: string): Notification => ({
    title: fillTemplate(title, values),
    body: fillTemplate(body, values),
    sound: event.kind === 'call' ? sounds.call : sounds.chat,
    priority: 'high',
    threadId: conversationOf(message),
    data: flat,
    ...(message.unreadMessageCount !== undefined && { badge: message.unreadMessageCount }),
    // What becomes of a call takes the place of its ringing.
    ...(event.kind === 'call' && /^[\x21-\x7e]{1,64}$/.test(session) && { collapseId: session }),
    ...(ringsBriefly(event) && { ttlSeconds: callSeconds }),
  });
  const body = bodyTemplate(message, event, side.body, templates);
  const content = make(side.title, body);
  return {
    pushType: event.kind === 'call' ? 'call' : 'alert',
    content: { ...content, data: { ...flat, ...wantedKeys(message, flat, settings) } },
    privateContent: make(templates.privacy.title, event.kind === 'call' ? body : templates.privacy.body),
    chat: contextOf(message, event, sentAt),
    ignorePreferences: false,
  };
}

export function ringsBriefly(event: ChatEvent): boolean {
  return event.kind === 'call' && ['initiated', 'ongoing', 'cancelled'].includes(event.action);
}

function contextOf(message: Message, event: ChatEvent, sentAt: number): ChatContext {
  const { data, receiver, receiverType, sender } = message;
  // Of a reaction in a conversation of two, the message is the other one's unless it says otherwise.
  const author = data?.entities?.on?.entity?.sender ?? (receiverType === 'user' ? receiver : '');
  return {
    messageId: message.id,
    trigger: event.trigger,
    sender,
    receiver,
    receiverType,
    event: event.name,
    ...(event.name === 'reactions' && { author }),
    mentioned: [...new Set([...(message.mentionedUids ?? []), ...Object.keys(data?.mentions ?? {})])],
    sentAt,
  };
}

/** Text shows itself; what is no text is described. */
function bodyTemplate(message: Message, event: ChatEvent, standard: string, templates: Templates): string {
  if (event.kind === 'call') return templates.call[event.action];
  if (event.kind === 'member') return templates.member[event.action];
  if (event.name === 'messageEdited') return templates.edited.body;
  if (event.name === 'messageDeleted') return templates.deleted.body;
  if (event.name === 'reactions') return templates.reaction.body;
  if (message.category === 'custom') return templates.custom.body;
  switch (message.type ?? 'text') {
    case 'text':
      return standard;
    case 'image':
    case 'video':
    case 'audio':
    case 'file':
      return templates[message.type as 'image' | 'video' | 'audio' | 'file'].body;
    default:
      return message.data?.text === undefined ? templates.custom.body : standard;
  }
}

function valuesOf(message: Message): TemplateValues {
  const { data, sender, receiver } = message;
  const { by, on, for: whom, sender: from, receiver: to } = data?.entities ?? {};
  const details = message.receiverType === 'group' ? message.receiverGroupDetails : message.receiverUserDetails;
  const text = data?.text ?? on?.entity?.data?.text ?? '';
  return {
    'sender.uid': sender,
    'sender.name': message.senderUserDetails?.name ?? by?.entity?.name ?? from?.entity?.name ?? sender,
    'receiver.uid': receiver,
    'receiver.name': details?.name ?? whom?.entity?.name ?? to?.entity?.name ?? receiver,
    'message.id': message.id,
    'message.text': truncateText(text, textMax),
    'message.type': message.type ?? (message.category === 'call' ? 'audio' : 'text'),
    'message.reaction': data?.reaction ?? '',
    'member.uid': on?.entity?.uid ?? sender,
    'member.name': truncateText(
      on?.entity?.name ?? on?.entity?.uid ?? message.senderUserDetails?.name ?? sender,
      nameMax,
    ),
    'member.scope': data?.extras?.scope?.new ?? '',
  };
}
