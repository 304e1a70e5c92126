import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { orderedUuid } from '../ordered-uuid.ts';
import type { Dispatcher } from '../outbox/dispatcher.ts';
import { type Birthright, enqueue, type Job, type NewJob } from '../outbox/jobs.ts';
import { cancelGroup } from '../outbox/settle.ts';
import { type Idempotency, once } from '../store/idempotency.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import { bookReasons } from './accounting.ts';
import {
  type Audience,
  audienceOf,
  kindsOf,
  type NotificationBody,
  type NotificationRow,
  type NotificationState,
  type ReasonRow,
  type SendRequest,
  type Timing,
  timingOf,
  toBody,
  toNotification,
} from './notification.ts';
import { listNotifications } from './notification-list.ts';
import { planNamed, withoutDevice } from './plan.ts';
import { findTokens, type JobBase, partsOf, planJob, sizeOf } from './segment.ts';

type Target = By & { appId: string };

/** Up to this many names are looked up while the caller waits; their pushes start at once. */
const namedAtOnceMax = 100;
const namesPerPlan = 500;

export interface Accepted {
  id: string;
  state: NotificationState;
}

export interface Outgoing extends Target {
  id: string;
  body: NotificationBody;
  audience: Audience;
  timing: Timing;
  idempotency?: Idempotency | undefined;
  birthright?: Birthright | undefined;
  /** A notification somebody asked for leaves its row; of a message that rings, moderation keeps the record. */
  isAudited?: boolean;
}

/** Notifications: taken in, looked at, called back. How they leave is in delivery.ts. */
export class Notifications {
  private readonly store: Store;
  private readonly dispatcher: Dispatcher;

  constructor(store: Store, dispatcher: Dispatcher) {
    this.store = store;
    this.dispatcher = dispatcher;
  }

  async sendNotification(target: Target, request: SendRequest, idempotency?: Idempotency) {
    const outgoing = {
      ...target,
      body: toBody(request),
      audience: audienceOf(request.to),
      timing: timingOf(request, Date.now()),
      idempotency,
      isAudited: true,
    };
    if (request.dryRun === true) return this.dryRun(target.appId, outgoing.body, outgoing.audience);
    return { data: await this.send(outgoing) };
  }

  /** What is small and due starts before it could be claimed: it is committed as ours already. */
  async send(outgoing: Omit<Outgoing, 'id' | 'birthright'>): Promise<Accepted> {
    const { accepted, jobs } = await this.store.change(sendNotification, {
      ...outgoing,
      id: orderedUuid(),
      birthright: this.dispatcher.birthright(),
    });
    this.dispatcher.adopt(jobs);
    return accepted;
  }

  listNotifications(appId: string, limit: number, cursor?: string) {
    return listNotifications(this.store, appId, limit, cursor);
  }

  async getNotification(appId: string, id: string) {
    const row = await findNotification(this.store, appId, id);
    if (row === undefined) throw new ApiError('ERR_NOTIFICATION_NOT_FOUND');
    const reasons = await this.store.all<ReasonRow>(
      'SELECT outcome, reason, n FROM notification_reasons WHERE app_id = $1 AND notification_id = $2 ORDER BY outcome, reason',
      [appId, id],
    );
    return toNotification(row, reasons);
  }

  async cancelNotification(target: Target, id: string) {
    await this.store.change(cancelNotification, { ...target, id });
    return this.getNotification(target.appId, id);
  }

  acknowledgeNotification(appId: string, id: string, authToken: string): Promise<void> {
    return this.store.change(acknowledgeNotification, { appId, id, authToken });
  }

  private async dryRun(appId: string, body: NotificationBody, audience: Audience) {
    const devices =
      'all' in audience
        ? await countAll(this.store, appId, body)
        : (await findTokens(this.store, appId, audience, kindsOf[body.pushType])).length;
    return { data: { dryRun: true, devices } };
  }
}

async function countAll(store: Reader, appId: string, body: NotificationBody): Promise<number> {
  let devices = 0;
  for (const kind of kindsOf[body.pushType]) {
    const row = await store.get<{ n: number }>(
      'SELECT COUNT(*) AS n FROM push_tokens WHERE app_id = $1 AND kind = $2',
      [appId, kind],
    );
    devices += Number(row?.n ?? 0);
  }
  return devices;
}

const columns =
  'id, state, body, created_at, send_at, expires_at, finished_at, queued, sent, failed, dropped, skipped, cancelled, acknowledged';

export async function findNotification(store: Reader, appId: string, id: string): Promise<NotificationRow | undefined> {
  return store.get<NotificationRow>(`SELECT ${columns} FROM notifications WHERE app_id = $1 AND id = $2`, [appId, id]);
}

