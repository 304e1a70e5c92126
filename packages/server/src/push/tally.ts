import type { Outcome } from '@gatehouse/courier';
import type { Entry, ReasonCount } from './accounting.ts';
import type { LogEntry, LoggedOutcome } from './log.ts';
import { type Lost, nobody, type Recipient } from './recipients.ts';
import type { Ended } from './segment-run.ts';

/** Answers that blame the token although a wrong setting of ours looks the same. INVALID_ARGUMENT may also be about what was sent. */
const blamesTheToken = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'SENDER_ID_MISMATCH']);
const doubtfulReasons = new Set([...blamesTheToken, 'INVALID_ARGUMENT']);

export interface Again {
  recipient: Recipient;
  afterMs: number;
  /** It was not tried: it need not wait, and this was no attempt. */
  isUnsent: boolean;
}

/** What a segment came to, added up from what each of its pushes came to. */
export class Tally {
  readonly counts: Required<Omit<Entry, 'jobs' | 'queued' | 'cancelled'>> = {
    sent: 0,
    failed: 0,
    dropped: 0,
    skipped: 0,
  };
  readonly dead: { hash: string; uid: string; platform: string; reason: string; before: number }[] = [];
  readonly entries: LogEntry[] = [];
  /** To be tried again, and after how long at the least. */
  readonly again: Again[] = [];
  /** How many of them there are by reason. */
  readonly againReasons = new Map<string, number>();
  /** To be sent when their hour comes. */
  readonly later: { recipient: Recipient; at: number }[] = [];
  pausedBy: Outcome | undefined;
  private lastAnswer: Outcome['provider'] | undefined;
  private readonly reasonCounts = new Map<string, ReasonCount>();
  private readonly startedAt: number;

  constructor(recipients: readonly Recipient[], ended: readonly Ended[], startedAt: number) {
    this.startedAt = startedAt;
    // Known first, because a pause changes what the answers before it mean.
    for (const end of ended)
      if (end.kind === 'outcome' && end.outcome.kind === 'pauseProvider') this.pausedBy ??= end.outcome;
    for (const [i, end] of ended.entries()) {
      const recipient = recipients[i];
      if (recipient !== undefined) this.add(recipient, end);
    }
  }

  /** Adds those who were planned for and not found, so that `planned` in all have come to something. Some have no name. */
  addLost(lost: readonly Lost[], planned: number): void {
    const { sent, failed, skipped } = this.counts;
    const missing = planned - sent - failed - skipped - this.again.length - this.later.length;
    for (let i = 0; i < missing; i++) {
      const { recipient, reason } = lost[i] ?? { recipient: nobody(), reason: 'TOKEN_GONE' };
      this.add(recipient, { kind: 'skipped', reason });
    }
  }

  /** The last answer that held pushes up, with all that was said: `breakerOpen` alone helps nobody. */
  get lastFailure(): { status: number; reason: string } | undefined {
    if (this.lastAnswer === undefined) return undefined;
    const { status, reason, detail = '' } = this.lastAnswer;
    const words = [reason, detail.replace(/\p{Cc}/gu, ' ')].filter((part) => part !== '');
    return { status, reason: [...new Set(words)].join(': ') };
  }

  get reasons(): ReasonCount[] {
    return [...this.reasonCounts.values()];
  }

  private add(recipient: Recipient, end: Ended): void {
    switch (end.kind) {
      case 'outcome':
        this.addOutcome(recipient, end.outcome);
        return;
      case 'skipped':
        this.counts.skipped++;
        this.count('skipped', end.reason);
        this.log(recipient, 'skipped', 0, end.reason, '');
        return;
      case 'failed':
        this.fail(recipient, 0, end.reason, '');
        return;
      case 'later':
        this.later.push({ recipient, at: end.at });
        return;
      case 'unsent':
        this.tryAgain(recipient, 0, 'unsent', true);
        return;
      case 'earlier':
        return;
    }
  }

  private addOutcome(recipient: Recipient, outcome: Outcome): void {
    const { status, reason, id } = outcome.provider;
    switch (outcome.kind) {
      case 'sent':
        this.counts.sent++;
        this.entries.push(
          status === 200 && !id.includes('/')
            ? [recipient.uid, recipient.hash, recipient.platform]
            : [recipient.uid, recipient.hash, recipient.platform, 'sent', status, '', id],
        );
        return;
      case 'dropToken':
        this.drop(recipient, outcome);
        return;
      case 'failMessage':
        if (this.pausedBy !== undefined && blamesTheToken.has(reason)) this.hold(recipient, outcome.provider);
        else this.fail(recipient, status, reason, id);
        return;
      case 'retry':
      case 'reconnect':
        this.tryAgain(recipient, outcome.kind === 'retry' ? outcome.afterMs : 0, reason);
        this.lastAnswer = outcome.provider;
        this.log(recipient, 'retry', status, reason, id);
        return;
      case 'pauseProvider':
        this.hold(recipient, outcome.provider);
        this.lastAnswer = outcome.provider;
        return;
    }
  }

  /** A dead token goes. When the provider was stopped in the same breath, "bad token" may be a mistake of ours: it stays. */
  private drop(recipient: Recipient, outcome: Outcome): void {
    const { status, reason, id, timestampMs } = outcome.provider;
    if (this.pausedBy !== undefined && doubtfulReasons.has(reason)) {
      this.hold(recipient, outcome.provider);
      return;
    }
    const before = Math.min(timestampMs ?? this.startedAt, this.startedAt);
    // Registered again since: the device is alive, only this push was lost.
    if (recipient.registeredAt >= before) {
      this.fail(recipient, status, reason, id);
      return;
    }
    this.counts.failed++;
    this.counts.dropped++;
    this.count('failed', reason);
    const { hash, uid, platform } = recipient;
    this.dead.push({ hash, uid, platform, reason, before });
    this.log(recipient, 'dropped', status, reason, id);
  }

  /** It goes out when the provider is mended. */
  private hold(recipient: Recipient, { status, reason, id }: Outcome['provider']): void {
    this.tryAgain(recipient, 0, reason);
    this.log(recipient, 'held', status, reason, id);
  }

  private tryAgain(recipient: Recipient, afterMs: number, reason: string, isUnsent = false): void {
    this.again.push({ recipient, afterMs, isUnsent });
    this.againReasons.set(reason, (this.againReasons.get(reason) ?? 0) + 1);
  }

  private fail(recipient: Recipient, status: number, reason: string, id: string): void {
    this.counts.failed++;
    this.count('failed', reason);
    this.log(recipient, 'failed', status, reason, id);
  }

  private log(recipient: Recipient, outcome: LoggedOutcome, status: number, reason: string, id: string): void {
    this.entries.push([recipient.uid, recipient.hash, recipient.platform, outcome, status, reason, id]);
  }

  private count(outcome: ReasonCount['outcome'], reason: string): void {
    const key = `${outcome} ${reason}`;
    const known = this.reasonCounts.get(key);
    if (known === undefined) this.reasonCounts.set(key, { outcome, reason, n: 1 });
    else known.n++;
  }
}

/** The user all entries are about, or '' for several. */
export function oneUserOf(entries: readonly LogEntry[]): string {
  const uid = entries[0]?.[0] ?? '';
  return entries.every((entry) => entry[0] === uid) ? uid : '';
}
