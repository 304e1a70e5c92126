import type { Notification, Outcome } from '@gatehouse/courier';
import type { Outlet, Post } from './outlets.ts';

/** Stands for a provider that cannot be opened: whatever is sent through it is held, and says why. */
export class BrokenOutlet implements Outlet {
  isClosed = false;
  readonly isEnabled = true;
  private readonly why: string;

  constructor(why: string) {
    this.why = why;
  }

  variantOf(): string {
    return '';
  }

  load(_: Notification): Post {
    return (_token, context, onOutcome, id) => {
      const provider = { status: 0, reason: this.why, id, detail: this.why };
      const outcome: Outcome = { kind: 'pauseProvider', certainty: 'notProcessed', provider };
      queueMicrotask(() => onOutcome(context, outcome));
      return true;
    };
  }

  onDrain(): () => void {
    return () => {};
  }

  waiting(): number {
    return 0;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
