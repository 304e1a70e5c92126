/** Time, so that tests can live through a day in a moment. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds since 1970, for what the outside world reads. */
  epochMs(): number;
  /** Calls `act` about every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, act: () => void): () => void;
  /** Calls `act` once after `ms` unless the returned function is called first. */
  after(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  every(ms, act) {
    const timer = setInterval(act, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
