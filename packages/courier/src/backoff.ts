const DAY_MS = 86_400_000;

/** Reads `Retry-After`, in seconds or as an HTTP date; undefined when it says nothing usable. Never more than a day. */
export function parseRetryAfter(value: string | undefined, epochMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * 1000, DAY_MS);
  // Date.parse takes almost anything for a date; an HTTP date begins with the name of a day.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - epochMs), DAY_MS);
}

/**
 * How long to wait before try number `attempt` (0 is the first retry): at least `floorMs`, doubling up to `capMs`, with jitter so that
 * a thousand senders that failed together do not come back together.
 */
export function backoffMs(
  attempt: number,
  floorMs: number,
  capMs = 3_600_000,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(capMs, floorMs * 2 ** Math.min(attempt + 1, 30));
  return Math.round(floorMs + random() * Math.max(0, ceiling - floorMs));
}
