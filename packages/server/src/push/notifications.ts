import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { orderedUuid } from '../ordered-uuid.ts';
import type { Dispatcher } from '../outbox/dispatcher.ts';
import { cancelGroup } from '../outbox/settle.ts';
import { type Idempotency, knownAnswer } from '../store/idempotency.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { checkPayload } from './check-payload.ts';
import type { Delivery } from './delivery.ts';
import { findDevices } from './devices.ts';
import { type Accepted, type Outgoing, sendNotifications } from './intake.ts';
import {
  type Audience,
  audienceOf,
  kindsOf,
  type NotificationBody,
  type NotificationRow,
  type ReasonRow,
  type SendRequest,
  toBody,
  toNotification,
} from './notification.ts';
import { listNotifications } from './notification-list.ts';
import { timingOf } from './timing.ts';

type Target = By & { appId: string };

/** Notifications: taken in (intake.ts), looked at, called back. How they leave is in delivery.ts. */
export class Notifications {
  private readonly store: Store;
  private readonly dispatcher: Dispatcher;
  private readonly delivery: Delivery;

  constructor(store: Store, dispatcher: Dispatcher, delivery: Delivery) {
    this.store = store;
    this.dispatcher = dispatcher;
    this.delivery = delivery;
  }

  async sendNotification(target: Target, request: SendRequest, idempotency?: Idempotency) {
    const isDry = request.dryRun === true;
    const known = isDry ? undefined : await knownAnswer<Accepted>(this.store, { appId: target.appId, idempotency });
    if (known !== undefined) return { data: known };
    const body = toBody(request);
    await checkPayload(this.store, target.appId, body);
    const outgoing = {
      ...target,
      body,
      audience: audienceOf(request.to),
      timing: timingOf(request, Date.now()),
      idempotency,
      isAudited: true,
    };
    if (isDry) return this.dryRun(target.appId, outgoing.body, outgoing.audience);
    return { data: await this.send(outgoing) };
  }

  /** What is small and due starts before it could be claimed: it is committed as ours already, with whom it goes to. */
  async send(outgoing: Omit<Outgoing, 'id' | 'birthright'>): Promise<Accepted> {
    const { accepted, jobs, devices } = await this.store.changeTogether(sendNotifications, {
      ...outgoing,
      id: orderedUuid(),
      birthright: this.dispatcher.birthright(),
    });
    const fresh = { body: outgoing.body, sendAt: outgoing.timing.sendAt, devices };
    this.dispatcher.adopt(jobs, (job) => this.delivery.handle(job, fresh));
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
    return toNotification(row, JSON.parse(row.body) as NotificationBody, reasons);
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
        : (await findDevices(this.store, [{ appId, audience, kinds: kindsOf[body.pushType] }])).flat().length;
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

/** What has not left stays here. What a worker has in hand right now may still leave, and is counted. */
export async function cancelNotification(tx: Tx, { appId, id, actor }: Target & { id: string }): Promise<void> {
  const row = await findNotification(tx, appId, id);
  if (row === undefined) throw new ApiError('ERR_NOTIFICATION_NOT_FOUND');
  if (row.state === 'finished' || row.state === 'cancelled') return;
  const { jobs, size } = await cancelGroup(tx, id);
  // What was settled since we looked may have finished it: that stands.
  const cancelled = await tx.run(
    `UPDATE notifications SET state = 'cancelled', finished_at = $3, open_jobs = open_jobs - $4, queued = queued - $5, cancelled = cancelled + $5
     WHERE app_id = $1 AND id = $2 AND state IN ('scheduled', 'sending')`,
    [appId, id, tx.now, jobs, size],
  );
  if (cancelled === 0) return;
  await audit(tx, { appId, actor, action: 'cancelNotification', target: id, after: { cancelled: size } });
}

/** Counted once a device, however often it says so. */
export async function acknowledgeNotification(
  tx: Tx,
  { appId, id, authToken }: { appId: string; id: string; authToken: string },
): Promise<void> {
  const known = await tx.get<{ uid: string | null }>(
    `SELECT a.uid FROM notifications n LEFT JOIN auth_tokens a ON a.app_id = n.app_id AND a.auth_token = $3
     WHERE n.app_id = $1 AND n.id = $2`,
    [appId, id, authToken],
  );
  if (known === undefined) throw new ApiError('ERR_NOTIFICATION_NOT_FOUND');
  if (known.uid === null) throw new ApiError('ERR_AUTH_TOKEN_NOT_FOUND');
  const added = await tx.run(
    'INSERT INTO notification_acks (app_id, notification_id, auth_token, acked_at) VALUES ($1, $2, $3, $4) ON CONFLICT (app_id, notification_id, auth_token) DO NOTHING',
    [appId, id, authToken, tx.now],
  );
  if (added > 0)
    await tx.run('UPDATE notifications SET acknowledged = acknowledged + 1 WHERE app_id = $1 AND id = $2', [appId, id]);
}
