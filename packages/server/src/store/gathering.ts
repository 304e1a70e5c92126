import { StoreUnavailable } from './store.ts';

/** Bounds how long the first of a group waits for the last. */
const groupMax = 256;
/** A group that takes longer than this waits for a lock or a slow disk, and those behind it do not wait for it. */
const stallMs = 100;

interface Asked<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Does at once for many what each asked for alone. Who asks first is served at once; whoever asks while that is under way
 * goes with the next group. So nobody waits on an idle machine, and the cost of each falls as the load rises.
 */
export class Gathering<I, O> {
  private waiting: Asked<I, O>[] = [];
  private isUnderWay = false;
  private readonly serve: (inputs: readonly I[]) => Promise<readonly O[]>;

  constructor(serve: (inputs: readonly I[]) => Promise<readonly O[]>) {
    this.serve = serve;
  }

  ask(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (!this.isUnderWay) this.begin();
    });
  }

  private begin(): void {
    this.isUnderWay = true;
    const group = this.waiting.splice(0, groupMax);
    let isLast = true;
    const next = (): void => {
      if (!isLast) return;
      isLast = false;
      clearTimeout(stall);
      this.isUnderWay = false;
      if (this.waiting.length > 0) this.begin();
    };
    const stall = setTimeout(next, stallMs);
    void this.answer(group).then(next);
  }

  /** One that is refused takes the whole group back. Then each half goes alone, until it is alone with its refusal. */
  private async answer(group: readonly Asked<I, O>[]): Promise<void> {
    try {
      const outputs = await this.serve(group.map(({ input }) => input));
      for (const [i, output] of outputs.entries()) group[i]?.resolve(output);
    } catch (error) {
      if (group.length === 1 || error instanceof StoreUnavailable) {
        for (const { reject } of group) reject(error);
        return;
      }
      const half = group.length >> 1;
      await this.answer(group.slice(0, half));
      await this.answer(group.slice(half));
    }
  }
}
