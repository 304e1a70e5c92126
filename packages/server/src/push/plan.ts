import type { Job, NewJob } from '../outbox/jobs.ts';
import { enqueue } from '../outbox/jobs.ts';
import { complete, retry } from '../outbox/settle.ts';
import type { Tx } from '../store/store.ts';
import { book } from './accounting.ts';
import type { CustomSettings } from './custom-provider.ts';
import { customProviderId } from './custom-provider.ts';
import { type FoundDevice, findDevices, type NamedAudience } from './devices.ts';
import type { LogEntry } from './log.ts';
import { kindsOf, type NotificationBody } from './notification.ts';
import type { TokenKind } from './platforms.ts';
import { callJob, type JobBase, listJobs, rangeJob, segmentMax, type Walk, type Work } from './segment.ts';
import { laneKey, laneOfToken } from './tokens.ts';
import { findUnreached, logUnreached, reasonsOf } from './unreached.ts';

/** How much of a walk over all tokens one transaction does. */
const segmentsPerStep = 50;
const usersPerCall = 500;

export interface Plan {
  jobs: NewJob[];
  devices: FoundDevice[];
  /** Those named who have no device. */
  unreached: LogEntry[];
}

export interface Planned {
  base: JobBase;
  body: NotificationBody;
  audience: NamedAudience;
}

/** The segments of named audiences. */
export async function planNamed(tx: Tx, planned: readonly Planned[]): Promise<Plan[]> {
  const found = await findDevices(
    tx,
    planned.map(({ base: { appId }, body, audience }) => ({ appId, audience, kinds: kindsOf[body.pushType] })),
  );
  const callers = await appsWithCustom(tx, planned);
  const plans: Plan[] = [];
  for (const [i, { base, body, audience }] of planned.entries()) {
    const devices = body.pushType === 'call' ? ringOnce(found[i] ?? []) : (found[i] ?? []);
    const jobs = listJobs(base, devices, !('pushTokens' in audience));
    const isCalled = callers.has(base.appId) && isSeen(body);
    const isByUser = 'uids' in audience;
    if (isCalled) {
      const uids = isByUser ? audience.uids : [...new Set(devices.map(({ uid }) => uid))];
      for (let start = 0; start < uids.length; start += usersPerCall)
        jobs.push(callJob(base, uids.slice(start, start + usersPerCall)));
    }
    // The app's own service is called for every user who is named.
    const isEverybody = isCalled && isByUser;
    plans.push({
      jobs,
      devices,
      unreached: isEverybody ? [] : await findUnreached(tx, base.appId, audience, devices),
    });
  }
  return plans;
}

/** A phone that rings by its VoIP token is not told of the call a second time by its other ones. */
function ringOnce(devices: readonly FoundDevice[]): FoundDevice[] {
  const phones = new Set(devices.filter(({ kind }) => kind === 'voip').map((device) => device.auth_token));
  return devices.filter(({ kind, auth_token: phone }) => kind === 'voip' || !phones.has(phone));
}

/** An app's own service is called for what people see or hear, not for what works in the background. */
function isSeen({ pushType }: NotificationBody): boolean {
  return pushType !== 'liveactivity' && pushType !== 'background';
}

async function appsWithCustom(tx: Tx, planned: readonly Pick<Planned, 'base'>[]): Promise<Set<string>> {
  const apps = new Set(planned.map(({ base: { appId } }) => appId));
  const rows = await tx.each<{ app_id: string; settings: string }>(
    ['app', 'id'],
    [...apps].map((appId) => [appId, customProviderId]),
    `SELECT p.app_id, p.settings FROM given CROSS JOIN providers p
     WHERE p.app_id = given.app AND p.kind = 'custom' AND p.provider_id = given.id`,
  );
  return new Set(
    rows.filter(({ settings }) => (JSON.parse(settings) as CustomSettings).isEnabled).map((row) => row.app_id),
  );
}

