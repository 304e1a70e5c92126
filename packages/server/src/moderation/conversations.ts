import type { ContextMessage } from './evidence.ts';
import type { MessageRequest } from './message.ts';

const conversationsMax = 10_000;
const messagesPerConversation = 20;
const textLengthMax = 2000;

/**
 * The last words of each conversation, for a custom API that wants to know what came before. Kept by this process only,
 * only of apps that ask outside, and only the newest.
 */
export class Conversations {
  private readonly byConversation = new Map<string, ContextMessage[]>();

  recent(appId: string, message: MessageRequest, messagesMax: number): readonly ContextMessage[] {
    return this.byConversation.get(keyOf(appId, message))?.slice(-messagesMax) ?? [];
  }

  remember(appId: string, message: MessageRequest): void {
    const text = message.data?.text;
    if (text === undefined) return;
    const key = keyOf(appId, message);
    const known = this.byConversation.get(key) ?? [];
    known.push({ uid: message.sender, text: text.slice(0, textLengthMax) });
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
}

function keyOf(appId: string, { conversationId, sender, receiver, receiverType }: MessageRequest): string {
  const between = receiverType === 'group' ? receiver : [sender, receiver].sort().join(' ');
  return `${appId} ${conversationId ?? `${receiverType} ${between}`}`;
}
