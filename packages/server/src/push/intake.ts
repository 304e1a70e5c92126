import { type AuditEntry, audit, type By } from '../apps/audit.ts';
import { type Birthright, enqueue, type Job, type NewJob } from '../outbox/jobs.ts';
import { type Idempotency, onceEach } from '../store/idempotency.ts';
import type { Tx } from '../store/store.ts';
import { announce } from '../webhooks/announce.ts';
import { bookReasons, finished } from './accounting.ts';
import type { Audience, NotificationBody, NotificationState } from './notification.ts';
import { type Plan, type Planned, planNamed } from './plan.ts';
import { type Recipient, toRecipient } from './recipients.ts';
import { type JobBase, partsOf, planJob, sizeOf } from './segment.ts';
import type { Timing } from './timing.ts';
import { logUnreached, reasonsOf } from './unreached.ts';

/** Up to this many names are looked up while the caller waits; their pushes start at once. */
const namedAtOnceMax = 100;
const namesPerPlan = 500;

export interface Accepted {
  id: string;
  state: NotificationState;
}

export interface Outgoing extends By {
  appId: string;
  id: string;
  body: NotificationBody;
  audience: Audience;
  timing: Timing;
  idempotency?: Idempotency | undefined;
  birthright?: Birthright | undefined;
  /** A notification somebody asked for leaves its row; of a message that rings, moderation keeps the record. */
  isAudited?: boolean;
}

/** What was taken in, and the jobs of it that are the taker's already. */
export interface TakenIn {
  accepted: Accepted;
  jobs: Job[];
  /** Whom those jobs go to: read a moment ago, they need not be asked for again. */
  devices: Recipient[];
}

/** One transaction takes the notifications and the work they make, or none of it. What came before makes no work again. */
export async function sendNotifications(tx: Tx, outgoings: readonly Outgoing[]): Promise<TakenIn[]> {
  const taken = new Map<string, TakenIn>();
  const answers = await onceEach(tx, outgoings, async (fresh) => {
    const made = await takeIn(tx, fresh);
    for (const one of made) taken.set(one.accepted.id, one);
    await audit(tx, ...fresh.filter(({ isAudited }) => isAudited).map((outgoing) => auditOf(outgoing, tx.now)));
    return made.map(({ accepted }) => accepted);
  });
  return answers.map((accepted, i) => taken.get(outgoings[i]?.id ?? '') ?? { accepted, jobs: [], devices: [] });
}

/** Who sent how much to whom, and nothing of what it says. */
function auditOf({ appId, actor, id, body, audience, timing }: Outgoing, now: number): AuditEntry {
  const to = 'all' in audience ? 'all' : { [Object.keys(audience)[0] ?? '']: sizeOf(audience) };
  const after = { to, pushType: body.pushType, ...(timing.sendAt > now && { sendAt: timing.sendAt }) };
  return { appId, actor, action: 'sendNotification', target: id, after };
}

/** A notification with the jobs it will have. */
interface Made extends Plan {
  outgoing: Outgoing;
  state: NotificationState;
  queued: number;
}

async function takeIn(tx: Tx, outgoings: readonly Outgoing[]): Promise<TakenIn[]> {
  const made = await planEach(tx, outgoings);
  await tx.insertMany(
    'notifications',
    columns,
    made.map((one) => toRow(one, tx.now)),
  );
  const some = made.filter(({ unreached }) => unreached.length > 0);
  await bookReasons(
    tx,
    some.map(({ outgoing: { appId, id }, unreached }) => ({ appId, id, reasons: reasonsOf(unreached) })),
  );
  await logUnreached(
    tx,
    some.map(({ outgoing: { appId, id, body }, unreached }) => {
      return { appId, notificationId: id, chat: body.chat, unreached };
    }),
  );
  const over = made.filter(({ state }) => state === 'finished');
  const nothing = { sent: 0, failed: 0, droppedTokens: 0, cancelled: 0 };
  await announce(
    tx,
    ...over.map(({ outgoing: { appId, id }, unreached }) =>
      finished(appId, id, { ...nothing, skipped: unreached.length }),
    ),
  );
  const born = new Map<string, Job[]>();
  for (const job of await enqueue(
    tx,
    made.flatMap(({ jobs }) => jobs),
  ))
    born.set(job.group, [...(born.get(job.group) ?? []), job]);
  return made.map(({ outgoing: { id }, state, devices }) => {
    const jobs = born.get(id) ?? [];
    return { accepted: { id, state }, jobs, devices: jobs.length === 0 ? [] : devices.map(toRecipient) };
  });
}

/** What is small and due is planned now, all of it together; the rest is left to jobs. */
async function planEach(tx: Tx, outgoings: readonly Outgoing[]): Promise<Made[]> {
  const atOnce = outgoings.flatMap((outgoing) => plannedAtOnce(outgoing, tx.now) ?? []);
  const plans = new Map((await planNamed(tx, atOnce)).map((plan, i) => [atOnce[i]?.base.n, plan]));
  return outgoings.map((outgoing) => {
    const { id, body, timing, birthright } = outgoing;
    const plan = plans.get(id);
    if (plan === undefined) {
      const isScheduled = timing.sendAt > tx.now || body.localMinute !== undefined;
      const jobs = planLater(outgoing);
      return { outgoing, jobs, devices: [], unreached: [], queued: 0, state: isScheduled ? 'scheduled' : 'sending' };
    }
    const jobs = plan.jobs.map((job) => ({ ...job, ...(birthright && { birthright }) }));
    const queued = jobs.reduce((sum, { size = 1 }) => sum + size, 0);
    return { ...plan, outgoing, jobs, queued, state: jobs.length === 0 ? 'finished' : 'sending' };
  });
}

function plannedAtOnce({ appId, id, body, audience, timing }: Outgoing, now: number): Planned | undefined {
  if ('all' in audience || sizeOf(audience) > namedAtOnceMax) return undefined;
  if (timing.sendAt > now || body.localMinute !== undefined) return undefined;
  return { base: { appId, n: id, priority: 0, expiresAt: timing.expiresAt }, body, audience };
}

function planLater({ appId, id, audience, timing }: Outgoing): NewJob[] {
  const priority = 'all' in audience ? 2 : 1;
  const base: JobBase = { appId, n: id, priority, expiresAt: timing.expiresAt };
  return partsOf(audience, namesPerPlan).map((part) => planJob(base, part, timing.sendAt));
}

const columns = [
  'app_id',
  'id',
  'state',
  'body',
  'created_at',
  'send_at',
  'expires_at',
  'finished_at',
  'queued',
  'sent',
  'failed',
  'dropped',
  'skipped',
  'cancelled',
  'acknowledged',
  'open_jobs',
] as const;

function toRow({ outgoing, state, queued, unreached, jobs }: Made, now: number) {
  const { appId, id, body, timing } = outgoing;
  const finishedAt = state === 'finished' ? now : 0;
  const counts = [queued, 0, 0, 0, unreached.length, 0, 0, jobs.length];
  return [appId, id, state, JSON.stringify(body), now, timing.sendAt, timing.expiresAt, finishedAt, ...counts];
}
