const firstMs = 1000;
const lastMs = 15 * 60_000;

/** Twice as long each time, up to a quarter of an hour, and never at the same moment as everybody else. */
export function backoffMs(attempts: number, first = firstMs, last = lastMs): number {
  const full = Math.min(last, first * 2 ** Math.min(attempts - 1, 30));
  return Math.round(full * (0.5 + Math.random() / 2));
}
