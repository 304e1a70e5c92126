/** What is known of a push after its last exchange with the provider. */
export type Certainty =
  /** The provider answered: it has judged this push. */
  | 'processed'
  /** The provider has certainly not acted on it: sending it again makes no duplicate. */
  | 'notProcessed'
  /** The connection was lost in between. Send it again with the same id and collapse id, so that a duplicate replaces itself. */
  | 'unknown';

/** What the provider said, or what happened to the connection. */
export interface ProviderAnswer {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The vendor's reason (`BadDeviceToken`, `UNREGISTERED`), or ours for a lost exchange (`timeout`, `goaway`, `reset:8`); empty when sent. */
  readonly reason: string;
  /** `apns-id`, FCM message name, Web Push `Location` or webhook id. For APNs always the id that was sent. */
  readonly id: string;
  /** APNs 410: the token was already dead at this time (ms). Drop it only if it was registered before. */
  readonly timestampMs?: number;
  /** The vendor's own words, for the log. Never holds a credential of ours. */
  readonly detail?: string;
}

interface Ended {
  readonly certainty: Certainty;
  readonly provider: ProviderAnswer;
}

/** How a push ended. Every push that `send` accepted ends in exactly one of these, exactly once. */
export type Outcome =
  /** The provider accepted it. */
  | (Ended & { readonly kind: 'sent' })
  /** The token is dead or belongs to another app: forget it (see `provider.timestampMs`). */
  | (Ended & { readonly kind: 'dropToken' })
  /** This message can never succeed; the token is fine. */
  | (Ended & { readonly kind: 'failMessage' })
  /** Send it again after `afterMs`, with the same id. */
  | (Ended & { readonly kind: 'retry'; readonly afterMs: number })
  /** Credentials or configuration are wrong: hold this provider's queue, tell its operator, then `resume()`. */
  | (Ended & { readonly kind: 'pauseProvider' })
  /** The connection was unfit and has been replaced: send it again at once. */
  | (Ended & { readonly kind: 'reconnect' });

export type OutcomeKind = Outcome['kind'];

/** Called exactly once a push, never from inside `send` itself. */
export type OnOutcome = (context: number, outcome: Outcome) => void;

/** Whether a `dropToken` outcome may remove a token that was registered at `registeredAtMs`. */
export function mayDrop(outcome: Outcome, registeredAtMs: number): boolean {
  if (outcome.kind !== 'dropToken') return false;
  const deadSince = outcome.provider.timestampMs;
  return deadSince === undefined || registeredAtMs < deadSince;
}
