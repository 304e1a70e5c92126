import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from '../src/fields.ts';

it('writes every time as Date writes it', () => {
  const time = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(9999, 11, 31) });
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 86_400_000 }), (ms, later) => {
      for (const at of [ms, ms + later]) expect(isoTime(at)).toBe(new Date(at).toISOString());
    }),
    { numRuns: 2000 },
  );
});
