import { randomUUID } from 'node:crypto';
import type { By } from '../apps/audit.ts';
import { orderedUuid } from '../ordered-uuid.ts';
import { type Idempotency, keepAnswer, reserveAnswer } from '../store/idempotency.ts';
import type { Store } from '../store/store.ts';
import { type ChatEvent, eventOf, saidIn } from './chat-event.ts';
import { compose } from './compose.ts';
import type { Accepted } from './intake.ts';
import type { Notifications } from './notifications.ts';
import type { RingRequest, Said } from './ring-request.ts';
import type { NotificationSettings } from './settings.ts';
import { timingOf } from './timing.ts';

/** What moderation says of a message. Handed in by the wiring: this room knows no rules. */
export interface Judged {
  id: string;
  verdict: 'allow' | 'flag' | 'block' | 'drop';
  moderation: { status: string; rule?: { id: string; name: string } };
}
export type JudgeMessage = (appId: string, message: Said) => Promise<Judged>;

export interface Rung {
  judged: Judged;
  notification: Accepted | undefined;
}

/** Under a key: first the id that the message has however often it comes, then the whole answer. */
type Kept = { id: string } | Rung;
type Target = By & { appId: string };

/** A message rings: judged first; who may not write reaches nobody. */
export class Rings {
  private readonly store: Store;
  private readonly judge: JudgeMessage;
  private readonly settings: NotificationSettings;
  private readonly notifications: Notifications;

  constructor(store: Store, judge: JudgeMessage, settings: NotificationSettings, notifications: Notifications) {
    this.store = store;
    this.judge = judge;
    this.settings = settings;
    this.notifications = notifications;
  }

  /** A repetition is not judged again, and a key that was used for another message is refused before anybody hears this one. */
  async sendMessage(target: Target, request: RingRequest, idempotency?: Idempotency): Promise<Rung> {
    const event = eventOf(request);
    if (idempotency === undefined) return this.ring(target, request, event);
    const place = { appId: target.appId, idempotency };
    const first: Kept = { id: request.id ?? orderedUuid() };
    const answer = await this.store.change(reserveAnswer, { ...place, answer: JSON.stringify(first) });
    const kept = JSON.parse(answer) as Kept;
    if ('judged' in kept) return kept;
    // Under a key of its own: the same message twice at the same moment rings once.
    const once = { ...idempotency, keyHash: `${idempotency.keyHash}:notification` };
    const { judged, notification } = await this.ring(target, { ...request, id: kept.id }, event, once);
    const { id, verdict, moderation } = judged;
    const rung: Rung = { judged: { id, verdict, moderation }, notification };
    await this.store.change(keepAnswer, { ...place, answer: JSON.stringify(rung) });
    return rung;
  }

  private async ring(target: Target, request: RingRequest, event: ChatEvent, idempotency?: Idempotency): Promise<Rung> {
    const said = saidIn(request, event);
    const judged = said === undefined ? unsaid(request) : await this.judge(target.appId, said);
    const receivers = receiversOf(request);
    if (judged.verdict === 'block' || judged.verdict === 'drop' || receivers.length === 0)
      return { judged, notification: undefined };
    const settings = await this.settings.getSettings(target.appId);
    const body = compose({ ...request, id: judged.id }, event, settings, Date.now());
    const notification = await this.notifications.send({
      ...target,
      body,
      audience: { uids: receivers },
      timing: timingOf(body.content, Date.now()),
      idempotency,
    });
    return { judged, notification };
  }
}

/** A call, a member who left: nobody said anything that could be judged. */
function unsaid({ id }: RingRequest): Judged {
  return { id: id ?? randomUUID(), verdict: 'allow', moderation: { status: 'approved' } };
}

/** A user hears of what others write. A group is only rung by its members' names. */
function receiversOf({ sender, receiver, receiverType, receivers }: RingRequest): string[] {
  const named = receivers ?? (receiverType === 'user' ? [receiver] : []);
  return [...new Set(named)].filter((uid) => uid !== sender);
}
