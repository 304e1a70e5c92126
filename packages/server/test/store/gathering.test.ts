import { describe, expect, it } from 'vitest';
import { Gathering } from '../../src/store/gathering.ts';
import { StoreUnavailable } from '../../src/store/store.ts';

/** A store that serves when it is told to, and shows what it was asked. */
function heldBack() {
  const groups: number[][] = [];
  const open: (() => void)[] = [];
  const serve = async (inputs: readonly number[]): Promise<number[]> => {
    groups.push([...inputs]);
    await new Promise<void>((resolve) => open.push(resolve));
    return inputs.map((n) => n * 10);
  };
  return { groups, gathering: new Gathering(serve), letOneThrough: () => open.shift()?.() };
}

describe('a gathering', () => {
  it('serves the first at once and those who come meanwhile together, each with its own answer', async () => {
    const { groups, gathering, letOneThrough } = heldBack();
    const answers = [1, 2, 3, 4].map((n) => gathering.ask(n));
    expect(groups).toEqual([[1]]);
    letOneThrough();
    expect(await answers[0]).toBe(10);
    await Promise.resolve();
    letOneThrough();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40]);
    expect(groups).toEqual([[1], [2, 3, 4]]);
    const late = gathering.ask(5);
    expect(groups.at(-1)).toEqual([5]);
    letOneThrough();
    expect(await late).toBe(50);
  });

  it('refuses only those who are to be refused, whoever they came with', async () => {
    const gathering = new Gathering(async (inputs: readonly number[]) => {
      await Promise.resolve();
      const bad = inputs.find((n) => n % 7 === 3);
      if (bad !== undefined) throw new RangeError(`not ${bad}`);
      return inputs.map(String);
    });
    const numbers = Array.from({ length: 50 }, (_, i) => i);
    const ended = await Promise.allSettled(numbers.map((n) => gathering.ask(n)));
    for (const [n, end] of ended.entries()) {
      if (n % 7 === 3) expect(end).toMatchObject({ status: 'rejected', reason: { message: `not ${n}` } });
      else expect(end).toEqual({ status: 'fulfilled', value: String(n) });
    }
  });

  it('asks a store that does not answer once for all of them, not once for each', async () => {
    let asked = 0;
    const gathering = new Gathering(async (_: readonly number[]): Promise<number[]> => {
      asked++;
      throw new StoreUnavailable('gone');
    });
    const ended = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => gathering.ask(n)));
    expect(ended.every((end) => end.status === 'rejected' && end.reason instanceof StoreUnavailable)).toBe(true);
    expect(asked).toBe(2);
  });

  it('does not let those behind wait for a group that is stuck', async () => {
    const gathering = new Gathering((inputs: readonly number[]) =>
      inputs.includes(0) ? new Promise<number[]>(() => {}) : Promise.resolve([...inputs]),
    );
    void gathering.ask(0);
    expect(await Promise.all([gathering.ask(1), gathering.ask(2)])).toEqual([1, 2]);
    expect(await gathering.ask(3)).toBe(3);
  });
});
