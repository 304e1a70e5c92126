import { type Clock, systemClock } from '../clock.ts';
import { Ledger } from '../ledger.ts';
import type { Notification } from '../notification.ts';
import { openTransport, parseHost } from '../open-transport.ts';
import type { FcmOptions, FcmTarget } from '../options.ts';
import type { OnOutcome, Outcome } from '../outcome.ts';
import { Pacer } from '../pacer.ts';
import { Pool } from '../pool.ts';
import { sendOne } from '../send-one.ts';
import type { CourierEvent, Sender, SenderState } from '../sender.ts';
import { WireText } from '../wire-text.ts';
import { FcmDriver, type FcmMessage } from './driver.ts';
import { OAuth } from './oauth.ts';
import { fcmFields } from './payload.ts';

const QUEUE_MAX = 100_000;
const CONNECTIONS_MAX = 4;
/** Google's front end closes a connection that opens more. */
const STREAMS_MAX = 100;
const PER_MINUTE = 600_000;
const RAMP_MS = 60_000;
/** Notification and data for a topic, and what a message is cut to that was found too large. */
const SMALLER_BYTES = 2_048;
const PLAIN = /^[\w:.%~-]+$/;

export type FcmSender = Sender<FcmTarget, FcmMessage>;

class Fcm implements FcmSender {
  readonly #clock: Clock;
  readonly #ledger: Ledger<string, FcmMessage>;
  readonly #driver: FcmDriver;
  readonly #pool: Pool;
  readonly #dryRun: boolean;
  #closed = false;

  constructor(options: FcmOptions, clock: Clock) {
    this.#clock = clock;
    this.#dryRun = options.dryRun ?? false;
    this.#ledger = new Ledger(options.queueMax ?? QUEUE_MAX, 1);
    const origin = parseHost(new URL(options.endpoint ?? 'https://fcm.googleapis.com').host, 443);
    const pacer = new Pacer(
      { perMinute: options.pushesPerMinute ?? PER_MINUTE, rampMs: options.rampMs ?? RAMP_MS },
      clock,
    );
    const tell = (name: CourierEvent['name'], detail: string): void =>
      options.onEvent?.({ name, provider: 'fcm', origin: origin.authority, detail });
    const events = {
      onToken: () => {
        tell('tokenRefreshed', '');
        this.#pool.wake();
      },
      onRefused: (status: number, reason: string, detail: string) => this.#pool.pause(status, reason, detail),
      onFailed: (detail: string) => this.#pool.fail(6, detail),
    };
    const oauth = new OAuth(options.serviceAccount, options, events, clock);
    const path = `/v1/projects/${encodeURIComponent(options.serviceAccount.project_id)}/messages:send`;
    this.#driver = new FcmDriver(this.#ledger.slots, oauth, pacer, { authority: origin.authority, path }, clock, {
      onWait: (ms) => this.#pool.wakeAfter(ms),
      tell,
    });
    this.#pool = new Pool(
      this.#ledger,
      this.#driver,
      {
        provider: 'fcm',
        origin: origin.authority,
        connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
        proveFirst: false,
        retryFloorMs: 10_000,
        timeoutMs: options.timeoutMs,
        open: (source, sink) => openTransport({ ...options, ...origin, streamsMax: STREAMS_MAX }, source, sink, clock),
        onEvent: options.onEvent,
      },
      clock,
      pacer,
    );
  }

  prepare(notification: Notification): FcmMessage {
    const encode = (bytesMax: number | undefined): FcmMessage => {
      const fields = fcmFields(notification, this.#clock.epochMs(), bytesMax);
      return {
        head: new WireText(`{${this.#dryRun ? '"validate_only":true,' : ''}"message":{${fields}`),
        smaller: () => {
          try {
            return bytesMax === undefined ? encode(SMALLER_BYTES) : undefined;
          } catch {
            return undefined;
          }
        },
      };
    };
    return encode(undefined);
  }

  /** FCM takes no id of ours: give messages a collapse id, so that a duplicate replaces itself. */
  send(
    target: FcmTarget,
    message: FcmMessage,
    context: number,
    onOutcome: OnOutcome,
    _id?: string,
    isUrgent = false,
  ): boolean {
    const end = `${targetField(target)}}}`;
    const slot = this.#ledger.open(fitTarget(target, message), context, onOutcome, isUrgent);
    if (slot === -1) return false;
    this.#ledger.slots.setTarget(slot, end);
    this.#pool.enqueue(slot);
    return true;
  }

  sendOne(target: FcmTarget, message: FcmMessage | Notification): Promise<Outcome> {
    const prepared = 'smaller' in message ? message : this.prepare(message);
    return sendOne(
      this,
      () => this.#closed,
      (onOutcome) => this.send(target, prepared, 0, onOutcome),
    );
  }

  capacity(): number {
    const held = this.#pool.paused !== undefined || this.#pool.breaker.state === 'open';
    return held ? 0 : this.#ledger.room();
  }

  onDrain(listener: () => void): () => void {
    return this.#ledger.onDrain(listener);
  }

  state(): SenderState {
    return this.#pool.state();
  }

  resume(): void {
    this.#driver.forgive();
    this.#pool.resume();
    this.#ledger.tellDrain();
  }

  async close(graceMs = 5_000): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const timer = setTimeout(() => this.#pool.destroy(), graceMs);
    this.#pool.drain();
    await this.#ledger.finish();
    clearTimeout(timer);
    this.#pool.destroy();
    this.#ledger.tellDrain();
  }
}

/** Topics take half of what a device takes. */
function fitTarget(target: FcmTarget, message: FcmMessage): FcmMessage {
  const isForOne = typeof target === 'string' || 'fid' in target;
  return isForOne || message.head.length <= SMALLER_BYTES ? message : (message.smaller() ?? message);
}

/** The target as a field of `message`, in ASCII whatever the caller's text holds. */
function targetField(target: FcmTarget): string {
  if (typeof target === 'string') return `"token":"${jsonAscii(target)}"`;
  if ('fid' in target) return `"fid":"${jsonAscii(target.fid)}"`;
  if ('topic' in target) return `"topic":"${jsonAscii(target.topic)}"`;
  return `"condition":"${jsonAscii(target.condition)}"`;
}

function jsonAscii(text: string): string {
  if (PLAIN.test(text)) return text;
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function createFcmSender(options: FcmOptions, clock: Clock = systemClock): FcmSender {
  return new Fcm(options, clock);
}
