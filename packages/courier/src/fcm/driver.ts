import { backoffMs, parseRetryAfter } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { Driver } from '../driver.ts';
import type { Answer } from '../h2/answer.ts';
import type { RequestSource, SteadyHeaders } from '../h2/transport.ts';
import type { Outcome } from '../outcome.ts';
import { keptToken } from '../outcomes.ts';
import type { Pacer } from '../pacer.ts';
import type { CourierEvent } from '../sender.ts';
import type { Slots } from '../slots.ts';
import { TokenWave } from '../token-wave.ts';
import type { WireText } from '../wire-text.ts';
import { type FcmErrorRow, fcmErrorRow, PLATFORM_MS, readFcmError } from './errors.ts';
import type { OAuth } from './oauth.ts';

/** A notification in Google's bytes up to its target, which each push adds. */
export interface FcmMessage {
  readonly head: WireText;
  /** The same within fewer bytes. */
  smaller(): FcmMessage | undefined;
}

export interface FcmDriverEvents {
  /** Nothing can go before so many milliseconds have passed. */
  onWait(ms: number): void;
  tell(name: CourierEvent['name'], detail: string): void;
}

/** What Google's protocol adds to the pool. A slot's target is the end of its body: `"token":"..."}}` in ASCII. */
export class FcmDriver implements Driver {
  readonly #slots: Slots<string, FcmMessage>;
  readonly #oauth: OAuth;
  readonly #pacer: Pacer;
  readonly #authority: string;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #wave = new TokenWave();
  readonly #events: FcmDriverEvents;
  /** The token generation that was refused, and then replaced. */
  #refusedGeneration = -1;
  #platformToldAt = Number.NEGATIVE_INFINITY;
  #headers: SteadyHeaders = { fields: [] };
  #headersOf = '';

  constructor(
    slots: Slots<string, FcmMessage>,
    oauth: OAuth,
    pacer: Pacer,
    origin: { readonly authority: string; readonly path: string },
    clock: Clock,
    events: FcmDriverEvents,
  ) {
    this.#slots = slots;
    this.#oauth = oauth;
    this.#pacer = pacer;
    this.#authority = origin.authority;
    this.#path = origin.path;
    this.#clock = clock;
    this.#events = events;
  }

  ready(): boolean {
    if (this.#oauth.token() !== '') return true;
    if (this.#oauth.waitMs() > 0) this.#events.onWait(this.#oauth.waitMs());
    return false;
  }

  source(): RequestSource {
    const slots = this.#slots;
    return {
      bodyLength: (slot) => slots.message(slot).head.length + (slots.target(slot) ?? '').length,
      writeBody(slot, target, offset) {
        const { head } = slots.message(slot);
        head.writeTo(target, offset);
        target.write(slots.target(slot) ?? '', offset + head.length, 'latin1');
      },
      writeHead: (slot, sink) => {
        slots.packed(slot)[slots.packedAt(slot)] = this.#oauth.generation;
        sink.steady(this.#steady());
      },
    };
  }

  #steady(): SteadyHeaders {
    const token = this.#oauth.token();
    if (token === this.#headersOf) return this.#headers;
    this.#headersOf = token;
    this.#headers = {
      fields: [
        [':method', 'POST'],
        [':scheme', 'https'],
        [':authority', this.#authority],
        [':path', this.#path],
        ['authorization', `Bearer ${token}`],
        ['content-type', 'application/json'],
      ],
    };
    return this.#headers;
  }

  idOf(): string {
    return '';
  }

  judge(slot: number, answer: Answer): Outcome {
    if (answer.status === 200) {
      this.#wave.sent();
      if (this.#refusedGeneration !== -1) this.#acceptToken(slot);
      return {
        kind: 'sent',
        certainty: 'processed',
        provider: { status: 200, reason: '', id: messageName(answer.text()) },
      };
    }
    const error = readFcmError(answer.text());
    const row = fcmErrorRow(answer.status, error);
    if (row.wave === true) this.#wave.bad();
    else this.#wave.other();
    const detail = error.quota || error.message;
    const provider = { status: answer.status, reason: error.code, id: '', ...(detail === '' ? {} : { detail }) };
    // Quota of one device or topic says nothing of the project's rate.
    if (answer.status === 429 && !/device|topic/i.test(error.quota)) this.#pacer.slowDown();
    if (error.code === 'THIRD_PARTY_AUTH_ERROR') this.#tellPlatform(detail);
    return this.#outcome(slot, row, answer, provider);
  }

  #outcome(slot: number, row: FcmErrorRow, answer: Answer, provider: Outcome['provider']): Outcome {
    const certainty = 'processed';
    if (row.wave === true && this.#wave.isWave) {
      this.#events.tell('badTokenWave', provider.reason);
      return { kind: 'pauseProvider', certainty, provider };
    }
    if (row.wave === true && !this.#wave.mayDrop) return keptToken(provider);
    if (row.kind === 'reconnect') return { kind: this.#refuseToken(slot), certainty, provider };
    if (row.kind !== 'retry') return { kind: row.kind, certainty, provider };
    const asked = parseRetryAfter(answer.header('retry-after'), this.#clock.epochMs());
    return { kind: 'retry', afterMs: asked ?? backoffMs(0, row.floorMs ?? 10_000), certainty, provider };
  }

  /** Each of its pushes is refused: to be told once in a while is enough. */
  #tellPlatform(detail: string): void {
    const now = this.#clock.now();
    if (now - this.#platformToldAt < PLATFORM_MS) return;
    this.#platformToldAt = now;
    this.#events.tell('platformRefused', detail);
  }

  /** A refused access token is replaced once; if its successor is refused too, the account is what is wrong. */
  #refuseToken(slot: number): 'reconnect' | 'pauseProvider' {
    const used = this.#generationOf(slot);
    if (used !== this.#oauth.generation) return 'reconnect';
    if (this.#refusedGeneration !== -1 && used === ((this.#refusedGeneration + 1) & 0xff)) return 'pauseProvider';
    this.#refusedGeneration = used;
    this.#oauth.discard();
    return 'reconnect';
  }

  /** The successor of a refused token works: the next refusal is the first one again. */
  #acceptToken(slot: number): void {
    if (this.#generationOf(slot) !== this.#refusedGeneration) this.#refusedGeneration = -1;
  }

  #generationOf(slot: number): number {
    return this.#slots.packed(slot)[this.#slots.packedAt(slot)] ?? 0;
  }

  shrink(slot: number): boolean {
    const smaller = this.#slots.message(slot).smaller();
    if (smaller === undefined) return false;
    this.#slots.setMessage(slot, smaller);
    return true;
  }

  pausesAlone(): boolean {
    return false;
  }

  heldBy(): undefined {
    return undefined;
  }

  forgive(): void {
    this.#wave.clear();
    this.#refusedGeneration = -1;
    this.#oauth.discard();
  }
}

function messageName(body: string): string {
  return /"name"\s*:\s*"([^"]{1,300})"/.exec(body)?.[1] ?? '';
}
