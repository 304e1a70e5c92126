import type { MediaScore, OutsideCondition, OutsideHit } from '@gatehouse/judge';
import type { MessageRequest } from './message.ts';

/** What judging one message needs to know and cannot work out by itself. */
export interface EvidenceRequest {
  appId: string;
  /** The message as the caller sent it, with its id. */
  message: MessageRequest & { id: string };
  /** The conditions that something outside decides and that concern this message. */
  outside: readonly OutsideCondition[];
  /** The kinds of media that a rule has thresholds for and that the message carries. */
  media: readonly MediaKind[];
  /** What was said before in the same conversation, oldest first, as far as it is kept. */
  context(messagesMax: number): Promise<readonly ContextMessage[]>;
}

export type MediaKind = 'image' | 'video';

export interface ContextMessage {
  uid: string;
  text: string;
}

export interface EvidenceFound {
  image: readonly MediaScore[];
  video: readonly MediaScore[];
  outside: readonly OutsideHit[];
  /** What could not be decided. It is never a match: `onError` says what the app wants instead. */
  failures: readonly EvidenceFailure[];
}

export interface EvidenceFailure {
  /** The category of the condition, or the kind of media. */
  what: 'custom-api' | 'toxicity' | 'sentence-similarity' | MediaKind;
  /** Of a condition. */
  ruleId?: string;
  conditionId?: number;
  /** Of a medium. */
  url?: string;
  /** A sentence for the moderator, without anything the outside sent. */
  reason: string;
  /** The app's on-error setting. */
  onError: 'approve-message' | 'drop-message';
}

/** Asked once a message, before it is judged, and only when there is something to ask. It answers; it never throws. */
export interface Evidence {
  gather(request: EvidenceRequest): Promise<EvidenceFound>;
}

/** Nobody to ask: everything asked for comes back as not configured, and the message goes on. */
export const noEvidence: Evidence = {
  async gather({ outside, media }) {
    const conditions = outside.map(({ category, ruleId, conditionId }): EvidenceFailure => {
      const what = category === 'word' || category === 'pattern' ? 'custom-api' : category;
      return { what, ruleId, conditionId, reason: `${what} is not configured.`, onError: 'approve-message' };
    });
    const kinds = media.map(
      (what): EvidenceFailure => ({
        what,
        reason: `No classifier for ${what}s is configured.`,
        onError: 'approve-message',
      }),
    );
    return { image: [], video: [], outside: [], failures: [...conditions, ...kinds] };
  },
};
