/** The end of the process as segments see it: first they take up nobody more, after a while they wait for nobody more. */
export class Leaving {
  isAsked = false;
  private isOver = false;
  private readonly listeners = new Set<() => void>();

  /** Those under way are waited for this long. */
  begin(graceMs: number): void {
    this.isAsked = true;
    setTimeout(() => {
      this.isOver = true;
      for (const listener of this.listeners) listener();
    }, graceMs).unref();
  }

  /** Calls `listener` when the wait is over. Returns the way to stop it. */
  onOver(listener: () => void): () => void {
    if (this.isOver) listener();
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
