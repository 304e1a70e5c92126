import type { NewJob } from '../outbox/jobs.ts';
import { customProviderId } from './custom-provider.ts';
import type { FoundDevice } from './devices.ts';
import type { Audience } from './notification.ts';
import { providerKindOf, type TokenKind } from './platforms.ts';
import { laneOf } from './provider.ts';

export const jobKind = 'push';
export const segmentMax = 1000;

/** What a job of the outbox asks for. `n` is the notification. */
export type Work =
  /** Find the devices and make segments of them. `after` is how far a walk over all has come. */
  | { do: 'plan'; n: string; audience: Audience; after?: Walk }
  /** Send to the tokens of a provider between two hashes, or to those listed. */
  | { do: 'send'; n: string; kind: TokenKind; providerId: string; from: string; to: string; since?: number }
  | { do: 'send'; n: string; kind: TokenKind; providerId: string; hashes: string[]; owners?: Owner[]; since?: number }
  /** Call the app's own service for these users. */
  | { do: 'call'; n: string; uids: string[]; since?: number };

/**
 * Whose a device was when a push to its user was planned, one for each hash: words for one user must not reach the next one
 * who signs in there. `phone` tells the user's auth tokens from each other. A push to everybody or to a token has no owners.
 */
export type Owner = [uid: string, phone: string];

export interface Walk {
  kind: number;
  providerId: string;
  hash: string;
}

export interface JobBase {
  appId: string;
  n: string;
  priority: 0 | 1 | 2;
  expiresAt: number;
}

export function planLane(appId: string): string {
  return `${appId}:plan`;
}

export function planJob(base: JobBase, audience: Audience, readyAt: number): NewJob {
  return job(base, planLane(base.appId), { do: 'plan', n: base.n, audience }, 0, readyAt);
}

export function rangeJob(
  base: JobBase,
  kind: TokenKind,
  providerId: string,
  range: { from: string; to: string; size: number },
): NewJob {
  const lane = laneOf(base.appId, providerKindOf(kind), providerId);
  const { from, to, size } = range;
  return job(base, lane, { do: 'send', n: base.n, kind, providerId, from, to }, size);
}

/** Segments of found devices, each of one lane. */
export function listJobs(base: JobBase, devices: readonly FoundDevice[], isForPeople: boolean): NewJob[] {
  const byLane = new Map<string, FoundDevice[]>();
  for (const device of devices) {
    const key = `${device.kind} ${device.provider_id}`;
    const group = byLane.get(key);
    if (group === undefined) byLane.set(key, [device]);
    else group.push(device);
  }
  const jobs: NewJob[] = [];
  for (const group of byLane.values()) {
    for (let start = 0; start < group.length; start += segmentMax) {
      const part = group.slice(start, start + segmentMax);
      const [first] = part;
      if (first === undefined) continue;
      const { kind, provider_id: providerId } = first;
      const hashes = part.map(({ token_hash }) => token_hash);
      const lane = laneOf(base.appId, providerKindOf(kind), providerId);
      const work: Work = { do: 'send', n: base.n, kind, providerId, hashes };
      if (isForPeople) work.owners = part.map(({ uid, auth_token }) => [uid, phoneOf(auth_token)]);
      jobs.push(job(base, lane, work, hashes.length));
    }
  }
  return jobs;
}

/** A mark of an auth token (FNV-1a): enough to know it again among those of one user, and of no use to anybody else. */
export function phoneOf(authToken: string): string {
  let mark = 0x811c9dc5;
  for (let i = 0; i < authToken.length; i++) mark = Math.imul(mark ^ authToken.charCodeAt(i), 0x01000193);
  return (mark >>> 0).toString(36);
}

export function callJob(base: JobBase, uids: string[]): NewJob {
  const lane = laneOf(base.appId, 'custom', customProviderId);
  return job(base, lane, { do: 'call', n: base.n, uids }, uids.length);
}

function job(base: JobBase, lane: string, work: Work, size: number, readyAt?: number): NewJob {
  return {
    kind: jobKind,
    lane,
    appId: base.appId,
    group: base.n,
    priority: base.priority,
    expiresAt: base.expiresAt,
    payload: JSON.stringify(work),
    size,
    ...(readyAt !== undefined && { readyAt }),
  };
}

export function sizeOf(audience: Audience): number {
  if ('uids' in audience) return audience.uids.length;
  if ('authTokens' in audience) return audience.authTokens.length;
  return 'pushTokens' in audience ? audience.pushTokens.length : Number.POSITIVE_INFINITY;
}

/** The audience in parts that one transaction plans. */
export function partsOf(audience: Audience, partMax: number): Audience[] {
  const cut = <T>(values: T[]): T[][] =>
    Array.from({ length: Math.ceil(values.length / partMax) }, (_, i) => values.slice(i * partMax, (i + 1) * partMax));
  if ('uids' in audience) return cut(audience.uids).map((uids) => ({ uids }));
  if ('authTokens' in audience) return cut(audience.authTokens).map((authTokens) => ({ authTokens }));
  if ('pushTokens' in audience) return cut(audience.pushTokens).map((pushTokens) => ({ pushTokens }));
  return [audience];
}
