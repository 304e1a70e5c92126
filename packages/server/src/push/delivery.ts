import type { Events } from '../events.ts';
import { backoffMs } from '../outbox/backoff.ts';
import type { Job } from '../outbox/jobs.ts';
import type { HourlyCounts } from '../store/hourly-counts.ts';
import type { Store } from '../store/store.ts';
import { customProviderId } from './custom-provider.ts';
import type { Health } from './health.ts';
import type { LogEntry } from './log.ts';
import type { ChatContext, NotificationBody } from './notification.ts';
import { findNotification } from './notifications.ts';
import { planNotification } from './plan.ts';
import { providerKindOf } from './platforms.ts';
import type { ProviderKind } from './provider.ts';
import { PushIds } from './push-id.ts';
import { type Recipient, readRecipients, skipRules } from './recipients.ts';
import type { Work } from './segment.ts';
import { type Ended, SegmentRun } from './segment-run.ts';
import type { Senders } from './senders.ts';
import type { NotificationSettings } from './settings.ts';
import { type Settlement, settleSegments } from './settle.ts';
import { countPushes } from './statistics.ts';
import { oneUserOf, Tally } from './tally.ts';

/** A provider's health is news when it changes, and otherwise no more often than this. */
const healthEveryMs = 5000;

/** What a stopped provider left: by then every process knows that it is stopped. */
const pausedMs = 500;

/** What whoever made a job knows of it. */
export interface Fresh {
  body: NotificationBody;
  sendAt: number;
  /** Those it goes to are among them. */
  devices: readonly Recipient[];
}

type SendWork = Exclude<Work, { do: 'plan' }>;

/** Takes the jobs of the outbox to the vendors: a claim, a read of the tokens, the sends, one transaction. */
export class Delivery {
  private readonly healthTold = new Map<string, { at: number; isWell: boolean }>();
  private readonly store: Store;
  private readonly senders: Senders;
  private readonly settings: NotificationSettings;
  private readonly events: Events;
  private readonly counts: HourlyCounts;

  constructor(store: Store, senders: Senders, settings: NotificationSettings, events: Events, counts: HourlyCounts) {
    this.store = store;
    this.senders = senders;
    this.settings = settings;
    this.events = events;
    this.counts = counts;
  }

  /** `fresh` is what was read as the job was made, a moment ago. */
  async handle(job: Job, fresh?: Fresh): Promise<void> {
    const work = JSON.parse(job.payload) as Work;
    if (work.do === 'plan') await this.store.change(planNotification, { job, work });
    else await this.deliver(job, work, fresh);
  }

  private async deliver(job: Job, work: SendWork, fresh: Fresh | undefined): Promise<void> {
    const known = fresh ?? (await this.read(job.appId, work.n));
    const base = this.baseOf(job, work);
    if (known === undefined) return this.settle({ ...base, counts: { cancelled: job.size } });
    const { body, sendAt } = known;
    if (job.expiresAt > 0 && job.expiresAt <= Date.now()) return this.fail(base, work, body, 'Expired');
    const startedAt = Date.now();
    const outlet = await this.senders.get(job.appId, base.provider, base.providerId);
    if (outlet === undefined) return this.fail(base, work, body, 'ProviderNotFound');
    const recipients = among(fresh?.devices, work) ?? (await readRecipients(this.store, job.appId, work));
    const settings = await this.settings.getSettings(job.appId);
    const run = new SegmentRun({
      outlet,
      body,
      notificationId: work.n,
      isApns: base.provider === 'apns',
      ids: new PushIds(work.n),
      skip: await skipRules(this.store, job.appId, settings, body, startedAt),
      sendAt,
      since: work.since ?? 0,
      now: startedAt,
      rings: work.do === 'send' && work.kind === 'voip',
      isUrgent: job.priority === 0,
    });
    const tally = new Tally(recipients, await run.send(recipients), startedAt);
    await this.settleTally(base, { work, body, recipients, tally, startedAt });
  }

  /** Undefined where there is nothing to send any more. */
  private async read(appId: string, id: string): Promise<Pick<Fresh, 'body' | 'sendAt'> | undefined> {
    const row = await findNotification(this.store, appId, id);
    if (row === undefined || row.state === 'cancelled') return undefined;
    return { body: JSON.parse(row.body) as NotificationBody, sendAt: row.send_at };
  }

  private baseOf(
    job: Job,
    work: SendWork,
  ): Pick<Settlement, 'job' | 'notificationId' | 'provider' | 'providerId'> & {
    reasons: [];
    dead: [];
  } {
    const provider: ProviderKind = work.do === 'call' ? 'custom' : providerKindOf(work.kind);
    const providerId = work.do === 'call' ? customProviderId : work.providerId;
    return { job, notificationId: work.n, provider, providerId, reasons: [], dead: [] };
  }

