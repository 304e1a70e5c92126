import { createPrivateKey, type KeyObject } from 'node:crypto';
import { backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { postForm } from '../http1.ts';
import { signJwt } from '../jwt.ts';
import type { ServiceAccount } from '../options.ts';
import type { SenderOptions } from '../sender.ts';
import { wordsOf } from '../words-of.ts';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GOOGLE = 'https://oauth2.googleapis.com/token';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Refreshed this long before it ends, while the old one still serves; one that lives less than twice as long at half of its life. */
const EARLY_MS = 5 * 60_000;
const LIFE_S = 3_600;
/** What an endpoint says of a token's life is believed within these: it is not asked for every push, nor never again. */
const LIFE_S_MIN = 60;
const LIFE_S_MAX = 86_400;

export interface OAuthEvents {
  onToken(): void;
  /** Google refused the service account: no retry will help. */
  onRefused(status: number, reason: string, detail: string): void;
  onFailed(detail: string): void;
}

/** The access token of a service account: one refresh in flight, and early, so that no push waits for it. */
export class OAuth {
  readonly #account: ServiceAccount;
  readonly #key: KeyObject;
  readonly #options: SenderOptions;
  readonly #events: OAuthEvents;
  readonly #clock: Clock;
  #token = '';
  #expiresMs = 0;
  #refreshMs = 0;
  /** By the monotonic clock: a wall clock that is put back must not make us wait for as long. */
  #notBefore = 0;
  #failures = 0;
  #refreshing = false;
  #generation = 0;

  constructor(account: ServiceAccount, options: SenderOptions, events: OAuthEvents, clock: Clock) {
    this.#account = account;
    this.#options = options;
    this.#events = events;
    this.#clock = clock;
    try {
      this.#key = createPrivateKey(account.private_key);
    } catch {
      throw new TypeError('private_key of the service account is not a private key in PEM');
    }
  }

  /** Counts the tokens, 0 to 255: an answer to an old one says nothing of the new. */
  get generation(): number {
    return this.#generation & 0xff;
  }

  /** The token, or '' while there is none; `onToken` comes when there is. */
  token(): string {
    const nowMs = this.#clock.epochMs();
    if (nowMs > this.#refreshMs && !this.#refreshing && this.waitMs() === 0) void this.#refresh();
    return nowMs < this.#expiresMs ? this.#token : '';
  }

  /** How long until another try makes sense. */
  waitMs(): number {
    return Math.max(0, this.#notBefore - this.#clock.now());
  }

  discard(): void {
    this.#token = '';
    this.#expiresMs = 0;
    this.#refreshMs = 0;
  }

  async #refresh(): Promise<void> {
    this.#refreshing = true;
    try {
      await this.#ask();
    } catch (error) {
      this.#notBefore = this.#clock.now() + backoffMs(this.#failures++, 500, 60_000);
      this.#events.onFailed(`no access token: ${wordsOf(error)}`);
    } finally {
      this.#refreshing = false;
    }
  }

  async #ask(): Promise<void> {
    const uri = this.#account.token_uri ?? GOOGLE;
    const iat = Math.floor(this.#clock.epochMs() / 1000);
    const header = {
      typ: 'JWT',
      ...(this.#account.private_key_id === undefined ? {} : { kid: this.#account.private_key_id }),
    };
    const claims = { iss: this.#account.client_email, scope: SCOPE, aud: uri, iat, exp: iat + LIFE_S };
    const form = { grant_type: GRANT, assertion: signJwt(header, claims, this.#key) };
    const answer = await postForm(uri, form, this.#options);
    const body: unknown = JSON.parse(answer.body);
    if (typeof body !== 'object' || body === null) throw new Error('no JSON from the token endpoint');
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
      const reason = 'error' in body && typeof body.error === 'string' ? body.error : 'refused';
      const described = 'error_description' in body ? body.error_description : undefined;
      const detail = typeof described === 'string' ? described.slice(0, 300) : '';
      this.#notBefore = this.#clock.now() + 60_000;
      this.#events.onRefused(answer.status, reason, detail);
      return;
    }
    const token = 'access_token' in body && typeof body.access_token === 'string' ? body.access_token : '';
    if (answer.status !== 200 || token === '') throw new Error(`the token endpoint answered ${answer.status}`);
    const saidS = 'expires_in' in body && typeof body.expires_in === 'number' ? body.expires_in : LIFE_S;
    const lifeMs = Math.min(Math.max(saidS, LIFE_S_MIN), LIFE_S_MAX) * 1000;
    this.#token = token;
    this.#expiresMs = this.#clock.epochMs() + lifeMs;
    this.#refreshMs = this.#expiresMs - Math.min(EARLY_MS, lifeMs / 2);
    this.#failures = 0;
    this.#generation++;
    this.#events.onToken();
  }
}