/** One transaction takes the notification and the work it makes, or neither. */
export async function sendNotification(tx: Tx, outgoing: Outgoing): Promise<{ accepted: Accepted; jobs: Job[] }> {
  let jobs: Job[] = [];
  const accepted = await once(tx, outgoing.appId, outgoing.idempotency, async () => {
    const made = await takeIn(tx, outgoing);
    jobs = made.jobs;
    if (outgoing.isAudited) await auditSend(tx, outgoing);
    return made.accepted;
  });
  return { accepted, jobs };
}

/** Who sent how much to whom, and nothing of what it says. */
function auditSend(tx: Tx, { appId, actor, id, body, audience, timing }: Outgoing): Promise<void> {
  const to = 'all' in audience ? 'all' : { [Object.keys(audience)[0] ?? '']: sizeOf(audience) };
  const after = { to, pushType: body.pushType, ...(timing.sendAt > tx.now && { sendAt: timing.sendAt }) };
  return audit(tx, { appId, actor, action: 'sendNotification', target: id, after });
}

/** Part of any change that makes a notification. */
export async function takeIn(tx: Tx, outgoing: Outgoing): Promise<{ accepted: Accepted; jobs: Job[] }> {
  const { appId, id, body, audience, timing, birthright } = outgoing;
  const isAtOnce = timing.sendAt <= tx.now && body.localMinute === undefined && sizeOf(audience) <= namedAtOnceMax;
  const { jobs, without } = isAtOnce ? await planAtOnce(tx, outgoing) : { jobs: planLater(outgoing), without: 0 };
  const state: NotificationState =
    jobs.length === 0 ? 'finished' : timing.sendAt > tx.now || body.localMinute !== undefined ? 'scheduled' : 'sending';
  const queued = isAtOnce ? jobs.reduce((sum, { size = 1 }) => sum + size, 0) : 0;
  await tx.run(
    `INSERT INTO notifications (app_id, ${columns}, open_jobs) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, 0, $10, 0, 0, $11)`,
    [
      appId,
      id,
      state,
      JSON.stringify(body),
      tx.now,
      timing.sendAt,
      timing.expiresAt,
      state === 'finished' ? tx.now : 0,
      queued,
      without,
      jobs.length,
    ],
  );
  if (without > 0) await bookReasons(tx, appId, id, withoutDevice(without));
  if (state === 'finished') await tellFinished(tx, appId, id, without);
  return { accepted: { id, state }, jobs: await enqueue(tx, jobs, isAtOnce ? birthright : undefined) };
}

function planAtOnce(tx: Tx, { appId, id, body, audience, timing }: Outgoing) {
  if ('all' in audience) throw new Error('A walk over everybody is never done at once.');
  return planNamed(tx, { appId, n: id, priority: 0, expiresAt: timing.expiresAt }, body, audience);
}

function planLater({ appId, id, audience, timing }: Outgoing): NewJob[] {
  const priority = 'all' in audience ? 2 : 1;
  const base: JobBase = { appId, n: id, priority, expiresAt: timing.expiresAt };
  return partsOf(audience, namesPerPlan).map((part) => planJob(base, part, timing.sendAt));
}

function tellFinished(tx: Tx, appId: string, id: string, skipped: number): Promise<void> {
  return announce(tx, {
    appId,
    trigger: 'notification_finished',
    data: { notificationId: id, counts: { sent: 0, failed: 0, droppedTokens: 0, skipped, cancelled: 0 } },
  });
}

/** What has not left stays here. What a worker has in hand right now may still leave, and is counted. */
export async function cancelNotification(tx: Tx, { appId, id, actor }: Target & { id: string }): Promise<void> {
  const row = await findNotification(tx, appId, id);
  if (row === undefined) throw new ApiError('ERR_NOTIFICATION_NOT_FOUND');
  if (row.state === 'finished' || row.state === 'cancelled') return;
  const { jobs, size } = await cancelGroup(tx, id);
  await tx.run(
    `UPDATE notifications SET state = 'cancelled', finished_at = $3, open_jobs = open_jobs - $4, queued = queued - $5, cancelled = cancelled + $5
     WHERE app_id = $1 AND id = $2`,
    [appId, id, tx.now, jobs, size],
  );
  await audit(tx, { appId, actor, action: 'cancelNotification', target: id, after: { cancelled: size } });
}

/** Counted once a device, however often it says so. */
export async function acknowledgeNotification(
  tx: Tx,
  { appId, id, authToken }: { appId: string; id: string; authToken: string },
): Promise<void> {
  const known = await tx.get('SELECT id FROM notifications WHERE app_id = $1 AND id = $2', [appId, id]);
  if (known === undefined) throw new ApiError('ERR_NOTIFICATION_NOT_FOUND');
  const added = await tx.run(
    'INSERT INTO notification_acks (app_id, notification_id, auth_token, acked_at) VALUES ($1, $2, $3, $4) ON CONFLICT (app_id, notification_id, auth_token) DO NOTHING',
    [appId, id, authToken, tx.now],
  );
  if (added > 0)
    await tx.run('UPDATE notifications SET acknowledged = acknowledged + 1 WHERE app_id = $1 AND id = $2', [appId, id]);
}
