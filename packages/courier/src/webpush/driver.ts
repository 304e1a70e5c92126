import { backoffMs, parseRetryAfter } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { Driver } from '../driver.ts';
import type { Answer } from '../h2/answer.ts';
import type { RequestSource, SteadyHeaders } from '../h2/transport.ts';
import type { Outcome } from '../outcome.ts';
import type { Slots } from '../slots.ts';
import { webPushRow } from './answers.ts';
import { encrypt, type SubscriptionKeys } from './encrypt.ts';
import type { Refusals } from './refusals.ts';
import type { Vapid } from './vapid.ts';

/** How long a subscription that was refused is left alone. */
const REFUSED_MS = 60_000;

/** A notification in bytes, before each subscription's own encryption. */
export interface WebPushMessage {
  readonly plaintext: Buffer;
  readonly ttl: string;
  readonly urgency: string;
  readonly topic: string;
  smaller(): WebPushMessage | undefined;
}

export interface WebPushPush {
  readonly path: string;
  readonly keys: SubscriptionKeys;
  readonly id: string;
  /** Made when it is first sent, so that what waits takes little room. */
  body: Buffer | undefined;
}

/** What Web Push adds to the pool of one push service. */
export class WebPushDriver implements Driver {
  readonly #slots: Slots<WebPushPush, WebPushMessage>;
  readonly #vapid: Vapid;
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #refusals: Refusals;
  #headers: SteadyHeaders = { fields: [] };
  #headersOf = '';

  /** `refusals` are those of all push services: a key of ours that is wrong is wrong for each. */
  constructor(
    slots: Slots<WebPushPush, WebPushMessage>,
    vapid: Vapid,
    origin: string,
    refusals: Refusals,
    clock: Clock,
  ) {
    this.#slots = slots;
    this.#vapid = vapid;
    this.#origin = origin;
    this.#refusals = refusals;
    this.#clock = clock;
  }

  ready(): boolean {
    return true;
  }

  source(): RequestSource {
    return {
      bodyLength: (slot) => this.#body(slot).length,
      writeBody: (slot, target, offset) => target.set(this.#body(slot), offset),
      writeHead: (slot, sink) => {
        const message = this.#slots.message(slot);
        sink.text(':path', this.#push(slot).path);
        sink.steady(this.#steady());
        sink.text('content-length', String(this.#body(slot).length));
        sink.text('ttl', message.ttl);
        if (message.urgency !== '') sink.text('urgency', message.urgency);
        if (message.topic !== '') sink.text('topic', message.topic);
      },
    };
  }

  idOf(slot: number): string {
    return this.#push(slot).id;
  }

  judge(slot: number, answer: Answer): Outcome {
    const row = webPushRow(answer.status);
    const id = this.idOf(slot) || (answer.header('location') ?? '');
    const certainty = 'processed';
    if (row.kind === 'sent') {
      this.#refusals.sent();
      return { kind: 'sent', certainty, provider: { status: answer.status, reason: '', id } };
    }
    const detail = answer.text().slice(0, 300);
    const provider = {
      status: answer.status,
      reason: `status:${answer.status}`,
      id,
      ...(detail === '' ? {} : { detail }),
    };
    // A subscription made for another key is refused as a wrong key of ours is. One alone must not stop the pushes of all, or whoever
    // registers such a one could: it is tried again later. When many are refused and none is accepted, the mistake is ours.
    if (row.kind === 'pauseProvider' && !this.#refusals.refuse(this.#origin + this.#push(slot).path)) {
      return { kind: 'retry', afterMs: backoffMs(0, REFUSED_MS), certainty, provider };
    }
    if (row.kind !== 'retry') return { kind: row.kind, certainty, provider };
    const asked = parseRetryAfter(answer.header('retry-after'), this.#clock.epochMs());
    return { kind: 'retry', afterMs: asked ?? backoffMs(0, row.floorMs ?? 1_000), certainty, provider };
  }

  shrink(slot: number): boolean {
    const smaller = this.#slots.message(slot).smaller();
    if (smaller === undefined) return false;
    this.#slots.setMessage(slot, smaller);
    this.#push(slot).body = undefined;
    return true;
  }

  pausesAlone(): boolean {
    return false;
  }

  heldBy(): undefined {
    return undefined;
  }

  #push(slot: number): WebPushPush {
    const push = this.#slots.target(slot);
    if (push === undefined) throw new Error(`slot ${slot} has no subscription`);
    return push;
  }

  #body(slot: number): Buffer {
    const push = this.#push(slot);
    push.body ??= encrypt(this.#slots.message(slot).plaintext, push.keys);
    return push.body;
  }

  #steady(): SteadyHeaders {
    const authorization = this.#vapid.authorization(this.#origin);
    if (authorization === this.#headersOf) return this.#headers;
    this.#headersOf = authorization;
    this.#headers = {
      fields: [
        [':method', 'POST'],
        [':scheme', 'https'],
        [':authority', new URL(this.#origin).host],
        ['authorization', authorization],
        ['content-encoding', 'aes128gcm'],
        ['content-type', 'application/octet-stream'],
      ],
    };
    return this.#headers;
  }
}
