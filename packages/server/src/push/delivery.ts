import type { ProviderAnswer } from '@gatehouse/courier';
import type { Events } from '../events.ts';
import { insist } from '../outbox/insist.ts';
import type { Job } from '../outbox/jobs.ts';
import type { HourlyCounts } from '../store/hourly-counts.ts';
import type { Store } from '../store/store.ts';
import { customProviderId } from './custom-provider.ts';
import type { Health } from './health.ts';
import { Leaving } from './leaving.ts';
import type { LogEntry } from './log.ts';
import { type ChatContext, kindsOf, type NotificationBody } from './notification.ts';
import { findNotification } from './notifications.ts';
import { planNotification } from './plan.ts';
import { providerKindOf } from './platforms.ts';
import type { ProviderKind } from './provider.ts';
import { PushIds } from './push-id.ts';
import { allHere, type Found, type Recipient, readRecipients, type SendWork, skipRules } from './recipients.ts';
import { restOf } from './rest.ts';
import type { Work } from './segment.ts';
import { type Ended, SegmentRun } from './segment-run.ts';
import type { Senders } from './senders.ts';
import type { NotificationSettings } from './settings.ts';
import { type Settlement, settleSegments } from './settle.ts';
import { countPushes } from './statistics.ts';
import { oneUserOf, Tally } from './tally.ts';
import { nextWallTime } from './timezone.ts';

/** A provider's health is news when it changes, and otherwise no more often than this. */
const healthEveryMs = 5000;

/** What whoever made a job knows of it. */
export interface Fresh {
  body: NotificationBody;
  sendAt: number;
  /** Those it goes to are among them. */
  devices: readonly Recipient[];
}

/** A segment in hand. */
interface Run {
  work: SendWork;
  known: Pick<Fresh, 'body' | 'sendAt'>;
  found: Found;
  startedAt: number;
}

/** Takes the jobs of the outbox to the vendors: a claim, a read of the tokens, the sends, one transaction. */
export class Delivery {
  private readonly leaving = new Leaving();
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

  /** From now on segments take up nobody more; after `graceMs` they settle without those who are still under way. */
  leave(graceMs: number): void {
    this.leaving.begin(graceMs);
  }