/** Does one step of a plan job: all of a named audience, or the next tokens of a walk over everybody. */
export async function planNotification(
  tx: Tx,
  { job, work }: { job: Job; work: Extract<Work, { do: 'plan' }> },
): Promise<void> {
  const { appId } = job;
  const row = await tx.get<{ state: string; body: string }>(
    'SELECT state, body FROM notifications WHERE app_id = $1 AND id = $2',
    [appId, work.n],
  );
  if (row === undefined || row.state === 'cancelled') {
    if (await complete(tx, job)) await book(tx, [{ appId, id: work.n, jobs: -1, queued: 0 }]);
    return;
  }
  const body = JSON.parse(row.body) as NotificationBody;
  const base: JobBase = { appId, n: work.n, priority: job.priority, expiresAt: job.expiresAt };
  if (!('all' in work.audience)) {
    if (!(await complete(tx, job))) return;
    for (const { jobs, unreached } of await planNamed(tx, [{ base, body, audience: work.audience }])) {
      await open(tx, base, jobs, -1, unreached);
      await logUnreached(tx, [{ appId, notificationId: work.n, chat: body.chat, unreached }]);
    }
    return;
  }
  const step = await walk(tx, base, body, work.after ?? { kind: 0, providerId: '', hash: '' });
  const settled =
    step.next === undefined
      ? await complete(tx, job)
      : await retry(tx, {
          job,
          at: tx.now,
          error: '',
          payload: JSON.stringify({ ...work, after: step.next } satisfies Work),
          counts: false,
        });
  if (settled) await open(tx, base, step.jobs, step.next === undefined ? -1 : 0, []);
}

async function open(
  tx: Tx,
  base: JobBase,
  jobs: readonly NewJob[],
  done: number,
  unreached: readonly LogEntry[],
): Promise<void> {
  await enqueue(tx, jobs);
  const queued = jobs.reduce((sum, { size = 1 }) => sum + size, 0);
  const { appId, n: id } = base;
  const reasons = reasonsOf(unreached);
  await book(tx, [{ appId, id, jobs: jobs.length + done, queued, skipped: unreached.length, reasons }]);
}

interface Step {
  jobs: NewJob[];
  next: Walk | undefined;
}

/** From segment to segment along the index: kinds, providers, hashes; at the end the users for the app's own service. */
async function walk(tx: Tx, base: JobBase, body: NotificationBody, start: Walk): Promise<Step> {
  const kinds = kindsOf[body.pushType];
  const jobs: NewJob[] = [];
  let at = start;
  while (jobs.length < segmentsPerStep) {
    const kind = kinds[at.kind];
    if (kind === undefined) return walkUsers(tx, base, body, at, jobs);
    const providerId = at.hash === '' ? await nextProvider(tx, base.appId, kind, at.providerId) : at.providerId;
    if (providerId === undefined) {
      at = { kind: at.kind + 1, providerId: '', hash: '' };
      continue;
    }
    const rows = await tx.all<{ token_hash: string }>(
      `SELECT token_hash FROM push_tokens WHERE ${laneOfToken} = $1 AND token_hash > $2 ORDER BY token_hash LIMIT ${segmentMax}`,
      [laneKey(base.appId, kind, providerId), at.hash],
    );
    const to = rows.at(-1)?.token_hash;
    if (to !== undefined) jobs.push(rangeJob(base, kind, providerId, { from: at.hash, to, size: rows.length }));
    at = { kind: at.kind, providerId, hash: to !== undefined && rows.length === segmentMax ? to : '' };
  }
  return { jobs, next: at };
}

/** The next provider of the kind with tokens: the first lane after this one that is still of this app and kind. */
async function nextProvider(tx: Tx, appId: string, kind: TokenKind, after: string): Promise<string | undefined> {
  const prefix = laneKey(appId, kind, '');
  const row = await tx.get<{ lane: string | null }>(
    `SELECT MIN(${laneOfToken}) AS lane FROM push_tokens WHERE ${laneOfToken} > $1`,
    [prefix + after],
  );
  return row?.lane?.startsWith(prefix) ? row.lane.slice(prefix.length) : undefined;
}

async function walkUsers(tx: Tx, base: JobBase, body: NotificationBody, at: Walk, jobs: NewJob[]): Promise<Step> {
  if (!isSeen(body) || !(await appsWithCustom(tx, [{ base }])).has(base.appId)) return { jobs, next: undefined };
  let after = at.hash;
  while (jobs.length < segmentsPerStep) {
    const rows = await tx.all<{ uid: string }>(
      `SELECT uid FROM auth_tokens WHERE app_id = $1 AND uid > $2 GROUP BY uid ORDER BY uid LIMIT ${usersPerCall}`,
      [base.appId, after],
    );
    if (rows.length > 0)
      jobs.push(
        callJob(
          base,
          rows.map(({ uid }) => uid),
        ),
      );
    const last = rows.at(-1)?.uid;
    if (last === undefined || rows.length < usersPerCall) return { jobs, next: undefined };
    after = last;
  }
  return { jobs, next: { ...at, hash: after } };
}
