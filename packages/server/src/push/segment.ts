import type { NewJob } from '../outbox/jobs.ts';
import type { Reader } from '../store/store.ts';
import { customProviderId } from './custom-provider.ts';
import { allIn, inList } from './in-list.ts';
import type { Audience } from './notification.ts';
import { providerKindOf, type TokenKind } from './platforms.ts';
import { laneOf } from './provider.ts';
import { hashToken, tokenKindsTable, userKey, userOfToken } from './tokens.ts';

export const jobKind = 'push';
export const segmentMax = 1000;

/** What a job of the outbox asks for. `n` is the notification. */
export type Work =
  /** Find the devices and make segments of them. `after` is how far a walk over all has come. */
  | { do: 'plan'; n: string; audience: Audience; after?: Walk }
  /** Send to the tokens of a provider between two hashes, or to those listed. */
  | { do: 'send'; n: string; kind: TokenKind; providerId: string; from: string; to: string; since?: number }
  | { do: 'send'; n: string; kind: TokenKind; providerId: string; hashes: string[]; since?: number }
  /** Call the app's own service for these users. */
  | { do: 'call'; n: string; uids: string[]; since?: number };

export interface Walk {
  kind: number;
  providerId: string;
  hash: string;
}

export interface FoundToken {
  token_hash: string;
  kind: TokenKind;
  provider_id: string;
  uid: string;
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

/** Segments of found tokens, each of one lane. */
export function listJobs(base: JobBase, tokens: readonly FoundToken[]): NewJob[] {
  const byLane = new Map<string, FoundToken[]>();
  for (const token of tokens) {
    const key = `${token.kind} ${token.provider_id}`;
    const group = byLane.get(key);
    if (group === undefined) byLane.set(key, [token]);
    else group.push(token);
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
      jobs.push(job(base, lane, { do: 'send', n: base.n, kind, providerId, hashes }, hashes.length));
    }
  }
  return jobs;
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

const found = 't.token_hash, t.kind, t.provider_id, t.uid';
const byUser = inList(found, `push_tokens t WHERE ${userOfToken} = wanted.value`, 0);
const byAuthToken = inList(
  found,
  `${tokenKindsTable} CROSS JOIN push_tokens t WHERE t.app_id = $1 AND t.auth_token = wanted.value AND t.kind = kinds.kind`,
  1,
);
const byHash = inList(found, 'push_tokens t WHERE t.app_id = $1 AND t.token_hash = wanted.value', 1);

/** The tokens of an audience that is named, of the kinds a push type goes to. */
export async function findTokens(
  store: Reader,
  appId: string,
  audience: Exclude<Audience, { all: true }>,
  kinds: readonly TokenKind[],
): Promise<FoundToken[]> {
  type Found = { token_hash: string; kind: TokenKind; provider_id: string; uid: string };
  const rows =
    'uids' in audience
      ? await allIn<Found>(
          store,
          byUser,
          [],
          audience.uids.map((uid) => userKey(appId, uid)),
        )
      : 'authTokens' in audience
        ? await allIn<Found>(store, byAuthToken, [appId], audience.authTokens)
        : await allIn<Found>(store, byHash, [appId], audience.pushTokens.map(hashToken));
  return rows.filter(({ kind }) => kinds.includes(kind));
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
