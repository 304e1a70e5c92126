import type { Operation } from './operation.ts';

export interface RetryOptions {
  /** How often to try again; 0 for never. */
  retries: number;
  /** The first wait; each next one is twice as long, with a random part so that many clients do not come back at once. */
  firstWaitMs: number;
  /** A Retry-After longer than this is not waited for: the answer is handed to the caller. */
  longestWaitMs: number;
}

export const standardRetry: RetryOptions = { retries: 3, firstWaitMs: 200, longestWaitMs: 60_000 };

/**
 * May the same request be sent again when nobody knows whether the first one arrived? A change is done again to the same
 * end by PUT and DELETE, and by what the service does once a key; not where If-Match would now refuse our own change.
 */
export function isRepeatable(operation: Operation, headers: Record<string, string>): boolean {
  if ('if-match' in headers) return false;
  return (
    operation.method === 'GET' || operation.method === 'PUT' || operation.method === 'DELETE' || operation.once === true
  );
}

/** How long to wait before the next try, or undefined when this answer is final. */
export function waitAfter(
  response: Response,
  tried: number,
  repeatable: boolean,
  { retries, firstWaitMs, longestWaitMs }: RetryOptions,
): number | undefined {
  // Refused before anything was done: by the rate limit, or by a store that did not take it.
  const refused = response.status === 429 || (response.status === 503 && isOurs(response));
  const lost = response.status === 502 || response.status === 503 || response.status === 504;
  if (tried > retries || !(refused || (lost && repeatable))) return undefined;
  const asked = retryAfterMs(response.headers.get('retry-after'), Date.now());
  if (asked === undefined) return backoffMs(tried, firstWaitMs, longestWaitMs);
  return asked > longestWaitMs ? undefined : asked;
}

export function backoffMs(tried: number, firstWaitMs: number, longestWaitMs: number): number {
  const wait = Math.min(firstWaitMs * 2 ** (tried - 1), longestWaitMs);
  return wait / 2 + (Math.random() * wait) / 2;
}

/**
 * Our own answers carry a request id; those of a proxy that lost the service do not. Without Retry-After the service
 * does not know itself whether the change was made.
 */
function isOurs({ headers }: Response): boolean {
  return headers.has('x-request-id') && headers.has('retry-after');
}

/** Seconds or a date, as HTTP has it. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Rejects at once when the caller gives up. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}
