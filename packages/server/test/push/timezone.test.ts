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

  it.each([
    // Skipped in spring: the moment of the jump, not before it.
    ['Europe/Berlin', 150, '2027-03-27T20:00:00Z', '2027-03-28T01:00:00Z'],
    ['Europe/Berlin', 120, '2027-03-27T20:00:00Z', '2027-03-28T01:00:00Z'],
    ['Europe/Berlin', 119, '2027-03-27T20:00:00Z', '2027-03-28T00:59:00Z'],
    ['Europe/Berlin', 180, '2027-03-27T20:00:00Z', '2027-03-28T01:00:00Z'],
    ['Africa/Cairo', 0, '2026-04-23T12:00:00Z', '2026-04-23T22:00:00Z'],
    // Twice in autumn: the next of the two.
    ['Europe/Berlin', 150, '2026-10-24T20:00:00Z', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', 150, '2026-10-25T00:45:00Z', '2026-10-25T01:30:00Z'],
    ['Europe/Berlin', 150, '2026-10-25T01:31:00Z', '2026-10-26T01:30:00Z'],
    ['Australia/Lord_Howe', 105, '2026-04-04T14:50:00Z', '2026-04-04T15:15:00Z'],
  ])('is in %s, minute %i, from %s on, first at %s', (timezone, minute, from, expected) => {
    expect(new Date(nextWallTime(timezone, minute, at(from))).toISOString()).toBe(new Date(at(expected)).toISOString());
  });

  it('comes within a day and its jump, and reads so unless it was jumped over', () => {
    for (const timezone of ['Europe/Berlin', 'America/St_Johns', 'Africa/Casablanca', 'Pacific/Apia', 'Asia/Kathmandu'])
      for (let hour = 0; hour < 24 * 400; hour += 7) {
        const from = at('2026-01-01T00:00:00Z') + hour * 3_600_000;
        const minute = (hour * 13) % 1440;
        const found = nextWallTime(timezone, minute, from);
        expect(found - from).toBeLessThanOrEqual(26 * 3_600_000);
        expect(found).toBeGreaterThanOrEqual(from);
        if (wallClock(timezone, found).minute !== minute)
          expect(wallClock(timezone, found).minute - wallClock(timezone, found - 60_000).minute).toBeGreaterThan(1);
      }
  });

  it('is read with its weekday', () => {
    expect(wallClock('Asia/Tokyo', at('2026-01-31T20:15:00Z'))).toEqual({ weekday: 0, minute: 5 * 60 + 15 });
  });
});
