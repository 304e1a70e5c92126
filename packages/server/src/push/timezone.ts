import { badField } from '../errors.ts';

export function checkTimezone(timezone: string, field = 'timezone'): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    throw badField(field, 'Is not an IANA time zone such as Europe/Berlin.');
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** What a zone's clock last showed: every push of the same minute asks again. */
const shown = new Map<string, { at: number; clock: WallClock }>();
const minuteMs = 60_000;

/** The clock on the wall of a time zone. `minute` counts from midnight; Sunday is 0. */
export interface WallClock {
  weekday: number;
  minute: number;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function wallClock(timezone: string, at: number): WallClock {
  const minute = Math.floor(at / minuteMs);
  const last = shown.get(timezone);
  if (last?.at === minute) return last.clock;
  const clock = readClock(timezone, at);
  shown.set(timezone, { at: minute, clock });
  return clock;
}

function readClock(timezone: string, at: number): WallClock {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timezone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    weekday: weekdays.indexOf(parts.get('weekday') ?? ''),
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}

const dayMinutes = 24 * 60;

/**
 * The first moment from `from` on at which the wall clock of the zone reads `minute`. On a day whose clock jumps over it
 * (the start of summer time) that is the moment of the jump.
 */
export function nextWallTime(timezone: string, minute: number, from: number): number {
  const start = Math.ceil(from / minuteMs) * minuteMs;
  const wait = (minute - wallClock(timezone, start).minute + dayMinutes) % dayMinutes;
  const guess = start + wait * minuteMs;
  // The clock was put forward or back in between: what it reads then says by how much.
  const off = wallClock(timezone, guess).minute - minute;
  const drift = off > dayMinutes / 2 ? off - dayMinutes : off < -dayMinutes / 2 ? off + dayMinutes : off;
  return Math.max(start, guess - drift * minuteMs);
}
