import type { ContextMessage } from './evidence.ts';
import type { MessageRequest } from './message.ts';

const conversationsMax = 10_000;
const messagesPerConversation = 20;
const textLengthMax = 2000;

type Said = ContextMessage & { id: string | undefined };

/**
 * The last words of each conversation, for a custom API that wants to know what came before. Kept by this process only,
 * only of apps that ask outside, and only the newest.
 */
export class Conversations {
  private readonly byConversation = new Map<string, Said[]>();

  /** Of a message that is edited: what came before its first version. */
  recent(appId: string, message: MessageRequest, messagesMax: number): readonly ContextMessage[] {
    const known = this.byConversation.get(keyOf(appId, message)) ?? [];
    const at = placeOf(known, message);
    const end = at === -1 ? known.length : at;
    return known.slice(Math.max(0, end - messagesMax), end);
  }

  remember(appId: string, message: MessageRequest): void {
    const text = message.data?.text;
    if (text === undefined) return;
    const key = keyOf(appId, message);
    const known = this.byConversation.get(key) ?? [];
    if (placeOf(known, message) !== -1) {
      this.rememberEdit(appId, message);
      return;
    }
    known.push({ id: message.id, uid: message.sender, text: text.slice(0, textLengthMax) });
    if (known.length > messagesPerConversation) known.shift();
    // The conversation moves to the end, so that the first one is the longest silent.
    this.byConversation.delete(key);
    this.byConversation.set(key, known);
    if (this.byConversation.size <= conversationsMax) return;
    for (const oldest of this.byConversation.keys()) {
      this.byConversation.delete(oldest);
      return;
    }
  }

  /** The new version stands where the old one stood; an old message that is edited is not a new one. */
  rememberEdit(appId: string, message: MessageRequest): void {
    const known = this.byConversation.get(keyOf(appId, message)) ?? [];
    const at = placeOf(known, message);
    if (at === -1) return;
    const text = message.data?.text;
    if (text === undefined) known.splice(at, 1);
    else known[at] = { id: message.id, uid: message.sender, text: text.slice(0, textLengthMax) };
  }
}

function placeOf(known: readonly Said[], { id }: MessageRequest): number {
  return id === undefined ? -1 : known.findIndex((said) => said.id === id);
}

function keyOf(appId: string, { conversationId, sender, receiver, receiverType }: MessageRequest): string {
  const between = receiverType === 'group' ? receiver : [sender, receiver].sort().join(' ');
  return `${appId} ${conversationId ?? `${receiverType} ${between}`}`;
}