  private async deliver(job: Job, work: SendWork, fresh: Fresh | undefined): Promise<void> {
    const known = fresh ?? (await this.read(job.appId, work.n));
    const base = this.baseOf(job, work);
    if (known === undefined) return this.settle({ ...base, counts: { cancelled: job.size } });
    const { body, sendAt } = known;
    const startedAt = Date.now();
    const found =
      among(fresh?.devices, work) ?? (await readRecipients(this.store, job.appId, work, kindsOf[body.pushType]));
    const run = { work, known, found, startedAt };
    if (job.expiresAt > 0 && job.expiresAt <= startedAt)
      return this.giveUp(base, run, { kind: 'failed', reason: 'Expired' });
    const outlet = await this.senders.get(job.appId, base.provider, base.providerId);
    if (outlet === undefined) return this.giveUp(base, run, { kind: 'failed', reason: 'ProviderNotFound' });
    if (!outlet.isEnabled) return this.giveUp(base, run, { kind: 'skipped', reason: 'PROVIDER_DISABLED' });
    const settings = await this.settings.getSettings(job.appId);
    const segment = new SegmentRun({
      outlet,
      body,
      notificationId: work.n,
      ids: new PushIds(work.n),
      skip: await skipRules(this.store, job.appId, settings, body, startedAt),
      sendAt,
      since: work.since ?? 0,
      now: startedAt,
      rings: work.do === 'send' && work.kind === 'voip',
      isUrgent: job.priority === 0,
      leaving: this.leaving,
      onBroken: (error) => this.events.broken('push cannot be made', error, { lane: job.lane, job: job.id }),
    });
    const { recipients } = found;
    const tally = new Tally(recipients, await segment.send(recipients), startedAt);
    if (tally.pausedBy !== undefined) this.senders.doubt(job.appId, base.provider, base.providerId);
    await this.settleRun(base, run, tally);
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

  /** Nobody is asked any more: the log says of whom and why. */
  private giveUp(base: Omit<Settlement, 'counts'>, run: Run, end: Ended): Promise<void> {
    const recipients = run.found.recipients.filter((recipient) => isLeft(recipient, run));
    const ended = recipients.map(() => end);
    return this.settleRun(base, run, new Tally(recipients, ended, run.startedAt));
  }

  private async settleRun(base: Omit<Settlement, 'counts'>, run: Run, tally: Tally): Promise<void> {
    const { job } = base;
    const { work, startedAt, known, found } = run;
    const { lost, elsewhere } = found;
    tally.addLost(lost, job.size - elsewhere.length);
    const health = this.healthOf(job.lane, tally);
    const pausedBy = tally.pausedBy?.provider;
    this.count(base.provider, tally);
    await this.settle({
      ...base,
      counts: tally.counts,
      reasons: tally.reasons,
      dead: tally.dead,
      ...restOf(job, { work, tally, startedAt, elsewhere }),
      ...(pausedBy && { pause: { reason: whyPaused(pausedBy), since: startedAt } }),
      ...(health && { health }),
      ...logOf(base, tally.entries, known.body.chat, startedAt),
    });
  }

  private async settle(settlement: Settlement): Promise<void> {
    // Where the lease was lost, whoever took the job over counts it.
    const { job, provider, providerId, pause } = settlement;
    const settled = await insist(
      async () =>
        job.priority === 0
          ? this.store.changeTogether(settleSegments, settlement)
          : (await this.store.change(settleSegments, [settlement]))[0],
      (error) => this.events.broken('what came of pushes cannot be written', error, { lane: job.lane, job: job.id }),
    );
    if (settled === undefined || settled === 'lost') return;
    const { appId } = job;
    countPushes(this.counts, appId, settlement.counts);
    if (settled === 'paused')
      this.events.alarm('push provider stopped', { appId, provider, providerId, reason: pause?.reason ?? '' });
  }

  private count(provider: ProviderKind, { counts, reasons, againReasons }: Tally): void {
    const told = (outcome: string, reason: string, n: number): void => {
      if (n > 0) this.events.pushesEnded({ provider, outcome, reason, n });
    };
    told('sent', '', counts.sent);
    for (const { outcome, reason, n } of reasons) told(outcome, reason, n);
    for (const [reason, n] of againReasons) told('retry', reason, n);
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

/** The vendor's status and word; ours alone where nobody was asked. */
function whyPaused({ status, reason }: ProviderAnswer): string {
  return status === 0 ? reason : `${status} ${reason}`;
}

/** Undefined where they must be read. */
function among(devices: readonly Recipient[] | undefined, work: SendWork): Found | undefined {
  if (devices === undefined || work.do !== 'send' || !('hashes' in work)) return undefined;
  const hashes = new Set(work.hashes);
  return allHere(devices.filter(({ hash }) => hashes.has(hash)));
}

/** False for those of a range whose hour came, and was dealt with, before. */
function isLeft({ timezone }: Recipient, { work, known: { body, sendAt } }: Run): boolean {
  const { since = 0 } = work;
  return body.localMinute === undefined || since === 0 || nextWallTime(timezone, body.localMinute, sendAt) > since;
}

function logOf(
  { job, notificationId, provider, providerId }: Omit<Settlement, 'counts'>,
  entries: readonly LogEntry[],
  chat: ChatContext | undefined,
  startedAt: number,
): Pick<Settlement, 'log'> {
  if (entries.length === 0) return {};
  const { appId } = job;
  const receiverUid = oneUserOf(entries);
  return {
    log: {
      appId,
      notificationId,
      provider,
      providerId,
      startedAt,
      chat,
      entries: JSON.stringify(entries),
      receiverUid,
    },
  };
}
