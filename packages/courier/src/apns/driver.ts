import { backoffMs, parseRetryAfter } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { Driver } from '../driver.ts';
import type { Answer } from '../h2/answer.ts';
import type { HeadSink, RequestSource } from '../h2/transport.ts';
import type { Link } from '../link.ts';
import type { Outcome } from '../outcome.ts';
import { keptToken } from '../outcomes.ts';
import type { CourierEvent, Pause } from '../sender.ts';
import type { Slots } from '../slots.ts';
import { formatUuid } from '../uuid.ts';
import type { ApnsAuth } from './auth.ts';
import type { ApnsApp, ApnsMessage } from './message.ts';
import { type ReasonRow, reasonRow } from './reasons.ts';

/** Each slot keeps the apns-id, then a token of the usual 64 hex digits. */
export const ID_BYTES = 16;
export const TOKEN_BYTES = 32;

/** A token refused as expired before this is not old: a clock goes wrong, ours or theirs. */
const FRESH_MS = 60_000;

/** What Apple's protocol adds to the pool. */
export class ApnsDriver implements Driver {
  readonly #slots: Slots<string, ApnsMessage>;
  readonly #auth: ApnsAuth;
  readonly #clock: Clock;
  readonly #tell: (name: CourierEvent['name'], detail: string) => void;
  /** Whether an app was ever paused: until then no push is looked at for it. */
  #hasPaused = false;

  constructor(
    slots: Slots<string, ApnsMessage>,
    auth: ApnsAuth,
    clock: Clock,
    tell: (name: CourierEvent['name'], detail: string) => void,
  ) {
    this.#slots = slots;
    this.#auth = auth;
    this.#clock = clock;
    this.#tell = tell;
  }

  ready(): boolean {
    return true;
  }

  source(link: Link): RequestSource {
    const slots = this.#slots;
    const headers = this.#auth.forConnection((mintedMs) => {
      // Of the first alone: once it is replaced, an answer may be to a push that went out with the one before.
      if (link.credentialsMs === 0) link.credentialsMs = mintedMs;
    });
    return {
      bodyLength: (slot) => slots.message(slot).payload.length,
      writeBody: (slot, target, offset) => slots.message(slot).payload.writeTo(target, offset),
      writeHead(slot, sink) {
        const message = slots.message(slot);
        const packed = slots.packed(slot);
        const at = slots.packedAt(slot);
        writePath(sink, slots.target(slot), message, packed, at);
        sink.steady(headers());
        sink.steady(message.steady);
        sink.uuid(message.channelId === '' ? 'apns-id' : 'apns-request-id', packed, at);
        if (message.expiration !== '') sink.text('apns-expiration', message.expiration);
        if (message.collapseId !== '') sink.text('apns-collapse-id', message.collapseId);
        if (message.channelId !== '') sink.text('apns-channel-id', message.channelId);
      },
    };
  }

  idOf(slot: number): string {
    return formatUuid(this.#slots.packed(slot), this.#slots.packedAt(slot));
  }

  judge(slot: number, answer: Answer, link: Link): Outcome {
    const id = this.idOf(slot);
    const { app } = this.#slots.message(slot);
    const { wave } = app;
    if (answer.status === 200) {
      wave.sent();
      return { kind: 'sent', certainty: 'processed', provider: { status: 200, reason: '', id } };
    }
    const { reason, timestampMs } = readError(answer);
    const row = this.#rowFor(slot, reasonRow(answer.status, reason));
    if (row.wave === true) wave.bad();
    else wave.other();
    const provider = { status: answer.status, reason, id, ...(timestampMs === undefined ? {} : { timestampMs }) };
    return reason === 'ExpiredProviderToken'
      ? this.#expired(link, provider)
      : this.#outcome(row, app, answer, provider);
  }

  /** Another connection gets a new token. One that was new already would only be followed by others, each refused the same. */
  #expired(link: Link, provider: Outcome['provider']): Outcome {
    this.#auth.discard();
    const ageMs = Math.abs(this.#clock.epochMs() - link.credentialsMs);
    if (ageMs >= FRESH_MS) return { kind: 'reconnect', certainty: 'processed', provider };
    const detail = 'a token made just now is called expired: check the clock of this machine';
    return { kind: 'pauseProvider', certainty: 'processed', provider: { ...provider, detail } };
  }

  /** A topic that the caller chose and Apple refuses is a mistake in this message: it blames neither the app nor the token. */
  #rowFor(slot: number, row: ReasonRow): ReasonRow {
    if (row.topic !== true || !this.#slots.message(slot).hasOwnTopic) return row;
    return { status: row.status, reason: row.reason, kind: 'failMessage' };
  }

  #outcome(row: ReasonRow, app: ApnsApp, answer: Answer, provider: Outcome['provider']): Outcome {
    const certainty = 'processed';
    if (row.wave === true && app.wave.isWave) {
      if (app.pausedBy() === undefined) this.#tell('badTokenWave', provider.reason);
      return { kind: 'pauseProvider', certainty, provider };
    }
    if (row.wave === true && !app.wave.mayDrop) return keptToken(provider);
    if (row.kind !== 'retry') return { kind: row.kind, certainty, provider };
    const asked = parseRetryAfter(answer.header('retry-after'), this.#clock.epochMs());
    return { kind: 'retry', afterMs: asked ?? backoffMs(0, row.floorMs ?? 1_000), certainty, provider };
  }

  shrink(slot: number): boolean {
    const smaller = this.#slots.message(slot).smaller();
    if (smaller === undefined) return false;
    this.#slots.setMessage(slot, smaller);
    return true;
  }

  pausesAlone(slot: number, outcome: Outcome): boolean {
    const { status, reason } = outcome.provider;
    const { topic, wave } = reasonRow(status, reason);
    if (topic !== true && wave !== true) return false;
    this.#hasPaused = true;
    this.#slots.message(slot).app.pauseTopic(status, reason);
    return true;
  }

  heldBy(slot: number): Pause | undefined {
    return this.#hasPaused ? this.#slots.message(slot).app.pausedBy() : undefined;
  }

  /** The operator mended what was wrong. */
  forgive(): void {
    this.#auth.discard();
  }
}

function writePath(
  sink: HeadSink,
  token: string | undefined,
  message: ApnsMessage,
  packed: Uint8Array,
  at: number,
): void {
  if (message.channelId !== '') sink.text(':path', `/4/broadcasts/apps/${message.app.bundleId}`);
  else if (token === undefined) sink.hex(':path', '/3/device/', packed, at + ID_BYTES, TOKEN_BYTES);
  else sink.text(':path', `/3/device/${token}`);
}

/** `{"reason": "...", "timestamp": ms}`; anything else has no reason. */
export function readError(answer: Answer): { reason: string; timestampMs: number | undefined } {
  try {
    const parsed: unknown = JSON.parse(answer.text());
    if (typeof parsed !== 'object' || parsed === null) return { reason: '', timestampMs: undefined };
    const reason = 'reason' in parsed && typeof parsed.reason === 'string' ? parsed.reason.slice(0, 100) : '';
    const timestampMs = 'timestamp' in parsed && typeof parsed.timestamp === 'number' ? parsed.timestamp : undefined;
    return { reason, timestampMs };
  } catch {
    return { reason: '', timestampMs: undefined };
  }
}
