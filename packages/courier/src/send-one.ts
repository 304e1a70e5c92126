import type { Outcome } from './outcome.ts';
import type { Sender } from './sender.ts';

/** Sends one push when there is room for it, and waits for its outcome. */
export async function sendOne(
  sender: Pick<Sender<never, never>, 'onDrain'>,
  isClosed: () => boolean,
  send: (onOutcome: (context: number, outcome: Outcome) => void) => boolean,
): Promise<Outcome> {
  return await new Promise<Outcome>((resolve, reject) => {
    let stop = (): void => undefined;
    const attempt = (): void => {
      try {
        if (isClosed()) throw new Error('the sender is closed');
        if (send((_context, outcome) => resolve(outcome))) stop();
      } catch (error) {
        stop();
        reject(error);
      }
    };
    stop = sender.onDrain(attempt);
    attempt();
  });
}
