import type { Loss } from './h2/transport.ts';
import type { Outcome, ProviderAnswer } from './outcome.ts';
import { NotificationError, type Pause } from './sender.ts';

/** The outcome of a push whose exchange was lost. */
export function resend(id: string, loss: Loss, afterMs: number): Outcome {
  const certainty = loss.processed === 'no' ? 'notProcessed' : 'unknown';
  return { kind: 'retry', afterMs, certainty, provider: { status: 0, reason: loss.reason, id } };
}

interface Why {
  readonly reason: string;
  readonly detail?: string;
}

/** The outcome of a push that never left: its provider is paused, failing or being closed. */
export function unsent(id: string, paused: Pause | undefined, why: Why, afterMs: number): Outcome {
  const { reason, detail = '' } = paused ?? why;
  const provider = { status: paused?.status ?? 0, reason, id, ...(detail !== '' && { detail }) };
  return paused === undefined
    ? { kind: 'retry', afterMs, certainty: 'notProcessed', provider }
    : { kind: 'pauseProvider', certainty: 'notProcessed', provider };
}

/** The outcome of a push that could not be made into a request. To try it again would end the same way. */
export function notBuilt(id: string, error: unknown): Outcome {
  const isOfTarget = error instanceof NotificationError && error.field.startsWith('target.');
  const provider = { status: 0, reason: isOfTarget ? 'badSubscription' : 'notBuilt', id, detail: messageOf(error) };
  return { kind: isOfTarget ? 'dropToken' : 'failMessage', certainty: 'notProcessed', provider };
}

/** The outcome of a push whose answer we cannot make sense of: what the provider did with it is done. */
export function notRead(id: string, status: number, error: unknown): Outcome {
  const provider = { status, reason: 'notRead', id, detail: messageOf(error) };
  return { kind: 'failMessage', certainty: 'processed', provider };
}

/** The outcome of a push to a token that the provider calls bad while it has taken nothing else of ours either. */
export function keptToken(provider: ProviderAnswer): Outcome {
  const detail =
    provider.detail ?? 'the token is kept: nothing was accepted of late, so a setting of ours may be wrong';
  return { kind: 'failMessage', certainty: 'processed', provider: { ...provider, detail } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : '';
}
