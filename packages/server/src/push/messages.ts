import { randomUUID } from 'node:crypto';
import type { By } from '../apps/audit.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { eventOf, saidIn } from './chat-event.ts';
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
    const event = eventOf(request);
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
