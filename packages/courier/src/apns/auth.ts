import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { SteadyHeaders } from '../h2/transport.ts';
import { signJwt } from '../jwt.ts';

const MINUTE_MS = 60_000;
/** A connection may take over a token this old at most: then it keeps it for 35 minutes, well above Apple's 20. */
const SHARE_UNTIL_MS = 20 * MINUTE_MS;
/** Apple refuses a token older than an hour. */
const REPLACE_AFTER_MS = 55 * MINUTE_MS;

interface Jwt {
  readonly text: string;
  readonly mintedMs: number;
}

export function readP8Key(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // OpenSSL's message may quote the input.
    throw new TypeError('p8Key is not a private key in PEM');
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new TypeError('p8Key must be a P-256 key');
  }
  return key;
}

/** One JWT a connection: changed no sooner than after 20 minutes and no later than after 55. */
export class ApnsAuth {
  readonly #key: KeyObject;
  readonly #keyId: string;
  readonly #teamId: string;
  readonly #authority: string;
  readonly #clock: Clock;
  #latest: Jwt | undefined;

  constructor(key: KeyObject, keyId: string, teamId: string, authority: string, clock: Clock) {
    this.#key = key;
    this.#keyId = keyId;
    this.#teamId = teamId;
    this.#authority = authority;
    this.#clock = clock;
  }

  /** The steady headers of one connection, its current JWT among them; ask before every push. `onMint` is told how old that is. */
  forConnection(onMint?: (mintedMs: number) => void): () => SteadyHeaders {
    let mintedMs = Number.NEGATIVE_INFINITY;
    let headers: SteadyHeaders = { fields: [] };
    return () => {
      const nowMs = this.#clock.epochMs();
      if (nowMs - mintedMs < REPLACE_AFTER_MS) return headers;
      const jwt = this.#fresh(nowMs);
      mintedMs = jwt.mintedMs;
      onMint?.(mintedMs);
      headers = {
        fields: [
          [':method', 'POST'],
          [':scheme', 'https'],
          [':authority', this.#authority],
          ['authorization', `bearer ${jwt.text}`],
        ],
      };
      return headers;
    };
  }

  /** Apple calls the latest token expired: the next connection gets a new one. */
  discard(): void {
    this.#latest = undefined;
  }

  #fresh(nowMs: number): Jwt {
    const ageMs = nowMs - (this.#latest?.mintedMs ?? Number.NEGATIVE_INFINITY);
    // A token from the future was made by a clock that has been put back since; a minute is no jump. Connections keep theirs:
    // Apple minds a change more, and a connection that it refuses is given up.
    if (this.#latest !== undefined && ageMs > -MINUTE_MS && ageMs <= SHARE_UNTIL_MS) return this.#latest;
    const claims = { iss: this.#teamId, iat: Math.floor(nowMs / 1000) };
    this.#latest = { text: signJwt({ kid: this.#keyId }, claims, this.#key), mintedMs: nowMs };
    return this.#latest;
  }
}
