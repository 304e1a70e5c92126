import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { Ledger } from '../ledger.ts';
import type { Notification } from '../notification.ts';
import { openTransport, parseHost } from '../open-transport.ts';
import type { ApnsOptions } from '../options.ts';
import type { OnOutcome, Outcome } from '../outcome.ts';
import { unsent } from '../outcomes.ts';
import { Pool } from '../pool.ts';
import { sendOne } from '../send-one.ts';
import { NotificationError, type Pause, type Sender, type SenderState } from '../sender.ts';
import { TokenWave } from '../token-wave.ts';
import { packHex, parseUuid, randomUuid } from '../uuid.ts';
import { ApnsAuth, readP8Key } from './auth.ts';
import { ApnsDriver, ID_BYTES, TOKEN_BYTES } from './driver.ts';
import { type ApnsMessage, ApnsMessages } from './message.ts';

const QUEUE_MAX = 100_000;
const CONNECTIONS_MAX = 4;
const STREAMS_MAX = 10_000;
const TOKEN_CHARS_MAX = 4_096;

/** The connections of one (environment, team, key), shared by every app of the team that uses the key. */
interface Hub {
  readonly ledger: Ledger<string, ApnsMessage>;
  readonly pool: Pool;
  readonly driver: ApnsDriver;
  /** The apps it was ever used for. */
  readonly bundleIds: Set<string>;
  users: number;
}

