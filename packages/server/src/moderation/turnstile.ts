interface Line {
  inside: number;
  waiting: (() => void)[];
}

export interface TurnstileOptions {
  /** Of everybody together. */
  insideMax: number;
  /** Of one app: less than all, so that one app never has every place. */
  insidePerApp: number;
  waitingPerApp: number;
}

/** Lets so many in at a time, the apps in turn; the rest wait in the line of their app, as long as they can. */
export class Turnstile {
  private readonly options: TurnstileOptions;
  private inside = 0;
  /** Only apps that have somebody here; whoever was let in last goes to the end. */
  private readonly lines = new Map<string, Line>();

  constructor(options: TurnstileOptions) {
    this.options = options;
  }

  /** Answers false when it took too long or the line is full; whoever got true must `leave`. */
  enter(appId: string, timeoutMs: number): boolean | Promise<boolean> {
    const line = this.lines.get(appId) ?? { inside: 0, waiting: [] };
    this.lines.set(appId, line);
    if (this.inside < this.options.insideMax && line.inside < this.options.insidePerApp) {
      this.inside++;
      line.inside++;
      return true;
    }
    if (line.waiting.length >= this.options.waitingPerApp) return false;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(admit), 1);
        this.forgetIfEmpty(appId, line);
        resolve(false);
      }, timeoutMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      line.waiting.push(admit);
    });
  }

  leave(appId: string): void {
    const line = this.lines.get(appId);
    if (line === undefined) throw new Error('Somebody leaves who was never inside.');
    this.inside--;
    line.inside--;
    this.forgetIfEmpty(appId, line);
    this.admitNext();
  }

  private admitNext(): void {
    for (const [appId, line] of this.lines) {
      if (line.inside >= this.options.insidePerApp) continue;
      const admit = line.waiting.shift();
      if (admit === undefined) continue;
      this.inside++;
      line.inside++;
      this.lines.delete(appId);
      this.lines.set(appId, line);
      admit();
      return;
    }
  }

  private forgetIfEmpty(appId: string, line: Line): void {
    if (line.inside === 0 && line.waiting.length === 0) this.lines.delete(appId);
  }
}
