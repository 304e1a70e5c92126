import { describe, expect, it } from 'vitest';
import { nextWallTime, wallClock } from '../../src/push/timezone.ts';

const nine = 9 * 60;
const at = (text: string): number => Date.parse(text);

describe('an hour on the clock of a time zone', () => {
  it.each([
    ['UTC', '2026-01-31T08:00:00Z', '2026-01-31T09:00:00Z'],
    ['UTC', '2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z'],
    ['UTC', '2026-01-31T09:00:01Z', '2026-02-01T09:00:00Z'],
    ['Asia/Kolkata', '2026-01-31T00:00:00Z', '2026-01-31T03:30:00Z'],
    ['America/New_York', '2026-01-31T00:00:00Z', '2026-01-31T14:00:00Z'],
    // The clock is put forward in the night, and back in autumn.
    ['Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T07:00:00Z'],
    ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T08:00:00Z'],
  ])('is in %s, from %s on, first at %s', (timezone, from, expected) => {
    expect(new Date(nextWallTime(timezone, nine, at(from))).toISOString()).toBe(new Date(at(expected)).toISOString());
  });

  it('is read with its weekday', () => {
    expect(wallClock('Asia/Tokyo', at('2026-01-31T20:15:00Z'))).toEqual({ weekday: 0, minute: 5 * 60 + 15 });
  });
});
