/** What goes wrong, and how often. Shares are of all pushes, 0 to 1; `every` counts pushes; 0 is never. */
export interface Faults {
  readonly latencyMs: number;
  readonly jitterMs: number;
  /** GOAWAY, then everything seen so far is answered. */
  readonly goawayEvery: number;
  /** GOAWAY with an error, then the socket closes: what was not answered stays unknown. */
  readonly hardGoawayEvery: number;
  /** The socket is cut without a word. */
  readonly cutEvery: number;
  readonly refusedShare: number;
  readonly resetShare: number;
  readonly blackHoleShare: number;
  /** 410 with a timestamp. */
  readonly goneShare: number;
  /** The vendor's word for a token of another environment or project. */
  readonly badTokenShare: number;
  /** 429 with `Retry-After`. */
  readonly tooManyShare: number;
  readonly errorShare: number;
  readonly unavailableShare: number;
  readonly retryAfterSeconds: number;
  /** Age of the timestamp in a 410. */
  readonly goneSinceMs: number;
  /** A body longer than this is too large, whatever the vendor's documented limit; 0: the documented limit alone. */
  readonly bodyBytesMax: number;
  /** SETTINGS for connections from now on. */
  readonly windowBytes: number;
  readonly streams: number;
}

/** What can be made to happen once, at the next push to a certain device. */
export const ONCE_FAULTS = ['goaway', 'cut', 'refused'] as const;
export type OnceFault = (typeof ONCE_FAULTS)[number];

export const NO_FAULTS: Faults = {
  latencyMs: 0,
  jitterMs: 0,
  goawayEvery: 0,
  hardGoawayEvery: 0,
  cutEvery: 0,
  refusedShare: 0,
  resetShare: 0,
  blackHoleShare: 0,
  goneShare: 0,
  badTokenShare: 0,
  tooManyShare: 0,
  errorShare: 0,
  unavailableShare: 0,
  retryAfterSeconds: 1,
  goneSinceMs: 60_000,
  bodyBytesMax: 0,
  windowBytes: 65_535,
  streams: 1_000,
};

/** The faults with some changed. Throws on a name that is none or a value that is no number. */
export function changeFaults(faults: Faults, changes: unknown): Faults {
  if (typeof changes !== 'object' || changes === null) throw new TypeError('faults must be an object');
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(NO_FAULTS, name)) {
      const names = Object.keys(NO_FAULTS).join(', ');
      throw new TypeError(`there is no fault "${name}"; there are ${names}`);
    }
    if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${name} must be a number, 0 or more`);
    if (name.endsWith('Share') && value > 1) throw new TypeError(`${name} must be at most 1`);
  }
  return { ...faults, ...changes };
}

/** Reads `name=value` pairs, as they stand on a command line. */
export function parseFaults(pairs: readonly string[]): Faults {
  return pairs.reduce((faults, pair) => {
    const at = pair.indexOf('=');
    if (at < 1 || pair.length === at + 1) throw new TypeError(`"${pair}" must be name=value`);
    return changeFaults(faults, { [pair.slice(0, at)]: Number(pair.slice(at + 1)) });
  }, NO_FAULTS);
}

/** The share of pushes that do not get the answer they deserve. A refused stream is none of these: its push never begins. */
export function spoiledShare(faults: Faults): number {
  const { resetShare, blackHoleShare, goneShare, badTokenShare, tooManyShare, errorShare, unavailableShare } = faults;
  return resetShare + blackHoleShare + goneShare + badTokenShare + tooManyShare + errorShare + unavailableShare;
}

/** A small repeatable source of chance (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
