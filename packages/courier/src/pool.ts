import { Alarm } from './alarm.ts';
import { backoffMs } from './backoff.ts';
import { Breaker } from './breaker.ts';
import type { Clock } from './clock.ts';
import type { Driver, PoolLedger, PoolOptions } from './driver.ts';
import type { Answer } from './h2/answer.ts';
import { DEFAULT_TRANSPORT, type Loss, type Transport, type TransportEvents } from './h2/transport.ts';
import { Link } from './link.ts';
import type { Outcome } from './outcome.ts';
import { notBuilt, notRead, resend, unsent } from './outcomes.ts';
import type { Pacer } from './pacer.ts';
import type { CourierEvent, Pause, SenderState } from './sender.ts';
import { Waiting } from './waiting.ts';
import { wordsOf } from './words-of.ts';

const RESENDS_MAX = 5;
const CONNECT_FAILURE_WEIGHT = 6;
/** A server that answers 5xx is left for another, but not more often than this: vendors take churn for an attack. */
const REPLACE_AFTER_MS = 10_000;

/** Connections to one origin, the pushes waiting for them, and the provider's health. */
export class Pool {
  readonly #ledger: PoolLedger;
  readonly #driver: Driver;
  readonly #options: PoolOptions;
  readonly #clock: Clock;
  readonly #pacer: Pacer | undefined;
  readonly #waiting: Waiting;
  readonly #links = new Set<Link>();
  readonly #alarm: Alarm;
  readonly breaker: Breaker;
  #opening = 0;
  #usedAt = 0;
  #openFailures = 0;
  #openNotBefore = 0;
  #pumpScheduled = false;
  #paused: Pause | undefined;
  /** What last went wrong with the provider itself, for whoever is told that nothing goes out. */
  #trouble = '';
  #closed = false;

  constructor(ledger: PoolLedger, driver: Driver, options: PoolOptions, clock: Clock, pacer?: Pacer) {
    this.#ledger = ledger;
    this.#driver = driver;
    this.#options = options;
    this.#clock = clock;
    this.#pacer = pacer;
    this.#waiting = new Waiting(ledger.slots);
    this.#alarm = new Alarm(clock, () => this.wake());
    this.breaker = new Breaker(clock);
  }

  get paused(): Pause | undefined {
    return this.#paused;
  }

  get queued(): number {
    return this.#waiting.length;
  }

  get connections(): number {
    return this.#links.size;
  }

