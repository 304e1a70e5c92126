import type { Loss } from './h2/transport.ts';
import type { Outcome } from './outcome.ts';
import type { Pause } from './sender.ts';

/** The outcome of a push whose exchange was lost. */
export function resend(id: string, loss: Loss, afterMs: number): Outcome {
  const certainty = loss.processed === 'no' ? 'notProcessed' : 'unknown';
  return { kind: 'retry', afterMs, certainty, provider: { status: 0, reason: loss.reason, id } };
}

/** The outcome of a push that never left: its provider is paused, failing or being closed. */
export function unsent(id: string, paused: Pause | undefined, why: string, afterMs: number): Outcome {
  if (paused !== undefined) {
    return {
      kind: 'pauseProvider',
      certainty: 'notProcessed',
      provider: { status: paused.status, reason: paused.reason, id },
    };
  }
  return { kind: 'retry', afterMs, certainty: 'notProcessed', provider: { status: 0, reason: why, id } };
}
