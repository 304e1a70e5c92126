import { createHash } from 'node:crypto';
import type { Message } from '@gatehouse/judge';
import { type Static, Type } from '#typebox';
import { escaped } from '../escaped.ts';
import { text, timeSeconds, uidField } from '../fields.ts';

/** A message as the chat server sends it, in the platform's shape. Unknown fields are welcome and not kept. */
export const messageTextMax = 1_000_000;
/** Not . or ..: these are steps of an address, and no client could ask for the message again. */
export const messageIdField = Type.String({
  maxLength: 100,
  pattern: '^(?:\\.*[^.\\s\\u0000-\\u001f\\u007f][^\\s\\u0000-\\u001f\\u007f]*|\\.{3,})$',
  description: '1 to 100 characters without spaces or control characters; not . or .. alone.',
});

const attachment = Type.Object({
  url: Type.Optional(text(4096)),
  name: Type.Optional(text(1000)),
  mimeType: Type.Optional(text(200)),
  extension: Type.Optional(text(100)),
  size: Type.Optional(Type.Number()),
  caption: Type.Optional(Type.String({ maxLength: messageTextMax })),
});

/** What the chat server knows of a user or a group; filters look at it. */
const partyFields = {
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  role: Type.Optional(Type.String({ maxLength: 100 })),
  type: Type.Optional(Type.String({ maxLength: 100 })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
  createdAt: Type.Optional(Type.Number()),
};
const party = Type.Object(partyFields);

export const messageData = Type.Object({
  text: Type.Optional(Type.String({ maxLength: messageTextMax })),
  customData: Type.Optional(Type.Unknown()),
  attachments: Type.Optional(Type.Array(attachment, { maxItems: 100 })),
  metadata: Type.Optional(Type.Unknown()),
});

export const messageRequest = Type.Object({
  id: Type.Optional(messageIdField),
  muid: Type.Optional(text(1000)),
  conversationId: Type.Optional(text(1000)),
  sender: uidField,
  receiver: uidField,
  receiverType: Type.Enum(['user', 'group']),
  category: Type.Optional(Type.Enum(['message', 'custom'])),
  type: Type.Optional(text(100)),
  data: Type.Optional(messageData),
  senderUserDetails: Type.Optional(party),
  receiverUserDetails: Type.Optional(party),
  receiverGroupDetails: Type.Optional(party),
  tags: Type.Optional(Type.Array(text(1000), { maxItems: 100 })),
  sentAt: Type.Optional(timeSeconds('Epoch seconds.')),
});

export type MessageRequest = Static<typeof messageRequest>;
export type MessageData = Static<typeof messageData>;

/** What the judge looks at. Field by field, without copies: it runs for every message. */
export function toJudged(message: MessageRequest): Message {
  const { data, sender, receiver, senderUserDetails, receiverUserDetails, receiverGroupDetails } = message;
  const judged: Message = {
    sender: senderUserDetails === undefined ? { uid: sender } : { ...senderUserDetails, uid: sender },
  };
  if (message.receiverType === 'user')
    judged.receiverUser =
      receiverUserDetails === undefined ? { uid: receiver } : { ...receiverUserDetails, uid: receiver };
  else
    judged.receiverGroup =
      receiverGroupDetails === undefined ? { guid: receiver } : { ...receiverGroupDetails, guid: receiver };
  if (data === undefined) return judged;
  if (data.text !== undefined) judged.text = data.text;
  if (data.customData !== undefined) judged.customData = data.customData;
  if (data.attachments !== undefined) judged.attachments = data.attachments;
  return judged;
}

/** A message in the store: as it stands, and what was decided about it. */
export interface Moderated {
  status: 'pending' | 'approved' | 'disapproved';
  rule?: { id: string; name: string };
}

export type MessageRow = {
  app_id: string;
  id: string;
  sender: string;
  receiver: string;
  receiver_type: string;
  category: string;
  type: string;
  status: string;
  body: string;
  moderation: string;
  sent_at: number;
  created_at: number;
  updated_at: number;
};

export type Standing = Omit<MessageRequest, 'id' | 'sentAt'> & { id: string; sentAt: number };

/** Tells one version of a message from another. */
export function versionOf({ data }: Standing): string {
  return createHash('sha256')
    .update(JSON.stringify(data ?? {}))
    .digest('base64url');
}

/** What is written under pictures is judged as text, and read as such. */
export function captionsOf(data: MessageData | undefined): string[] {
  return (data?.attachments ?? []).flatMap(({ caption }) => (caption === undefined ? [] : [caption]));
}

/** Only what is declared is kept: a client may send what it likes. Field by field, since it runs for every message. */
export function toStanding(message: MessageRequest, id: string, nowMs: number): Standing {
  const { sender, receiver, receiverType, category = 'message', type = 'text', sentAt } = message;
  const standing: Standing = {
    id,
    sender,
    receiver,
    receiverType,
    category,
    type,
    sentAt: sentAt ?? Math.floor(nowMs / 1000),
  };
  if (message.muid !== undefined) standing.muid = message.muid;
  if (message.conversationId !== undefined) standing.conversationId = message.conversationId;
  if (message.senderUserDetails !== undefined) standing.senderUserDetails = message.senderUserDetails;
  if (message.receiverUserDetails !== undefined) standing.receiverUserDetails = message.receiverUserDetails;
  if (message.receiverGroupDetails !== undefined) standing.receiverGroupDetails = message.receiverGroupDetails;
  if (message.tags !== undefined) standing.tags = message.tags;
  if (message.data !== undefined) standing.data = toStandingData(message.data);
  return standing;
}

export function toStandingData(data: MessageData): MessageData {
  const standing: MessageData = {};
  if (data.text !== undefined) standing.text = data.text;
  if (data.customData !== undefined) standing.customData = data.customData;
  if (data.attachments !== undefined) standing.attachments = data.attachments;
  if (data.metadata !== undefined) standing.metadata = data.metadata;
  return standing;
}

/**
 * What stands between the braces of the message as JSON, as `JSON.stringify` would write it, in half of the time: every message that is
 * kept or answered goes through here.
 */
export function standingFields(message: Standing): string {
  // Ids of people and the words of the schema hold nothing that JSON would escape.
  let json = `"id":"${escaped(message.id)}","sender":"${message.sender}","receiver":"${message.receiver}","receiverType":"${message.receiverType}","category":"${message.category}","type":"${escaped(message.type ?? '')}","sentAt":${message.sentAt}`;
  if (message.muid !== undefined) json += `,"muid":"${escaped(message.muid)}"`;
  if (message.conversationId !== undefined) json += `,"conversationId":"${escaped(message.conversationId)}"`;
  for (const name of partyNames) if (message[name] !== undefined) json += `,"${name}":${JSON.stringify(message[name])}`;
  if (message.tags !== undefined) json += `,"tags":${JSON.stringify(message.tags)}`;
  return message.data === undefined ? json : `${json},"data":${dataAsJson(message.data)}`;
}

const partyNames = ['senderUserDetails', 'receiverUserDetails', 'receiverGroupDetails'] as const;

function dataAsJson({ text, customData, attachments, metadata }: MessageData): string {
  if (text === undefined || customData !== undefined || attachments !== undefined || metadata !== undefined)
    return JSON.stringify({ text, customData, attachments, metadata });
  return `{"text":"${escaped(text)}"}`;
}
