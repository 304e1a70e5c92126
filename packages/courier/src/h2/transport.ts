import type { Answer } from './answer.ts';

/** Headers that stay the same from push to push; a transport encodes them once. Names in lower case. */
export interface SteadyHeaders {
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Takes the header fields of one request, in order: pseudo headers first. */
export interface HeadSink {
  steady(headers: SteadyHeaders): void;
  text(name: string, value: string): void;
  /** `prefix` followed by the bytes in lower-case hex. */
  hex(name: string, prefix: string, bytes: Uint8Array, offset: number, length: number): void;
  /** Sixteen bytes as a lower-case UUID. */
  uuid(name: string, bytes: Uint8Array, offset: number): void;
}

/** Knows the requests by number. Asked only while `request(call)` runs. */
export interface RequestSource {
  writeHead(call: number, sink: HeadSink): void;
  bodyLength(call: number): number;
  writeBody(call: number, target: Buffer, offset: number): void;
}

/** Why a request got no answer. */
export interface Loss {
  /** False only when the peer certainly did not act on it. */
  readonly processed: 'no' | 'unknown';
  /** `refused`, `goaway`, `reset:<code>`, `timeout`, `closed`, `neverSent`. */
  readonly reason: string;
}

/** The losses that carry nothing of their own. */
export const LOSS: Readonly<Record<'goaway' | 'refused' | 'timeout' | 'neverSent', Loss>> = {
  goaway: { processed: 'no', reason: 'goaway' },
  refused: { processed: 'no', reason: 'refused' },
  timeout: { processed: 'unknown', reason: 'timeout' },
  neverSent: { processed: 'no', reason: 'neverSent' },
};

/** Every call given to `request` ends in exactly one `onAnswer` or `onLost`. */
export interface TransportEvents {
  /** The peer's settings are known: `capacity()` may be above 0 from now on. */
  onReady(): void;
  /** `answer` is only valid during the call. */
  onAnswer(call: number, answer: Answer): void;
  onLost(call: number, loss: Loss): void;
  /** There may be capacity again. */
  onCapacity(): void;
  /** Takes nothing new; what is in flight may still be answered. Open another. */
  onDraining(reason: string): void;
  /** The end: every call has ended before this. */
  onClosed(reason: string): void;
}

export interface Transport {
  /** How many requests can go out right now. */
  capacity(): number;
  inFlight(): number;
  /** Only when `capacity() > 0`. Where the source throws it throws the same, and no event comes for the call. */
  request(call: number): void;
  /** Takes nothing new and closes once all is answered. */
  drain(): void;
  /** Closes now. What is in flight is lost. */
  destroy(reason: string): void;
}

export interface TransportOptions {
  readonly authority: string;
  readonly timeoutMs: number;
  /** Streams at once, at most, whatever the peer allows. */
  readonly streamsMax: number;
  /** Answer bytes kept, at most. The rest of a longer one is refused. */
  readonly answerBytesMax: number;
  readonly pingAfterIdleMs: number;
}

export const DEFAULT_TRANSPORT: Omit<TransportOptions, 'authority'> = {
  timeoutMs: 15_000,
  streamsMax: 10_000,
  answerBytesMax: 65_536,
  pingAfterIdleMs: 3_600_000,
};
