import type { Message, Verdict } from '@gatehouse/judge';
import { andThen, type Soon } from '../soon.ts';
import type { Conversations } from './conversations.ts';
import { type Evidence, type EvidenceRequest, type MediaKind, noEvidence } from './evidence.ts';
import type { Judges, Snapshot } from './judges.ts';
import type { LongMessages } from './long-messages.ts';
import { claimedKinds } from './media-claims.ts';
import { type MessageRequest, toJudged } from './message.ts';
import { trimmed } from './trim.ts';
import type { Turns } from './turns.ts';
import { type Judged, toJudgedAnswer } from './verdict.ts';

/** Longer messages are judged in a thread of their own: made to be slow, they take more than a millisecond. */
const longMessage = 8192;
/** How long a batch may hold the thread before others get it. */
const sliceMs = 2;

/** How many messages of a batch the world is asked about at once: slow images must not add up. */
const askedAtOnce = 16;

/** A message that is only tried needs no id of its own; whoever is asked about it is shown this one. */
const idOfNone = 'check';

/** Judges messages: asks outside what must be asked, then the app's compiled rules. Stores nothing. */
export class Judging {
  private readonly judges: Judges;
  private readonly turns: Turns;
  private readonly longMessages: LongMessages;
  private readonly conversations: Conversations;
  private readonly evidence: Evidence;

  constructor(
    judges: Judges,
    parts: { turns: Turns; longMessages: LongMessages; conversations: Conversations; evidence?: Evidence },
  ) {
    this.judges = judges;
    this.turns = parts.turns;
    this.longMessages = parts.longMessages;
    this.conversations = parts.conversations;
    this.evidence = parts.evidence ?? noEvidence;
  }

  snapshot(appId: string): Soon<Snapshot> {
    return this.judges.current(appId);
  }

  /** A message that was delivered is part of its conversation from now on, for whoever asks what came before. */
  remember(appId: string, message: MessageRequest, snapshot: Snapshot): void {
    if (snapshot.judge.outside.length > 0) this.conversations.remember(appId, message);
  }

  rememberEdit(appId: string, message: MessageRequest, snapshot: Snapshot): void {
    if (snapshot.judge.outside.length > 0) this.conversations.rememberEdit(appId, message);
  }

  /** Answered in order; the thread is given up between slices. */
  async judgeMany(appId: string, messages: readonly MessageRequest[], snapshot: Snapshot): Promise<Judged[]> {
    const judged: Judged[] = [];
    const asksOutside = snapshot.media.length > 0 || snapshot.judge.outside.length > 0;
    let turnEnds = 0;
    for (let start = 0; start < messages.length; start += askedAtOnce) {
      const group: Soon<Judged>[] = [];
      for (const message of messages.slice(start, start + askedAtOnce)) {
        if (performance.now() >= turnEnds) {
          await this.turns.next(appId);
          turnEnds = performance.now() + sliceMs;
        }
        const answer = this.judge(appId, message, snapshot);
        // Looked at below, with the group; until then nobody must take a refusal for unhandled.
        if (answer instanceof Promise) answer.catch(() => {});
        // A long message waits for its thread alone: a batch must not take all the places of that line.
        group.push(asksOutside ? answer : await answer);
      }
      judged.push(...(await Promise.all(group)));
    }
    return judged;
  }

  /** Without a promise where nothing has to be asked or waited for, which is nearly always. */
  judge(appId: string, message: MessageRequest, snapshot: Snapshot): Soon<Judged> {
    const judged = toJudged(message);
    const { outside } = snapshot.judge;
    if (outside.length === 0 && snapshot.media.length === 0) return this.decide(appId, judged, snapshot);
    const kinds = claimedKinds(message);
    const media = snapshot.media.filter((kind) => kinds.has(kind));
    const concerned = outside.filter(({ operand }) => concerns(operand, message, kinds));
    if (concerned.length === 0 && media.length === 0) return this.decide(appId, judged, snapshot);
    const request: EvidenceRequest = {
      appId,
      message: { ...message, id: message.id ?? idOfNone },
      outside: concerned,
      media,
      context: async (messagesMax) => this.conversations.recent(appId, message, messagesMax),
    };
    return this.judgeWithEvidence(judged, snapshot, request);
  }

  private decide(appId: string, judged: Message, snapshot: Snapshot): Soon<Judged> {
    return andThen(this.verdict(appId, judged, snapshot), (verdict) => toJudgedAnswer(verdict, snapshot));
  }

  private verdict(appId: string, judged: Message, { judge }: Snapshot): Soon<Verdict> {
    return isLong(judged) ? this.longMessages.judge(appId, judge, judged) : trimmed(judge.judge(judged));
  }

  private async judgeWithEvidence(judged: Message, snapshot: Snapshot, request: EvidenceRequest): Promise<Judged> {
    const { image, video, outside, failures } = await this.evidence.gather(request);
    const reasons = new Map<string, string>();
    for (const { ruleId, conditionId, reason } of outside)
      if (reason !== undefined) reasons.set(`${ruleId} ${conditionId}`, reason);
    const verdict = await this.verdict(request.appId, { ...judged, mediaScores: { image, video }, outside }, snapshot);
    return toJudgedAnswer(verdict, snapshot, failures, reasons);
  }
}

function isLong({ text, customData, attachments }: Message): boolean {
  let length = text?.length ?? 0;
  if (customData !== undefined) length += JSON.stringify(customData).length;
  for (const { caption } of attachments ?? []) length += caption?.length ?? 0;
  return length > longMessage;
}

function concerns(operand: string, { data }: MessageRequest, kinds: ReadonlySet<MediaKind>): boolean {
  switch (operand) {
    case 'text':
      return data?.text !== undefined && data.text !== '';
    case 'custom':
      return data?.customData !== undefined;
    default:
      return kinds.has(operand === 'video' ? 'video' : 'image');
  }
}
