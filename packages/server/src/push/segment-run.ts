import { type Notification, NotificationError, type OnOutcome, type Outcome } from '@gatehouse/courier';
import { identified } from './identified.ts';
import type { Leaving } from './leaving.ts';
import type { NotificationBody } from './notification.ts';
import type { Outlet, Post } from './outlets.ts';
import type { PushIds } from './push-id.ts';
import type { Recipient } from './recipients.ts';
import type { SkipReason, SkipRules } from './skip.ts';
import { nextWallTime } from './timezone.ts';
import { untilLate } from './timing.ts';

/** What became of one recipient of a segment in one attempt. */
export type Ended =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'skipped'; reason: SkipReason }
  | { kind: 'failed'; reason: string }
  /** Its hour has not come. */
  | { kind: 'later'; at: number }
  /** Its hour had come, and was dealt with, before. */
  | { kind: 'earlier' }
  /** Nothing is wrong with it: the outlet was closed under us (a changed key), or the process ends. */
  | { kind: 'unsent' };

export interface SegmentRunInput {
  outlet: Outlet;
  body: NotificationBody;
  notificationId: string;
  ids: PushIds;
  skip: SkipRules;
  sendAt: number;
  since: number;
  now: number;
  /** To VoIP tokens, which take nothing but calls. */
  rings: boolean;
  /** A chat push goes at once and before all others; a broadcast lets others in between. */
  isUrgent: boolean;
  leaving: Leaving;
  /** A push could not be made, and not because of what it says. Told once a segment. */
  onBroken: (error: unknown) => void;
}

/** A broadcast gives the outlet no more than this ahead: what comes in urgently waits for no more. */
const aheadMax = 500;
const recipientsPerLook = 100;

/** Sends to everybody in a segment and waits until each has its outcome. */
export class SegmentRun {
  private readonly input: SegmentRunInput;
  private readonly posts = new Map<string, Post | string>();
  private readonly hours = new Map<string, number>();
  private hasTold = false;

  constructor(input: SegmentRunInput) {
    this.input = input;
  }

  async send(recipients: readonly Recipient[]): Promise<Ended[]> {
    const ended: Ended[] = new Array(recipients.length);
    let open = 1;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const stopWaiting = this.input.leaving.onOver(() => finish());
    const close = (): void => {
      open--;
      if (open === 0) finish();
    };
    const onOutcome = (context: number, outcome: Outcome): void => {
      ended[context] = { kind: 'outcome', outcome };
      close();
    };
    for (const [i, recipient] of recipients.entries()) {
      if (!this.input.isUrgent && i % recipientsPerLook === 0) await this.letOthersIn();
      open++;
      let taken = this.take(recipient, i, onOutcome);
      while (taken === 'full') {
        if (this.input.outlet.isClosed) taken = { kind: 'unsent' };
        else {
          await roomIn(this.input.outlet);
          taken = this.take(recipient, i, onOutcome);
        }
      }
      if (taken === 'taken') continue;
      ended[i] = taken;
      open--;
    }
    close();
    await finished;
    stopWaiting();
    // Those still under way when the wait was over: they go again under the same id.
    if (open > 0) for (let i = 0; i < ended.length; i++) ended[i] ??= { kind: 'unsent' };
    return ended;
  }

  private async letOthersIn(): Promise<void> {
    const { outlet, leaving } = this.input;
    await new Promise((resolve) => setImmediate(resolve));
    while (outlet.waiting() > aheadMax && !outlet.isClosed && !leaving.isAsked)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** Whether the outlet took the push, or what became of it without. What cannot be made of one recipient holds up no other. */
  private take(recipient: Recipient, i: number, onOutcome: OnOutcome): 'taken' | 'full' | Ended {
    try {
      const done = this.without(recipient);
      if (done !== undefined) return done;
      if (this.input.leaving.isAsked) return { kind: 'unsent' };
      const post = this.postFor(recipient);
      if (typeof post === 'string') return { kind: 'failed', reason: post };
      return post(recipient.token, i, onOutcome, this.input.ids.of(recipient.hash)) ? 'taken' : 'full';
    } catch (error) {
      if (!this.hasTold) this.input.onBroken(error);
      this.hasTold = true;
      return { kind: 'failed', reason: 'notBuilt' };
    }
  }

  /** What needs no push to be decided. */
  private without(recipient: Recipient): Ended | undefined {
    const { body, since, now, skip } = this.input;
    if (body.localMinute !== undefined) {
      const at = this.hourIn(recipient.timezone, body.localMinute);
      if (at > now) return { kind: 'later', at };
      if (at <= since) return { kind: 'earlier' };
    }
    const reason = skip.whySkip(recipient);
    return reason && { kind: 'skipped', reason };
  }

  private hourIn(timezone: string, minute: number): number {
    let at = this.hours.get(timezone);
    if (at === undefined) {
      at = nextWallTime(timezone, minute, this.input.sendAt);
      this.hours.set(timezone, at);
    }
    return at;
  }

  /** The encoded notification for this recipient, or why it cannot be encoded. */
  private postFor(recipient: Recipient): Post | string {
    const { outlet, body, skip, sendAt } = this.input;
    const isPrivate = skip.wantsPrivacy(recipient);
    const variant = outlet.variantOf(recipient.platform);
    let key = isPrivate ? `private ${variant}` : variant;
    let began = sendAt;
    if (body.localMinute !== undefined) {
      began = this.hourIn(recipient.timezone, body.localMinute);
      key = `${began} ${key}`;
    }
    let post = this.posts.get(key);
    if (post === undefined) {
      post = this.load(isPrivate ? (body.privateContent ?? body.content) : body.content, variant, began);
      this.posts.set(key, post);
    }
    return post;
  }

  /** `began` is when its time to live began: whatever is sent again later has less of it left. */
  private load(content: Notification, variant: string, began: number): Post | string {
    const { outlet, body, notificationId, now, rings, isUrgent } = this.input;
    const loaded = identified(untilLate(content, began, now), body.pushType, notificationId);
    try {
      return outlet.load(rings ? ringing(loaded) : loaded, variant, isUrgent);
    } catch (error) {
      if (error instanceof NotificationError) return `${error.field}: ${error.message}`;
      throw error;
    }
  }
}

/** A call as it must be worded for a phone that rings by itself. */
function ringing(content: Notification): Notification {
  return { ...content, apns: { ...content.apns, pushType: 'voip' } };
}

/** Waits until the outlet takes more. A closed outlet takes nothing more, and says nothing either: hence the timer. */
function roomIn(outlet: Outlet): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(go, 100);
    const stop = outlet.onDrain(go);
  });
}
