import type { Notification } from '@gatehouse/courier';
import { type Static, Type } from 'typebox';
import type { By } from '../apps/audit.ts';
import { text, uidField } from '../fields.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { type ChatContext, type NotificationBody, timingOf, uidsMax } from './notification.ts';
import type { Accepted, Notifications } from './notifications.ts';
import type { NotificationSettings, Settings } from './settings.ts';
import { fillTemplate, type TemplateValues } from './template.ts';

const party = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  role: Type.Optional(Type.String({ maxLength: 100 })),
  type: Type.Optional(Type.String({ maxLength: 100 })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
  createdAt: Type.Optional(Type.Number()),
});

/** The platform's message, and whom to ring. Unknown fields are welcome and ignored. */
export const ringRequest = Type.Object({
  id: Type.Optional(Type.String({ pattern: '^[^\\s\\u0000-\\u001f\\u007f]{1,100}$', description: 'No spaces.' })),
  muid: Type.Optional(text(1000)),
  conversationId: Type.Optional(text(1000)),
  sender: uidField,
  receiver: uidField,
  receiverType: Type.Enum(['user', 'group']),
  category: Type.Optional(Type.Enum(['message', 'custom'])),
  type: Type.Optional(text(100)),
  data: Type.Optional(
    Type.Object({
      text: Type.Optional(Type.String({ maxLength: 1_000_000 })),
      customData: Type.Optional(Type.Unknown()),
      attachments: Type.Optional(Type.Array(Type.Object({ url: Type.Optional(text(4096)) }), { maxItems: 100 })),
      metadata: Type.Optional(Type.Unknown()),
    }),
  ),
  senderUserDetails: Type.Optional(party),
  receiverUserDetails: Type.Optional(party),
  receiverGroupDetails: Type.Optional(party),
  tags: Type.Optional(Type.Array(text(1000), { maxItems: 100 })),
  sentAt: Type.Optional(Type.Integer({ minimum: 0 })),
  parentId: Type.Optional(text(100)),
  receivers: Type.Optional(
    Type.Array(uidField, {
      maxItems: uidsMax,
      description: 'Who is notified: for a group its members, whom only the chat server knows.',
    }),
  ),
  mentionedUids: Type.Optional(Type.Array(uidField, { maxItems: 1000 })),
  unreadMessageCount: Type.Optional(Type.Integer({ minimum: 0 })),
});

export type RingRequest = Static<typeof ringRequest>;

/** What moderation says of a message. Handed in by the wiring: this room knows no rules. */
export interface Judged {
  id: string;
  verdict: 'allow' | 'flag' | 'block' | 'drop';
  moderation: { status: string; rule?: { id: string; name: string } };
}
export type JudgeMessage = (appId: string, message: RingRequest) => Promise<Judged>;

export interface Rung {
  judged: Judged;
  notification: Accepted | undefined;
}

/** A message rings: judged first; who may not write reaches nobody. */
export class Rings {
  private readonly judge: JudgeMessage;
  private readonly settings: NotificationSettings;
  private readonly notifications: Notifications;

  constructor(judge: JudgeMessage, settings: NotificationSettings, notifications: Notifications) {
    this.judge = judge;
    this.settings = settings;
    this.notifications = notifications;
  }

  async sendMessage(target: By & { appId: string }, request: RingRequest, idempotency?: Idempotency): Promise<Rung> {
    const judged = await this.judge(target.appId, request);
    const receivers = receiversOf(request);
    if (judged.verdict === 'block' || judged.verdict === 'drop' || receivers.length === 0)
      return { judged, notification: undefined };
    const settings = await this.settings.getSettings(target.appId);
    const notification = await this.notifications.send({
      ...target,
      body: compose({ ...request, id: judged.id }, settings, Date.now()),
      audience: { uids: receivers },
      timing: timingOf({}, Date.now()),
      idempotency,
    });
    return { judged, notification };
  }
}

/** A user hears of what others write. A group is only rung by its members' names. */
function receiversOf({ sender, receiver, receiverType, receivers }: RingRequest): string[] {
  const named = receivers ?? (receiverType === 'user' ? [receiver] : []);
  return [...new Set(named)].filter((uid) => uid !== sender);
}

const textMax = 1000;

/** The notification of a message: its words from the templates, its flat keys as the platform's clients read them. */
export function compose(message: RingRequest & { id: string }, settings: Settings, now: number): NotificationBody {
  const values = valuesOf(message);
  const sentAt = message.sentAt ?? Math.floor(now / 1000);
  const chat: ChatContext = {
    messageId: message.id,
    trigger: 'message_sent',
    sender: message.sender,
    receiver: message.receiver,
    receiverType: message.receiverType,
    event: message.parentId === undefined ? 'messages' : 'replies',
    mentioned: message.mentionedUids ?? [],
    sentAt,
  };
  const { templates, sounds } = settings;
  const side = message.receiverType === 'group' ? templates.group : templates.oneOnOne;
  const make = (title: string, body: string): Notification => ({
    title: fillTemplate(title, values),
    body: fillTemplate(body, values),
    sound: sounds.chat,
    priority: 'high',
    threadId: conversationOf(message),
    data: dataOf(message, values, sentAt),
    ...(message.unreadMessageCount !== undefined && { badge: message.unreadMessageCount }),
  });
  return {
    pushType: 'alert',
    content: make(side.title, bodyTemplate(message, side.body, templates)),
    privateContent: make(templates.privacy.title, templates.privacy.body),
    chat,
    ignorePreferences: false,
  };
}

/** Text shows itself; what is no text is described. */
function bodyTemplate(message: RingRequest, standard: string, templates: Settings['templates']): string {
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

function valuesOf(message: RingRequest & { id: string }): TemplateValues {
  const details = message.receiverType === 'group' ? message.receiverGroupDetails : message.receiverUserDetails;
  return {
    'sender.uid': message.sender,
    'sender.name': message.senderUserDetails?.name ?? message.sender,
    'receiver.uid': message.receiver,
    'receiver.name': details?.name ?? message.receiver,
    'message.id': message.id,
    'message.text': (message.data?.text ?? '').slice(0, textMax),
    'message.type': message.type ?? 'text',
  };
}

function conversationOf({ conversationId, sender, receiver, receiverType }: RingRequest): string {
  return conversationId ?? (receiverType === 'group' ? `group_${receiver}` : `${sender}_user_${receiver}`);
}

function dataOf(message: RingRequest & { id: string }, values: TemplateValues, sentAt: number) {
  return {
    sender: message.sender,
    senderName: values['sender.name'].slice(0, 200),
    receiver: message.receiver,
    receiverName: values['receiver.name'].slice(0, 200),
    receiverType: message.receiverType,
    tag: message.id,
    conversationId: conversationOf(message).slice(0, 255),
    type: 'chat',
    sentAt: String(sentAt),
    ...(message.unreadMessageCount !== undefined && { unreadMessageCount: String(message.unreadMessageCount) }),
  };
}
