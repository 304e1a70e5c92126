import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { answerOf } from './answer.ts';

/**
 * A bucket a key: it holds as many tokens as the limit of a minute and refills steadily. Kept in this process; with
 * several processes each has its own share of the traffic and its own bucket.
 */
const windowMs = 60_000;
const bucketsMax = 100_000;

interface Bucket {
  tokens: number;
  at: number;
}

export interface RateDecision {
  allowed: boolean;
  remaining: number;
  /** Seconds until the bucket is full again, or, when refused, until one request fits. */
  waitSeconds: number;
}

export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();
  /** A caller who is remembered comes as the same object each time. */
  private readonly remembered = new WeakMap<Caller, Bucket>();
  readonly perMinute: number;
  readonly lines: string;
  private readonly clock: () => number;

  constructor(perMinute: number, clock: () => number = Date.now) {
    this.perMinute = perMinute;
    this.lines = steadyLines(perMinute);
    this.clock = clock;
  }

  take(caller: Caller): RateDecision {
    const now = this.clock();
    const bucket = this.bucketOf(caller, now);
    // A clock set back must not empty the bucket.
    const refill = (Math.max(0, now - bucket.at) * this.perMinute) / windowMs;
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + refill);
    bucket.at = now;
    if (bucket.tokens < 1) {
      return {
        allowed: false,
        remaining: 0,
        waitSeconds: Math.max(1, Math.ceil(((1 - bucket.tokens) * windowMs) / this.perMinute / 1000)),
      };
    }
    bucket.tokens -= 1;
    const missing = this.perMinute - bucket.tokens;
    return {
      allowed: true,
      remaining: Math.floor(bucket.tokens),
      waitSeconds: Math.ceil((missing * windowMs) / this.perMinute / 1000),
    };
  }

  private bucketOf(caller: Caller, now: number): Bucket {
    let bucket = this.remembered.get(caller);
    if (bucket !== undefined) return bucket;
    const key = caller.kind === 'device' ? `device:${caller.appId}:${caller.uid}` : `${caller.kind}:${caller.id}`;
    bucket = this.buckets.get(key);
    if (bucket === undefined) {
      if (this.buckets.size >= bucketsMax) this.buckets.clear();
      bucket = { tokens: this.perMinute, at: now };
      this.buckets.set(key, bucket);
    }
    this.remembered.set(caller, bucket);
    return bucket;
  }
}

/** The platform's two spellings and the IETF pair. What never changes stands first, as one text. */
function steadyLines(limit: number): string {
  return `\r\nx-rate-limit: ${limit}\r\nx-rate-limit-limit: ${limit}\r\nx-ratelimit-limit: ${limit}\r\nratelimit-policy: "key";q=${limit};w=60`;
}

function rateLines(steady: string, { remaining, waitSeconds }: RateDecision, nowMs: number): string {
  const reset = Math.floor(nowMs / 1000) + waitSeconds;
  return (
    `${steady}\r\nx-rate-limit-remaining: ${remaining}\r\nx-rate-limit-reset: ${reset}` +
    `\r\nx-ratelimit-remaining: ${remaining}\r\nx-ratelimit-reset: ${reset}\r\nratelimit: "key";r=${remaining};t=${waitSeconds}`
  );
}

/** Takes one request from the caller's bucket and says on the answer what is left of it. */
export function limitRate(limit: RateLimit, caller: Caller, reply: FastifyReply): void {
  if (limit.perMinute === 0) return;
  const decision = limit.take(caller);
  answerOf(reply).rateLines = rateLines(limit.lines, decision, Date.now());
  if (decision.allowed) return;
  reply.header('retry-after', String(decision.waitSeconds));
  throw new ApiError('ERR_TOO_MANY_REQUESTS');
}
