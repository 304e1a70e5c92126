import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { backoffMs, parseRetryAfter } from '../backoff.ts';
import { type Clock, systemClock } from '../clock.ts';
import { guardedLookup, guardUrl } from '../guard.ts';
import { collect, type Http1Answer } from '../http1.ts';
import type { WebhookMessage, WebhookOptions, WebhookTarget } from '../options.ts';
import type { OnOutcome, Outcome } from '../outcome.ts';
import { sendOne } from '../send-one.ts';
import type { Sender, SenderState } from '../sender.ts';
import { trusting } from '../trust.ts';
import { signWebhook } from './sign.ts';

const TIMEOUT_MS = 15_000;
const QUEUE_MAX = 10_000;
const CONCURRENCY = 64;
const PER_HOST = 8;
const RETRY_FLOOR_MS = 5_000;

interface Call {
  readonly url: URL;
  readonly target: WebhookTarget;
  readonly message: WebhookMessage;
  readonly context: number;
  readonly onOutcome: OnOutcome;
  readonly id: string;
}

/** Webhooks need no preparing: the body is the caller's. */
export type WebhookSender = Omit<Sender<WebhookTarget, WebhookMessage>, 'prepare' | 'sendOne'> & {
  sendOne(target: WebhookTarget, message: WebhookMessage, id?: string): Promise<Outcome>;
};