  /** Nobody is asked any more: what waited has failed, and the log says of whom and why. */
  private async fail(
    base: Omit<Settlement, 'counts'>,
    work: SendWork,
    { chat }: NotificationBody,
    reason: string,
  ): Promise<void> {
    const n = base.job.size;
    const startedAt = Date.now();
    const recipients = await readRecipients(this.store, base.job.appId, work);
    const failed = recipients.map((): Ended => ({ kind: 'failed', reason }));
    const { entries } = new Tally(recipients, failed, startedAt);
    this.events.pushesEnded({ provider: base.provider, outcome: 'failed', reason, n });
    await this.settle({
      ...base,
      counts: { failed: n },
      reasons: [{ outcome: 'failed', reason, n }],
      ...logOf(base, { entries, recipients, chat, startedAt }),
    });
  }

  private async settleTally(
    base: Omit<Settlement, 'counts'>,
    run: {
      work: SendWork;
      body: NotificationBody;
      recipients: readonly Recipient[];
      tally: Tally;
      startedAt: number;
    },
  ): Promise<void> {
    const { tally } = run;
    const health = this.healthOf(base.job.lane, tally);
    const pausedBy = tally.pausedBy?.provider;
    this.count(base.provider, tally);
    if (pausedBy !== undefined)
      this.events.alarm('push provider stopped', {
        appId: base.job.appId,
        provider: base.provider,
        providerId: base.providerId,
        reason: pausedBy.reason,
      });
    await this.settle({
      ...base,
      counts: tally.counts,
      reasons: tally.reasons,
      dead: tally.dead,
      ...restOf(base.job, run),
      ...(pausedBy && { pause: { reason: `${pausedBy.status} ${pausedBy.reason}`, since: run.startedAt } }),
      ...(health && { health }),
      ...logOf(base, { ...run, entries: tally.entries, chat: run.body.chat }),
    });
  }

  private async settle(settlement: Settlement): Promise<void> {
    // Where the lease was lost, whoever took the job over counts it.
    const isUrgent = settlement.job.priority === 0;
    const isOurs = isUrgent
      ? await this.store.changeTogether(settleSegments, settlement)
      : (await this.store.change(settleSegments, [settlement]))[0];
    if (isOurs) countPushes(this.counts, settlement.job.appId, settlement.counts);
  }

  private count(provider: ProviderKind, { counts, reasons, again }: Tally): void {
    const told = (outcome: string, reason: string, n: number): void => {
      if (n > 0) this.events.pushesEnded({ provider, outcome, reason, n });
    };
    told('sent', '', counts.sent);
    for (const { outcome, reason, n } of reasons) told(outcome, reason, n);
    told('retry', '', again.length);
  }

  private healthOf(lane: string, { counts, lastFailure }: Tally): Health | undefined {
    if (counts.sent === 0 && lastFailure === undefined) return undefined;
    const now = Date.now();
    const isWell = lastFailure === undefined;
    const told = this.healthTold.get(lane);
    if (told !== undefined && told.isWell === isWell && Math.abs(now - told.at) < healthEveryMs) return undefined;
    this.healthTold.set(lane, { at: now, isWell });
    return {
      ...(counts.sent > 0 && { succeededAt: now }),
      ...(lastFailure && { failure: { at: now, ...lastFailure } }),
    };
  }
}

/** Undefined where they must be read. */
function among(devices: readonly Recipient[] | undefined, work: SendWork): Recipient[] | undefined {
  if (devices === undefined || work.do !== 'send' || !('hashes' in work)) return undefined;
  const hashes = new Set(work.hashes);
  return devices.filter(({ hash }) => hashes.has(hash));
}

function logOf(
  { job, notificationId, provider, providerId }: Omit<Settlement, 'counts'>,
  run: {
    entries: readonly LogEntry[];
    recipients: readonly Recipient[];
    chat: ChatContext | undefined;
    startedAt: number;
  },
): Pick<Settlement, 'log'> {
  if (run.entries.length === 0) return {};
  const { chat, startedAt } = run;
  const entries = JSON.stringify(run.entries);
  const receiverUid = oneUserOf(run.recipients);
  return {
    log: { appId: job.appId, notificationId, provider, providerId, startedAt, chat, entries, receiverUid },
  };
}

/** What is left of a segment: those to try again, and those whose hour has not come. */
function restOf(
  job: Job,
  { work, tally, startedAt }: { work: SendWork; tally: Tally; startedAt: number },
): Pick<Settlement, 'rest' | 'more'> {
  const { again, later, pausedBy, againAfterMs, lastFailure } = tally;
  const now = Date.now();
  const waitMs = pausedBy !== undefined ? pausedMs : Math.max(againAfterMs, backoffMs(job.attempts, 200));
  const retry = again.length > 0 && {
    work: only(work, again),
    size: again.length,
    at: now + waitMs,
    error: lastFailure?.reason ?? '',
    counts: pausedBy === undefined,
  };
  if (later.length === 0) return retry === false ? {} : { rest: retry };
  const rest = {
    work: { ...work, since: startedAt },
    size: later.length,
    at: Math.min(...later.map(({ at }) => at)),
    error: '',
    counts: false,
  };
  return { rest, ...(retry !== false && { more: retry }) };
}

function only(work: SendWork, recipients: readonly Recipient[]): Work {
  if (work.do === 'call') return { do: 'call', n: work.n, uids: recipients.map(({ uid }) => uid) };
  const { n, kind, providerId } = work;
  return { do: 'send', n, kind, providerId, hashes: recipients.map(({ hash }) => hash) };
}
