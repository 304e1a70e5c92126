import { describe, expect, it } from 'vitest';
import type { NotificationBody } from '../../src/push/notification.ts';
import { standardSettings } from '../../src/push/settings.ts';
import { SkipRules } from '../../src/push/skip.ts';

const body: NotificationBody = { pushType: 'alert', content: { title: 'x' }, ignorePreferences: false };
const open = { from: 0, to: 2359, dnd: false };
const overnight = { from: 2200, to: 600, dnd: false };
const office = { from: 900, to: 1800, dnd: false };
const silent = { ...open, dnd: true };

/** Whether a push is welcome at an hour of Monday, 5 January 2026, in UTC, to somebody with this schedule. */
function isWelcome(at: string, schedule: Record<string, typeof open>, timezone = 'UTC'): boolean {
  const rules = new SkipRules(standardSettings, body, new Set(), Date.parse(`2026-01-05T${at}:00Z`));
  const preferences = JSON.stringify({ mutePreferences: { schedule } });
  const reason = rules.whySkip({ uid: 'u', preferences, timezone });
  expect([undefined, 'SCHEDULE_PREFERENCE']).toContain(reason);
  return reason === undefined;
}

describe('the schedule of a user', () => {
  it.each([
    // [hour, sunday, monday, welcome]
    ['08:59', open, office, false],
    ['09:00', open, office, true],
    ['18:00', open, office, true],
    ['18:01', open, office, false],
    ['23:59', open, open, true],
    ['12:00', open, silent, false],
    // What Sunday says over midnight holds until it ends; then Monday speaks.
    ['01:32', overnight, office, true],
    ['06:00', overnight, office, true],
    ['06:01', overnight, office, false],
    ['01:32', overnight, silent, true],
    ['06:01', overnight, silent, false],
    ['01:32', overnight, overnight, true],
    ['12:00', overnight, overnight, false],
    ['22:00', overnight, overnight, true],
    // Monday's own night begins in the evening.
    ['01:32', silent, overnight, false],
    ['01:32', office, overnight, false],
    ['01:32', { ...overnight, dnd: true }, overnight, false],
    ['21:59', silent, overnight, false],
    ['22:00', silent, overnight, true],
    ['23:59', silent, overnight, true],
  ])('at %s on Monday with Sunday %j and Monday %j: welcome is %s', (at, sunday, monday, welcome) => {
    expect(isWelcome(at, { sunday, monday })).toBe(welcome);
  });

  it('goes by the clock of the user, and the week is a circle', () => {
    // Still Sunday in Lima, and Saturday night.
    expect(isWelcome('04:00', { sunday: overnight, monday: silent }, 'America/Lima')).toBe(true);
    expect(isWelcome('03:30', { saturday: silent, sunday: office }, 'America/Lima')).toBe(false);
    const sunday = new SkipRules(standardSettings, body, new Set(), Date.parse('2026-01-04T01:32:00Z'));
    const preferences = JSON.stringify({ mutePreferences: { schedule: { saturday: overnight, sunday: silent } } });
    expect(sunday.whySkip({ uid: 'u', preferences, timezone: 'UTC' })).toBeUndefined();
  });
});