class Webhooks implements WebhookSender {
  readonly #options: WebhookOptions;
  readonly #clock: Clock;
  readonly #https: HttpsAgent;
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #waiting: Call[] = [];
  readonly #perHost = new Map<string, number>();
  readonly #drainListeners = new Set<() => void>();
  readonly #aborts = new Set<() => void>();
  #inFlight = 0;
  #wasFull = false;
  #closed = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: WebhookOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    const trust = options.ca === undefined ? {} : { secureContext: trusting(options.ca) };
    this.#https = new HttpsAgent({ keepAlive: true, ...trust });
  }

  send(
    target: WebhookTarget,
    message: WebhookMessage,
    context: number,
    onOutcome: OnOutcome,
    id: string = randomUUID(),
  ): boolean {
    if (this.#closed) return false;
    if (this.capacity() === 0) {
      this.#wasFull = true;
      return false;
    }
    const { allowPrivate = false } = this.#options;
    try {
      const url = guardUrl(target.url, { allowPrivate, allowHttp: allowPrivate });
      this.#waiting.push({ url, target, message, context, onOutcome, id });
      setImmediate(() => this.#pump());
    } catch (error) {
      const detail = error instanceof Error ? error.message : '';
      const provider = { status: 0, reason: 'badAddress', id, detail };
      setImmediate(() => onOutcome(context, { kind: 'failMessage', certainty: 'notProcessed', provider }));
    }
    return true;
  }

  sendOne(target: WebhookTarget, message: WebhookMessage, id?: string): Promise<Outcome> {
    return sendOne(
      this,
      () => this.#closed,
      (onOutcome) => this.send(target, message, 0, onOutcome, id),
    );
  }

  capacity(): number {
    return this.#closed
      ? 0
      : Math.max(0, (this.#options.queueMax ?? QUEUE_MAX) - this.#waiting.length - this.#inFlight);
  }

  onDrain(listener: () => void): () => void {
    this.#drainListeners.add(listener);
    return () => this.#drainListeners.delete(listener);
  }

  state(): SenderState {
    const connections = Object.values(this.#https.sockets).length + Object.values(this.#http.sockets).length;
    return {
      queued: this.#waiting.length,
      inFlight: this.#inFlight,
      connections,
      paused: undefined,
      breaker: 'closed',
    };
  }

  resume(): void {}

  async close(graceMs = 5_000): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const call of this.#waiting.splice(0)) {
      const provider = { status: 0, reason: 'closing', id: call.id };
      call.onOutcome(call.context, { kind: 'retry', afterMs: 0, certainty: 'notProcessed', provider });
    }
    if (this.#inFlight > 0) {
      const timer = setTimeout(() => {
        for (const abort of [...this.#aborts]) abort();
      }, graceMs);
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
      clearTimeout(timer);
    }
    this.#https.destroy();
    this.#http.destroy();
    for (const listener of [...this.#drainListeners]) listener();
  }

  /** Starts what may start. A slow receiver holds up its own calls only. */
  #pump(): void {
    for (let i = 0; i < this.#waiting.length && this.#inFlight < (this.#options.concurrency ?? CONCURRENCY); ) {
      const call = this.#waiting[i];
      if (
        call === undefined ||
        (this.#perHost.get(call.url.host) ?? 0) >= (this.#options.concurrencyPerHost ?? PER_HOST)
      ) {
        i++;
        continue;
      }
      this.#waiting.splice(i, 1);
      this.#start(call);
    }
  }

  #start(call: Call): void {
    const { host } = call.url;
    this.#inFlight++;
    this.#perHost.set(host, (this.#perHost.get(host) ?? 0) + 1);
    void this.#exchange(call).then((outcome) => {
      this.#inFlight--;
      const left = (this.#perHost.get(host) ?? 1) - 1;
      if (left === 0) this.#perHost.delete(host);
      else this.#perHost.set(host, left);
      call.onOutcome(call.context, outcome);
      this.#pump();
      if (this.#wasFull && this.capacity() > 0) {
        this.#wasFull = false;
        for (const listener of [...this.#drainListeners]) listener();
      }
      if (this.#inFlight === 0) this.#onEmpty?.();
    });
  }

  async #exchange(call: Call): Promise<Outcome> {
    let wasSent = false;
    try {
      const answer = await this.#post(call, () => {
        wasSent = true;
      });
      return this.#judge(call.id, answer);
    } catch (error) {
      const detail = error instanceof Error ? error.message : '';
      const isGuarded = error instanceof Error && 'code' in error && error.code === 'EGUARD';
      const provider = { status: 0, reason: isGuarded ? 'badAddress' : 'closed', id: call.id, detail };
      if (isGuarded) return { kind: 'failMessage', certainty: 'notProcessed', provider };
      return {
        kind: 'retry',
        afterMs: backoffMs(0, RETRY_FLOOR_MS),
        certainty: wasSent ? 'unknown' : 'notProcessed',
        provider,
      };
    }
  }

  #post({ url, target, message, id }: Call, onSent: () => void): Promise<Http1Answer> {
    const timestamp = Math.floor(this.#clock.epochMs() / 1000);
    const isTls = url.protocol === 'https:';
    const options: RequestOptions = {
      method: 'POST',
      agent: isTls ? this.#https : this.#http,
      ...(this.#options.allowPrivate === true ? {} : { lookup: guardedLookup }),
      headers: {
        ...target.headers,
        'content-type': message.contentType ?? 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'gatehouse',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook(target.secrets, id, timestamp, message.body),
      },
    };
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const call = (isTls ? httpsRequest : httpRequest)(url, options, (answer) => {
        isAnswered = true;
        collect(answer).then(resolve, reject);
      });
      const abort = (): void => {
        call.destroy(new Error('timed out'));
      };
      this.#aborts.add(abort);
      const timer = setTimeout(abort, this.#options.timeoutMs ?? TIMEOUT_MS);
      call.once('finish', onSent);
      call.once('error', reject);
      call.once('close', () => {
        clearTimeout(timer);
        this.#aborts.delete(abort);
        if (!isAnswered) reject(new Error('closed'));
      });
      call.end(message.body);
    });
  }

  /** 2xx is received, 410 is "never again", a redirect is refused, and anything else may be better next time. */
  #judge(id: string, answer: Http1Answer): Outcome {
    const { status } = answer;
    const certainty = 'processed';
    if (status >= 200 && status < 300) return { kind: 'sent', certainty, provider: { status, reason: '', id } };
    const provider = { status, reason: `status:${status}`, id, detail: answer.body.slice(0, 300) };
    if (status === 410) return { kind: 'dropToken', certainty, provider };
    if (status >= 300 && status < 400) return { kind: 'failMessage', certainty, provider };
    const asked = parseRetryAfter(answer.headers.get('retry-after'), this.#clock.epochMs());
    return { kind: 'retry', afterMs: asked ?? backoffMs(0, RETRY_FLOOR_MS), certainty, provider };
  }
}

export function createWebhookSender(options: WebhookOptions = {}, clock: Clock = systemClock): WebhookSender {
  return new Webhooks(options, clock);
}
