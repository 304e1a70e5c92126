/** Lets so many in at a time; the rest wait in line, as long as they can, and no more than there is room for. */
export class Turnstile {
  private inside = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly insideMax: number;
  private readonly waitingMax: number;

  constructor(insideMax: number, waitingMax: number) {
    this.insideMax = insideMax;
    this.waitingMax = waitingMax;
  }

  /** Answers false when it took too long or the line is full; whoever got true must `leave`. */
  enter(timeoutMs: number): boolean | Promise<boolean> {
    if (this.inside < this.insideMax) {
      this.inside++;
      return true;
    }
    if (this.waiting.length >= this.waitingMax) return false;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(admit), 1);
        resolve(false);
      }, timeoutMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.waiting.push(admit);
    });
  }

  /** Hands the place to the next in line. */
  leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.inside--;
    else next();
  }

  get isIdle(): boolean {
    return this.inside === 0;
  }
}
