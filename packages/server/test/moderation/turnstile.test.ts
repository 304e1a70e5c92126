import { describe, expect, it } from 'vitest';
import { Turnstile } from '../../src/moderation/turnstile.ts';

const longMs = 60_000;

describe('a turnstile', () => {
  it('keeps a place for others however hard one app pushes, and lets apps in by turns', async () => {
    const turnstile = new Turnstile({ insideMax: 3, insidePerApp: 2, waitingPerApp: 10 });
    const admitted: string[] = [];
    const push = async (app: string): Promise<void> => {
      if (await turnstile.enter(app, longMs)) admitted.push(app);
    };
    for (let i = 0; i < 6; i++) void push('loud');
    void push('quiet');
    await Promise.resolve();
    expect(admitted).toEqual(['loud', 'loud', 'quiet']);
    void push('third');
    turnstile.leave('quiet');
    await Promise.resolve();
    await Promise.resolve();
    expect(admitted).toEqual(['loud', 'loud', 'quiet', 'third']);
    turnstile.leave('loud');
    await Promise.resolve();
    await Promise.resolve();
    expect(admitted.slice(4)).toEqual(['loud']);
  });

  it('turns away whoever waited too long or finds the line full, and loses no place by it', async () => {
    const turnstile = new Turnstile({ insideMax: 1, insidePerApp: 1, waitingPerApp: 1 });
    expect(turnstile.enter('a', longMs)).toBe(true);
    const impatient = turnstile.enter('a', 5);
    expect(turnstile.enter('a', longMs)).toBe(false);
    expect(await impatient).toBe(false);
    turnstile.leave('a');
    expect(turnstile.enter('b', longMs)).toBe(true);
    const patient = turnstile.enter('a', longMs);
    turnstile.leave('b');
    expect(await patient).toBe(true);
    turnstile.leave('a');
    expect(() => turnstile.leave('a')).toThrow();
  });
});