/** Lets senders of the same (environment, team, key) share their connections, as Apple asks. */
export class ApnsHubs {
  readonly #hubs = new Map<string, Hub>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  get clock(): Clock {
    return this.#clock;
  }

  /** A sender made anew is how an operator who mended something goes on: it never begins with the pause of those before it. */
  join(options: ApnsOptions): Hub {
    // The key itself too: one that was mended under the same id must not get the connections of the broken one.
    const fingerprint = createHash('sha256').update(options.p8Key).digest('base64');
    const key = [apnsHost(options).authority, options.teamId, options.keyId, fingerprint].join(' ');
    let hub = this.#hubs.get(key);
    if (hub === undefined) {
      hub = openHub(options, this.#clock);
      this.#hubs.set(key, hub);
    } else if (hub.pool.paused !== undefined) resume(hub);
    // Connections made before the key had this topic may refuse it.
    else if (!hub.bundleIds.has(options.bundleId)) hub.pool.replaceConnections();
    hub.bundleIds.add(options.bundleId);
    hub.users++;
    return hub;
  }

  /** True when nobody uses the hub any more. */
  leave(hub: Hub): boolean {
    hub.users--;
    if (hub.users > 0) return false;
    for (const [key, value] of this.#hubs) if (value === hub) this.#hubs.delete(key);
    return true;
  }
}

function resume({ driver, pool, ledger }: Hub): void {
  driver.forgive();
  pool.resume();
  // A topic added to a key is only seen by a new connection.
  pool.replaceConnections();
  ledger.tellDrain();
}

function apnsHost(options: ApnsOptions): { host: string; port: number; authority: string } {
  const apple = options.production ? 'api.push.apple.com' : 'api.sandbox.push.apple.com';
  return parseHost(options.host ?? apple, 443);
}

function openHub(options: ApnsOptions, clock: Clock): Hub {
  const origin = apnsHost(options);
  const ledger = new Ledger<string, ApnsMessage>(options.queueMax ?? QUEUE_MAX, ID_BYTES + TOKEN_BYTES);
  const auth = new ApnsAuth(readP8Key(options.p8Key), options.keyId, options.teamId, origin.authority, clock);
  const driver = new ApnsDriver(ledger.slots, auth, clock, (name, detail) =>
    options.onEvent?.({ name, provider: 'apns', origin: origin.authority, detail }),
  );
  const pool = new Pool(
    ledger,
    driver,
    {
      provider: 'apns',
      origin: origin.authority,
      connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
      proveFirst: true,
      retryFloorMs: 1_000,
      timeoutMs: options.timeoutMs,
      open: (source, events) =>
        openTransport({ ...options, ...origin, streamsMax: STREAMS_MAX }, source, events, clock),
      onEvent: options.onEvent,
    },
    clock,
  );
  return { ledger, pool, driver, bundleIds: new Set(), users: 0 };
}

/** APNs. A target is a device token in hex. */
export interface ApnsSender extends Sender<string, ApnsMessage> {
  /** To every device subscribed to the message's `apns.channelId`. */
  sendBroadcast(message: ApnsMessage, context: number, onOutcome: OnOutcome, id?: string): boolean;
}

class Apns implements ApnsSender {
  readonly #hubs: ApnsHubs;
  readonly #hub: Hub;
  readonly #messages: ApnsMessages;
  readonly #wave = new TokenWave();
  #topicPause: Pause | undefined;
  #closed = false;

  constructor(options: ApnsOptions, hubs: ApnsHubs) {
    this.#hubs = hubs;
    this.#hub = hubs.join(options);
    const { bundleId } = options;
    this.#messages = new ApnsMessages({
      bundleId,
      defaults: {
        contentAvailable: options.includeContentAvailable ?? false,
        mutableContent: options.includeMutableContent ?? false,
      },
      wave: this.#wave,
      pauseTopic: (status, reason) => {
        if (this.#topicPause !== undefined) return;
        this.#topicPause = { status, reason, sinceMs: hubs.clock.epochMs() };
        options.onEvent?.({ name: 'paused', provider: 'apns', origin: bundleId, detail: `${status} ${reason}` });
      },
      pausedBy: () => this.#topicPause,
    });
  }

  prepare(notification: Notification): ApnsMessage {
    return this.#messages.prepare(notification, this.#hubs.clock.epochMs());
  }

  send(
    token: string,
    message: ApnsMessage,
    context: number,
    onOutcome: OnOutcome,
    id?: string,
    isUrgent = false,
  ): boolean {
    const slot = this.#open(message, context, onOutcome, id, isUrgent);
    if (slot === -1) return false;
    const { slots } = this.#hub.ledger;
    const packed = token.length === TOKEN_BYTES * 2;
    if (packed && !packHex(token, slots.packed(slot), slots.packedAt(slot) + ID_BYTES))
      return this.#refuse(slot, 'BadDeviceToken');
    if (!packed) {
      if (token.length > TOKEN_CHARS_MAX || !/^[0-9a-fA-F]+$/.test(token)) return this.#refuse(slot, 'BadDeviceToken');
      slots.setTarget(slot, token);
    }
    return this.#enqueue(slot);
  }

  sendBroadcast(message: ApnsMessage, context: number, onOutcome: OnOutcome, id?: string): boolean {
    if (message.channelId === '') throw new NotificationError('apns.channelId', 'a broadcast needs a channel');
    const slot = this.#open(message, context, onOutcome, id, false);
    return slot === -1 ? false : this.#enqueue(slot);
  }

  sendOne(token: string, message: ApnsMessage | Notification, id?: string): Promise<Outcome> {
    const prepared = 'steady' in message ? message : this.prepare(message);
    return sendOne(
      this,
      () => this.#closed,
      (onOutcome) => this.send(token, prepared, 0, onOutcome, id),
    );
  }

  capacity(): number {
    const { pool, ledger } = this.#hub;
    const held =
      this.#closed || this.#topicPause !== undefined || pool.paused !== undefined || pool.breaker.state === 'open';
    return held ? 0 : ledger.room();
  }

  onDrain(listener: () => void): () => void {
    return this.#hub.ledger.onDrain(listener);
  }

  state(): SenderState {
    const state = this.#hub.pool.state();
    return { ...state, paused: this.#topicPause ?? state.paused };
  }

  resume(): void {
    this.#topicPause = undefined;
    this.#wave.clear();
    resume(this.#hub);
  }

  async close(graceMs = 5_000): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#hubs.leave(this.#hub)) return;
    const { ledger, pool } = this.#hub;
    const timer = setTimeout(() => pool.destroy(), graceMs);
    pool.drain();
    await ledger.finish();
    clearTimeout(timer);
    pool.destroy();
    ledger.tellDrain();
  }

  #open(
    message: ApnsMessage,
    context: number,
    onOutcome: OnOutcome,
    id: string | undefined,
    isUrgent: boolean,
  ): number {
    if (this.#closed) return -1;
    const { ledger } = this.#hub;
    const slot = ledger.open(message, context, onOutcome, isUrgent);
    if (slot === -1) return -1;
    const packed = ledger.slots.packed(slot);
    const at = ledger.slots.packedAt(slot);
    if (id === undefined) randomUuid(packed, at);
    else if (!parseUuid(id, packed, at)) {
      ledger.slots.free(slot);
      throw new NotificationError('id', 'an apns-id is a UUID');
    }
    return slot;
  }

  #enqueue(slot: number): boolean {
    const paused = this.#topicPause;
    if (paused === undefined) this.#hub.pool.enqueue(slot);
    else this.#settleSoon(slot, unsent(this.#hub.driver.idOf(slot), paused, { reason: '' }, 0));
    return true;
  }

  /** A token that cannot be one never leaves: it must not become a path of somebody's choosing. */
  #refuse(slot: number, reason: string): boolean {
    const provider = { status: 0, reason, id: this.#hub.driver.idOf(slot) };
    this.#settleSoon(slot, { kind: 'dropToken', certainty: 'notProcessed', provider });
    return true;
  }

  #settleSoon(slot: number, outcome: Outcome): void {
    setImmediate(() => this.#hub.ledger.settle(slot, outcome));
  }
}

export function createApnsSender(options: ApnsOptions, hubs: ApnsHubs = new ApnsHubs()): ApnsSender {
  return new Apns(options, hubs);
}