  get inFlight(): number {
    let sum = 0;
    for (const link of this.#links) sum += link.transport?.inFlight() ?? 0;
    return sum;
  }

  state(): SenderState {
    const { queued, inFlight, connections, paused } = this;
    return { queued, inFlight, connections, paused, breaker: this.breaker.state };
  }

  /** Whether nothing was asked of it for this long. */
  isIdle(forMs: number): boolean {
    return this.#clock.now() - this.#usedAt > forMs;
  }

  enqueue(slot: number): void {
    this.#waiting.add(slot);
    this.wake();
  }

  /** Something may go now that could not before. */
  wake(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    setImmediate(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  pause(status: number, reason: string, detail = ''): void {
    if (this.#paused !== undefined) return;
    this.#paused = { status, reason, sinceMs: this.#clock.epochMs(), ...(detail !== '' && { detail }) };
    this.#tell('paused', `${status} ${reason}`.trim());
    this.wake();
  }

  resume(): void {
    if (this.#paused === undefined) return;
    this.#paused = undefined;
    // A connection is bound to the credentials of its first push.
    for (const link of [...this.#links]) this.#retire(link);
    this.#tell('resumed', '');
    this.wake();
  }

  /** A new connection for what comes, as credentials or topics have changed; what is in flight finishes on the old ones. */
  replaceConnections(): void {
    for (const link of [...this.#links]) this.#retire(link);
    this.wake();
  }

  /** The provider failed outside of a push (no access token, say). */
  fail(weight: number, detail: string): void {
    this.#failed(weight, detail);
    this.wake();
  }

  drain(): void {
    this.#closed = true;
    for (const link of this.#links) link.transport?.drain();
    this.wake();
  }

  destroy(): void {
    this.#closed = true;
    this.#alarm.cancel();
    for (const link of [...this.#links]) link.transport?.destroy('closing');
    this.#refuseQueued();
  }

  // --- from queue to wire

  #pump(): void {
    if (this.queued === 0) return;
    this.#usedAt = this.#clock.now();
    if (this.#paused !== undefined || this.#closed || this.breaker.state === 'open') {
      this.#refuseQueued();
      return;
    }
    if (!this.#driver.ready()) return;
    for (const link of this.#links) {
      this.#fill(link);
      if (this.queued === 0) return;
    }
    this.#openAnother();
  }

  #fill(link: Link): void {
    const transport = link.transport;
    if (transport === undefined || link.retired) return;
    let room = Math.min(transport.capacity(), this.queued);
    if (room === 0) {
      this.#onFull(link);
      return;
    }
    link.takes();
    const probing = this.breaker.state === 'halfOpen' || (this.#options.proveFirst && !link.proven);
    if (probing) room = transport.inFlight() === 0 ? Math.min(room, 1) : 0;
    if (room > 0 && this.#pacer !== undefined) room = this.#pace(room);
    let sent = 0;
    while (sent < room) {
      const slot = this.#waiting.take();
      if (slot === -1 || transport.capacity() === 0) {
        if (slot !== -1) this.#waiting.addAgain(slot);
        break;
      }
      if (this.#request(transport, slot)) sent++;
    }
    if (sent < room) this.#pacer?.giveBack(room - sent);
  }

  /** One push that cannot be built, or whose app is paused, ends alone: the others go on. */
  #request(transport: Transport, slot: number): boolean {
    const pause = this.#driver.heldBy(slot);
    if (pause !== undefined) {
      this.#ledger.settle(slot, unsent(this.#driver.idOf(slot), pause, { reason: '' }, 0));
      return false;
    }
    try {
      transport.request(slot);
      return true;
    } catch (error) {
      this.#ledger.settle(slot, notBuilt(this.#driver.idOf(slot), error));
      return false;
    }
  }

  /** A peer that takes nothing although nothing is in flight (its settings allow no stream, say) must not hold the queue for ever. */
  #onFull(link: Link): void {
    const stuckMs = link.stuckMs(this.#clock.now());
    if (stuckMs === -1) return;
    const wait = (this.#options.timeoutMs ?? DEFAULT_TRANSPORT.timeoutMs) - stuckMs;
    if (wait > 0) {
      this.wakeAfter(wait);
      return;
    }
    // Whatever it did before, it is no connection now.
    link.proven = false;
    link.transport?.destroy(link.ready ? 'takes no request' : 'no settings');
  }

  #pace(wanted: number): number {
    const granted = this.#pacer?.take(wanted) ?? wanted;
    if (granted < wanted) this.wakeAfter(this.#pacer?.waitMs() ?? 0);
    return granted;
  }

  wakeAfter(ms: number): void {
    this.#alarm.in(ms);
  }

  /** While the provider is paused or failing nothing waits here: the caller's own queue is the durable one. */
  #refuseQueued(): void {
    const afterMs = this.breaker.remainingMs;
    const why = this.#closed ? { reason: 'closing' } : { reason: 'breakerOpen', detail: this.#trouble };
    for (let slot = this.#waiting.take(); slot !== -1; slot = this.#waiting.take()) {
      this.#ledger.settle(slot, unsent(this.#driver.idOf(slot), this.#paused, why, afterMs));
    }
  }

  // --- connections

  #openAnother(): void {
    const links = [...this.#links].filter((link) => !link.retired);
    const usable = links.length;
    if (this.#opening > 0 || usable >= this.#options.connectionsMax || links.some((link) => !link.ready)) return;
    // The first connection proves the credentials before there are others.
    if (usable > 0 && this.#options.proveFirst && !links.some((link) => link.proven)) return;
    if (usable > 0 && this.breaker.state === 'halfOpen') return;
    if (usable > 0 && this.#pacer !== undefined && this.#pacer.waitMs() > 0) return;
    const wait = this.#openNotBefore - this.#clock.now();
    if (wait > 0) {
      this.wakeAfter(wait);
      return;
    }
    this.#open();
  }

  #open(): void {
    const link = new Link(this.#clock.now());
    this.#opening++;
    const events: TransportEvents = {
      onReady: () => {
        link.ready = true;
        this.wake();
      },
      onCapacity: () => this.#pump(),
      onAnswer: (slot, answer) => this.#onAnswer(link, slot, answer),
      onLost: (slot, loss) => {
        if (loss.reason === 'refused') this.#putLast(link);
        this.#onLost(slot, loss);
      },
      onDraining: (reason) => {
        this.#tell('goaway', reason);
        link.retired = true;
        // A spare one that is closed politely while nothing needs it has not failed.
        if (!link.proven && (this.queued > 0 || (link.transport?.inFlight() ?? 0) > 0)) this.#unfit(link, reason);
        this.wake();
      },
      onClosed: (reason) => {
        this.#links.delete(link);
        // A connection that never proved itself counts as a failure to connect, or a crashing peer would be called in a loop.
        if (!link.proven && !link.unfit && !link.retired && reason !== 'drained') this.#connectFailed(reason);
        else this.#tell('disconnected', reason);
        this.wake();
      },
    };
    const open = async (): Promise<Transport> => this.#options.open(this.#driver.source(link), events);
    open().then(
      (transport) => {
        this.#opening--;
        link.transport = transport;
        this.#links.add(link);
        this.#tell('connected', '');
        if (this.#closed) transport.destroy('closing');
        this.wake();
      },
      (error: unknown) => {
        this.#opening--;
        this.#connectFailed(wordsOf(error));
        this.wake();
      },
    );
  }

  #connectFailed(detail: string): void {
    this.#openNotBefore = this.#clock.now() + backoffMs(this.#openFailures++, 100, 10_000);
    this.#tell('connectFailed', detail);
    this.#failed(CONNECT_FAILURE_WEIGHT, detail);
  }

  #failed(weight: number, detail: string): void {
    this.#trouble = detail.slice(0, 300);
    if (this.breaker.failure(weight)) this.#tell('breakerOpened', detail);
  }

  /** A server that refuses a stream has enough: what it refused goes elsewhere, if there is an elsewhere. */
  #putLast(link: Link): void {
    if (this.#links.delete(link)) this.#links.add(link);
  }

  /** A connection that ends before it was of use, as one that was never made: at once another would be called, and so on in a loop. */
  #unfit(link: Link, detail: string): void {
    if (link.unfit) return;
    link.unfit = true;
    this.#connectFailed(detail);
  }

  #retire(link: Link): void {
    link.retired = true;
    link.transport?.drain();
  }

  // --- from wire to outcome

  #onAnswer(link: Link, slot: number, answer: Answer): void {
    const outcome = this.#judge(link, slot, answer);
    if (outcome.kind === 'sent' || outcome.kind === 'dropToken' || outcome.kind === 'failMessage') this.#proven(link);
    if (outcome.kind === 'sent') {
      this.#ledger.settle(slot, outcome);
      return;
    }
    this.#onTrouble(link, slot, answer.status, outcome);
  }

  #judge(link: Link, slot: number, answer: Answer): Outcome {
    try {
      return this.#driver.judge(slot, answer, link);
    } catch (error) {
      return notRead(this.#driver.idOf(slot), answer.status, error);
    }
  }

  #onTrouble(link: Link, slot: number, status: number, outcome: Outcome): void {
    if (outcome.kind === 'pauseProvider' && !this.#driver.pausesAlone(slot, outcome)) {
      this.pause(outcome.provider.status, outcome.provider.reason, outcome.provider.detail);
    }
    if (outcome.kind === 'reconnect') {
      const isUnfit = !link.proven || this.#clock.now() - link.openedAt < REPLACE_AFTER_MS;
      // Where credentials are not a connection's own, its refusal is that of a token, which the driver replaces once.
      if (this.#options.proveFirst && isUnfit) this.#unfit(link, `${status} ${outcome.provider.reason}`);
      this.#retire(link);
      this.wake();
      if (this.#mayResend(slot)) {
        this.#waiting.addAgain(slot);
        return;
      }
    }
    if (status === 413 && this.#mayResend(slot) && this.#driver.shrink(slot)) {
      this.#waiting.addAgain(slot);
      this.wake();
      return;
    }
    if (status >= 500) {
      this.#failed(1, `${status} ${outcome.provider.reason}`.trim());
      if (this.#clock.now() - link.openedAt > REPLACE_AFTER_MS) this.#retire(link);
      this.wake();
    }
    this.#ledger.settle(slot, outcome);
  }

  #onLost(slot: number, loss: Loss): void {
    if (loss.processed === 'no' && !this.#closed && this.#mayResend(slot)) {
      this.#waiting.addAgain(slot);
      this.wake();
      return;
    }
    if (loss.reason === 'timeout') this.#failed(1, 'no answer in time');
    this.#ledger.settle(slot, resend(this.#driver.idOf(slot), loss, backoffMs(0, this.#options.retryFloorMs)));
  }

  #mayResend(slot: number): boolean {
    return this.#ledger.slots.countAttempt(slot) <= RESENDS_MAX;
  }

  #proven(link: Link): void {
    if (this.breaker.state !== 'closed') {
      this.#tell('breakerClosed', '');
      this.#ledger.tellDrain();
      this.wake();
    }
    this.#trouble = '';
    this.breaker.success();
    if (link.proven) return;
    link.proven = true;
    this.#openFailures = 0;
    this.wake();
  }

  #tell(name: CourierEvent['name'], detail: string): void {
    this.#options.onEvent?.({ name, provider: this.#options.provider, origin: this.#options.origin, detail });
  }
}
