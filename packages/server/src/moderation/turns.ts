/**
 * Work that would hold the thread is cut into slices, and one slice is done in each turn of the event loop: first one
 * app's, then the next one's. However much an app sends, another's request waits for one slice at most.
 */
export class Turns {
  private readonly waiting = new Map<string, (() => void)[]>();
  private isPumping = false;

  /** Settles when it is the app's turn. */
  next(appId: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.waiting.get(appId);
      if (queue === undefined) this.waiting.set(appId, [resolve]);
      else queue.push(resolve);
      if (this.isPumping) return;
      this.isPumping = true;
      setImmediate(() => this.pump());
    });
  }

  private pump(): void {
    for (const [appId, queue] of this.waiting) {
      // Taken from the front, put back at the end: whoever was served waits for all the others.
      this.waiting.delete(appId);
      const resolve = queue.shift();
      if (queue.length > 0) this.waiting.set(appId, queue);
      resolve?.();
      setImmediate(() => this.pump());
      return;
    }
    this.isPumping = false;
  }
}
