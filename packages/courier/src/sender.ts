import type { Notification } from './notification.ts';
import type { OnOutcome, Outcome } from './outcome.ts';

/** Why a provider is not being sent to. */
export interface Pause {
  readonly reason: string;
  readonly status: number;
  readonly sinceMs: number;
  /** The vendor's own words, where there are more. */
  readonly detail?: string;
}

export interface SenderState {
  readonly queued: number;
  readonly inFlight: number;
  readonly connections: number;
  /** Set after a `pauseProvider` outcome until `resume()`. */
  readonly paused: Pause | undefined;
  /** `open`: the provider is failing; pushes come back as `retry` until it is tried again. */
  readonly breaker: 'closed' | 'open' | 'halfOpen';
}

/**
 * A provider one can send to. `Target` is what names a device, `Message` what `prepare` made of a notification.
 *
 * The batch interface allocates no promise a push:
 *
 *     const message = sender.prepare({ title: 'Hi', body: 'there' });
 *     while (more && sender.send(token, message, rowNumber, onOutcome)) next();
 *     // when send() answers false the push was not taken: wait for onDrain
 */
export interface Sender<Target, Message> {
  /** Encodes once for any number of devices. Throws a `NotificationError` if no truncation can make it fit. */
  prepare(notification: Notification): Message;
  /**
   * Takes a push if there is room (`capacity() > 0`) and answers true: `onOutcome(context, outcome)` then comes exactly once.
   * Answers false, and calls nothing, when full or closed. `id` stays the same across retries (APNs: a lower-case UUID).
   * What `isUrgent` goes before all that waits and is not.
   */
  send(
    target: Target,
    message: Message,
    context: number,
    onOutcome: OnOutcome,
    id?: string,
    isUrgent?: boolean,
  ): boolean;
  /** One push, awaited. Waits for room. */
  sendOne(target: Target, message: Message | Notification, id?: string): Promise<Outcome>;
  /** How many more pushes `send` takes now. */
  capacity(): number;
  /** Calls `listener` each time room comes back after `send` answered false. Returns the way to stop it. */
  onDrain(listener: () => void): () => void;
  state(): SenderState;
  /** Ends a pause after the operator mended the cause. */
  resume(): void;
  /** Takes nothing more, lets what is in flight finish for at most `graceMs` (5,000), ends the rest as `retry`, closes every connection. */
  close(graceMs?: number): Promise<void>;
}

/** The caller's notification cannot be sent as it is. `field` says what to mend. */
export class NotificationError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.name = 'NotificationError';
    this.field = field;
  }
}

/** Settings shared by every sender. */
export interface SenderOptions {
  /** Pushes held waiting, at most. 100,000. */
  readonly queueMax?: number;
  /** Connections, at most. APNs and FCM: 4. */
  readonly connectionsMax?: number;
  /** An answer later than this counts as lost. 15,000 ms. */
  readonly timeoutMs?: number;
  /** `http://user:secret@proxy:3128`: tunnel through it by CONNECT. */
  readonly proxy?: string;
  /** Extra certificate authorities (PEM), for a simulator or an inspecting proxy. */
  readonly ca?: string | readonly string[];
  /** `lean` (default) or `node`: Node's own HTTP/2, thirty times dearer, as a reference. */
  readonly transport?: 'lean' | 'node';
  /** Told of what an operator should see: connections opened and lost, GOAWAY, pauses, breaker. */
  readonly onEvent?: (event: CourierEvent) => void;
}

export interface CourierEvent {
  readonly name:
    | 'connected'
    | 'connectFailed'
    | 'disconnected'
    | 'goaway'
    | 'paused'
    | 'resumed'
    | 'breakerOpened'
    | 'breakerClosed'
    | 'tokenRefreshed'
    | 'badTokenWave'
    /** FCM: the key of Apple or of browsers in Firebase is wrong. Told at most once in ten minutes. */
    | 'platformRefused';
  readonly provider: 'apns' | 'fcm' | 'webpush' | 'webhook';
  readonly origin: string;
  readonly detail: string;
}
