import { type Clock, systemClock } from '../clock.ts';
import { guardedLookup, guardUrl } from '../guard.ts';
import { Ledger } from '../ledger.ts';
import type { Notification } from '../notification.ts';
import { openTransport, parseHost } from '../open-transport.ts';
import type { WebPushOptions, WebPushTarget } from '../options.ts';
import type { OnOutcome, Outcome } from '../outcome.ts';
import { Pool } from '../pool.ts';
import { sendOne } from '../send-one.ts';
import type { Sender, SenderState } from '../sender.ts';
import { WebPushDriver, type WebPushMessage, type WebPushPush } from './driver.ts';
import { PLAINTEXT_BYTES_MAX, readKeys } from './encrypt.ts';
import { webPushMessage } from './payload.ts';
import { Refusals } from './refusals.ts';
import { Vapid } from './vapid.ts';

const QUEUE_MAX = 100_000;
const CONNECTIONS_MAX = 2;
const STREAMS_MAX = 100;
const SWEEP_MS = 60_000;

export type WebPushSender = Sender<WebPushTarget, WebPushMessage>;

class WebPush implements WebPushSender {
  readonly #options: WebPushOptions;
  readonly #clock: Clock;
  readonly #vapid: Vapid;
  readonly #ledger: Ledger<WebPushPush, WebPushMessage>;
  /** One pool a push service, so that one that fails holds up no other. */
  readonly #pools = new Map<string, Pool>();
  readonly #refusals = new Refusals();
  readonly #stopSweep: () => void;
  #closed = false;

  constructor(options: WebPushOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#vapid = new Vapid(options.vapid, options.subject, clock);
    this.#ledger = new Ledger(options.queueMax ?? QUEUE_MAX, 0);
    this.#stopSweep = clock.every(SWEEP_MS, () => this.#sweep());
  }

  prepare(notification: Notification): WebPushMessage {
    return webPushMessage(
      notification,
      Math.min(this.#options.plaintextBytesMax ?? PLAINTEXT_BYTES_MAX, PLAINTEXT_BYTES_MAX),
    );
  }

  send(
    target: WebPushTarget,
    message: WebPushMessage,
    context: number,
    onOutcome: OnOutcome,
    id = '',
    isUrgent = false,
  ): boolean {
    const slot = this.#ledger.open(message, context, onOutcome, isUrgent);
    if (slot === -1) return false;
    try {
      const { allowPrivate } = this.#options;
      const url = guardUrl(target.endpoint, allowPrivate === undefined ? {} : { allowPrivate });
      const keys = readKeys(target.p256dh, target.auth);
      this.#ledger.slots.setTarget(slot, { path: url.pathname + url.search, keys, id, body: undefined });
      this.#pool(url.origin).enqueue(slot);
    } catch (error) {
      // A subscription that cannot be one: the browser's or a forger's. Nothing was sent.
      const detail = error instanceof Error ? error.message : '';
      const provider = { status: 0, reason: 'badSubscription', id, detail };
      setImmediate(() => this.#ledger.settle(slot, { kind: 'dropToken', certainty: 'notProcessed', provider }));
    }
    return true;
  }

  sendOne(target: WebPushTarget, message: WebPushMessage | Notification, id?: string): Promise<Outcome> {
    const prepared = 'smaller' in message ? message : this.prepare(message);
    return sendOne(
      this,
      () => this.#closed,
      (onOutcome) => this.send(target, prepared, 0, onOutcome, id),
    );
  }

  capacity(): number {
    return this.#ledger.room();
  }

  onDrain(listener: () => void): () => void {
    return this.#ledger.onDrain(listener);
  }

  state(): SenderState {
    const states = [...this.#pools.values()].map((pool) => pool.state());
    const sum = (pick: (state: SenderState) => number): number =>
      states.reduce((total, state) => total + pick(state), 0);
    return {
      queued: sum((state) => state.queued),
      inFlight: sum((state) => state.inFlight),
      connections: sum((state) => state.connections),
      paused: states.find((state) => state.paused !== undefined)?.paused,
      breaker: states.find((state) => state.breaker !== 'closed')?.breaker ?? 'closed',
    };
  }

  resume(): void {
    this.#refusals.clear();
    for (const pool of this.#pools.values()) pool.resume();
    this.#ledger.tellDrain();
  }

  async close(graceMs = 5_000): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopSweep();
    const destroyAll = (): void => {
      for (const pool of this.#pools.values()) pool.destroy();
    };
    const timer = setTimeout(destroyAll, graceMs);
    for (const pool of this.#pools.values()) pool.drain();
    await this.#ledger.finish();
    clearTimeout(timer);
    destroyAll();
    this.#ledger.tellDrain();
  }

  #pool(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const { host, port, authority } = parseHost(new URL(origin).host, 443);
    const guard = this.#options.allowPrivate === true ? {} : { lookup: guardedLookup };
    const endpoint = { ...this.#options, ...guard, host, port, authority, streamsMax: STREAMS_MAX, mayBeHttp1: true };
    const pool = new Pool(
      this.#ledger,
      new WebPushDriver(this.#ledger.slots, this.#vapid, origin, this.#refusals, this.#clock),
      {
        provider: 'webpush',
        origin,
        connectionsMax: this.#options.connectionsMax ?? CONNECTIONS_MAX,
        proveFirst: false,
        retryFloorMs: 1_000,
        timeoutMs: this.#options.timeoutMs,
        open: (source, events) => openTransport(endpoint, source, events, this.#clock),
        onEvent: this.#options.onEvent,
      },
      this.#clock,
    );
    this.#pools.set(origin, pool);
    return pool;
  }

  /** Push services nobody wrote to for a while need no connection: there may be thousands (UnifiedPush). */
  #sweep(): void {
    for (const [origin, pool] of this.#pools) {
      const { queued, inFlight, paused } = pool.state();
      if (queued > 0 || inFlight > 0 || paused !== undefined || !pool.isIdle(SWEEP_MS * 5)) continue;
      pool.drain();
      this.#pools.delete(origin);
    }
  }
}

export function createWebPushSender(options: WebPushOptions, clock: Clock = systemClock): WebPushSender {
  return new WebPush(options, clock);
}
