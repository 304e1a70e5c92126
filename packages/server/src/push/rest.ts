import { backoffMs } from '../outbox/backoff.ts';
import type { Job, NewJob } from '../outbox/jobs.ts';
import type { FoundDevice } from './devices.ts';
import type { Recipient, SendWork } from './recipients.ts';
import { type JobBase, listJobs, phoneOf, type Work } from './segment.ts';
import type { Rest, Settlement } from './settle.ts';
import type { Again, Tally } from './tally.ts';

/** What a stopped provider left: by then every process knows that it is stopped. */
const pausedMs = 500;

/** Waits that differ by less are not worth a job of their own. */
const togetherMs = 5000;

interface Run {
  work: SendWork;
  tally: Tally;
  startedAt: number;
  elsewhere: readonly FoundDevice[];
}

/** What is left of a segment: those to try again, those whose hour has not come, and those whom another provider reaches. */
export function restOf(job: Job, run: Run): Pick<Settlement, 'rest' | 'more'> {
  const { work, tally, elsewhere } = run;
  const retries = retriesOf(job, run);
  const rest = tally.later.length > 0 ? laterOf(run) : retries.shift();
  const base: JobBase = { appId: job.appId, n: work.n, priority: job.priority, expiresAt: job.expiresAt };
  const more = [...retries.map((one) => jobOf(job, one)), ...listJobs(base, elsewhere, isForPeople(work))];
  return { ...(rest && { rest }), ...(more.length > 0 && { more }) };
}

function retriesOf(job: Job, { work, tally }: Run): Rest[] {
  const { again, pausedBy, lastFailure } = tally;
  if (again.length === 0) return [];
  const now = Date.now();
  const parts = pausedBy === undefined ? partsOf(again, job) : [{ again, waitMs: pausedMs, counts: false }];
  return parts.map((part) => ({
    work: only(
      work,
      part.again.map(({ recipient }) => recipient),
    ),
    size: part.again.length,
    at: inTime(now + part.waitMs, job),
    error: lastFailure?.reason ?? '',
    counts: part.counts,
  }));
}

interface Part {
  again: readonly Again[];
  waitMs: number;
  counts: boolean;
}

/** Whoever was not tried goes first, at once. */
function partsOf(again: readonly Again[], { attempts }: Job): Part[] {
  const unsent = again.filter(({ isUnsent }) => isUnsent);
  const tried = unsent.length === 0 ? again : again.filter(({ isUnsent }) => !isUnsent);
  const parts: Part[] = byWait(tried, backoffMs(attempts, 200)).map((part) => ({ ...part, counts: true }));
  return unsent.length === 0 ? parts : [{ again: unsent, waitMs: 0, counts: false }, ...parts];
}

/**
 * A vendor that makes one device wait for long holds up only that one. Waits that are much alike stay together: the same
 * answer waits up to twice as long from one push to the next.
 */
function byWait(again: readonly Again[], leastMs: number): { again: Again[]; waitMs: number }[] {
  const waits = again.map((one) => ({ one, waitMs: Math.max(one.afterMs, leastMs) }));
  waits.sort((a, b) => a.waitMs - b.waitMs);
  const parts: { again: Again[]; waitMs: number }[] = [];
  let until = -1;
  for (const { one, waitMs } of waits) {
    const part = parts.at(-1);
    if (part === undefined || waitMs > until) {
      parts.push({ again: [one], waitMs });
      until = Math.max(2 * waitMs, waitMs + togetherMs);
    } else {
      part.again.push(one);
      part.waitMs = waitMs;
    }
  }
  return parts;
}

/** What would come back too late is told at its end, not then. */
function inTime(at: number, { expiresAt }: Job): number {
  return expiresAt > 0 ? Math.min(at, expiresAt) : at;
}

/** A range is read again as a whole and remembers how far the day has come; a list names those who are left. */
function laterOf({ work, tally: { later }, startedAt }: Run): Rest {
  const isList = work.do === 'call' || 'hashes' in work;
  return {
    work: isList
      ? only(
          work,
          later.map(({ recipient }) => recipient),
        )
      : { ...work, since: startedAt },
    size: later.length,
    at: Math.min(...later.map(({ at }) => at)),
    error: '',
    counts: false,
  };
}

function isForPeople(work: SendWork): boolean {
  return work.do === 'send' && 'hashes' in work && work.owners !== undefined;
}

function only(work: SendWork, recipients: readonly Recipient[]): Work {
  if (work.do === 'call') return { do: 'call', n: work.n, uids: recipients.map(({ uid }) => uid) };
  const { n, kind, providerId } = work;
  const left: Work = { do: 'send', n, kind, providerId, hashes: recipients.map(({ hash }) => hash) };
  if (isForPeople(work)) left.owners = recipients.map(({ uid, authToken }) => [uid, phoneOf(authToken)]);
  return left;
}

/** It was tried as often as the job it comes from. */
function jobOf(job: Job, { work, size, at, counts }: Rest): NewJob {
  const { kind, lane, appId, group, priority, expiresAt } = job;
  const attempts = counts ? job.attempts : job.attempts - 1;
  return { kind, lane, appId, group, priority, expiresAt, payload: JSON.stringify(work), size, readyAt: at, attempts };
}
