import { type JsonObject, type JsonValue, truncateText } from '@gatehouse/courier';
import type { ChatEvent } from './chat-event.ts';
import { cutToFit } from './cut-text.ts';
import type { RingRequest } from './ring-request.ts';
import type { Settings } from './settings.ts';

type Message = RingRequest & { id: string };

/** The flat keys that the platform's clients read. */
export function flatKeys(
  message: Message,
  event: ChatEvent,
  names: { sender: string; receiver: string },
  sentAt: number,
): Record<string, string> {
  const { data, unreadMessageCount } = message;
  return {
    sender: message.sender,
    senderName: truncateText(names.sender, 200),
    receiver: message.receiver,
    receiverName: truncateText(names.receiver, 200),
    receiverType: message.receiverType,
    tag: aboutId(message),
    conversationId: truncateText(conversationOf(message), 255),
    type: event.kind === 'call' ? 'call' : 'chat',
    sentAt: String(sentAt),
    ...(unreadMessageCount !== undefined && { unreadMessageCount: String(unreadMessageCount) }),
    ...(event.kind === 'call' && {
      callAction: event.action,
      sessionId: sessionOf(message),
      callType: message.type ?? 'audio',
    }),
    ...(message.category === 'action' && { action: data?.action ?? '' }),
  };
}

/** Of an edit, a deletion or a reaction: the message that it is about. */
function aboutId({ id, category, type, data }: Message): string {
  const about = data?.entities?.on?.entity?.id;
  return category === 'action' && type === 'message' && about !== undefined ? String(about) : id;
}

export function sessionOf({ id, data }: Message): string {
  return data?.sessionId ?? data?.entities?.on?.entity?.sessionid ?? id;
}

export function conversationOf({ conversationId, sender, receiver, receiverType }: RingRequest): string {
  return conversationId ?? (receiverType === 'group' ? `group_${receiver}` : `${sender}_user_${receiver}`);
}

/** What all keys together may take of a push; the rest is for the words on the screen. */
const bytesMax = 2800;

/** FCM takes strings only, so an object travels as text within text: that is the larger of its sizes. */
function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  return Buffer.byteLength(typeof value === 'string' ? json : JSON.stringify(json));
}

/** What the app wants in the payload beside the flat keys, each as far as there is room. */
export function wantedKeys(message: Message, flat: Record<string, string>, settings: Settings): JsonObject {
  const { push } = settings.preferences;
  const receiver = message.receiverType === 'group' ? message.receiverGroupDetails : message.receiverUserDetails;
  const keys: Record<string, JsonValue> = {};
  let left = bytesMax - bytesOf(flat);
  const add = (name: string, isWanted: boolean, value: unknown): void => {
    if (!isWanted || value === undefined || value === null) return;
    const bytes = bytesOf(value) + name.length + 4;
    if (bytes > left) return;
    // It came as JSON, so it is JSON.
    keys[name] = value as JsonValue;
    left -= bytes;
  };
  add('messageMetadata', push.includeMessageMetadataSetting, message.data?.metadata);
  add('senderMetadata', push.includeSenderMetadataSetting, message.senderUserDetails?.metadata);
  add('receiverMetadata', push.includeReceiverMetadataSetting, receiver?.metadata);
  const whole = messageObject(message);
  add('message', push.includeMessageObjectSetting, push.trimTextFieldSetting ? trimmed(whole, left - 11) : whole);
  return keys;
}

function messageObject({ data, ...message }: Message) {
  const { id, conversationId, sender, receiver, receiverType, category = 'message', type = 'text' } = message;
  const { text, customData, attachments, action } = data ?? {};
  return {
    id,
    ...(conversationId !== undefined && { conversationId }),
    sender,
    receiver,
    receiverType,
    category,
    type,
    ...(message.parentId !== undefined && { parentId: message.parentId }),
    ...(message.sentAt !== undefined && { sentAt: message.sentAt }),
    data: {
      ...(text !== undefined && { text }),
      ...(action !== undefined && { action }),
      ...(customData !== undefined && { customData }),
      ...(attachments !== undefined && { attachments }),
    },
  };
}

/** The message with its text cut, at a whole character, to what there is room for. */
function trimmed(message: ReturnType<typeof messageObject>, bytes: number): ReturnType<typeof messageObject> {
  const { text } = message.data;
  if (text === undefined) return message;
  const withText = (words: string) => ({ ...message, data: { ...message.data, text: words } });
  // A character takes a byte at least: what is longer than that need not be measured whole.
  return withText(cutToFit(text.slice(0, bytesMax), (words) => bytesOf(withText(words)) <= bytes));
}
