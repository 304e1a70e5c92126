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
/** Of a zone that changes its clock, no day is longer than this. */
const longestDay = 26 * 60;

const modulo = (n: number): number => ((n % dayMinutes) + dayMinutes) % dayMinutes;

/**
 * The first moment from `from` on at which the wall clock of the zone reads `minute`. On a day whose clock jumps over it
 * (the start of summer time) that is the moment of the jump; where the clock is put back, the minute comes twice.
 */
export function nextWallTime(timezone: string, minute: number, from: number): number {
  const start = Math.ceil(from / minuteMs);
  const read = (at: number): number => wallClock(timezone, at * minuteMs).minute;
  // How far the clock is ahead of UTC, as far as a clock without a date can tell.
  const ahead = (at: number): number => modulo(read(at) - at);
  const before = ahead(start);
  const after = ahead(start + longestDay);
  const steady = start + modulo(minute - (start + before));
  if (before === after) return steady * minuteMs;
  const jump = firstMinute(start, start + longestDay, (at) => ahead(at) !== before);
  if (steady < jump) return steady * minuteMs;
  const forward = modulo(after - before);
  const isSkipped = forward < dayMinutes / 2 && modulo(minute - (jump + before)) < forward;
  return (isSkipped ? jump : jump + modulo(minute - (jump + after))) * minuteMs;
}

/** Between two minutes, the first for which it is so, where it is so for all that follow. */
function firstMinute(from: number, to: number, isSo: (at: number) => boolean): number {
  let [not, so] = [from, to];
  while (so - not > 1) {
    const middle = (not + so) >> 1;
    if (isSo(middle)) so = middle;
    else not = middle;
  }
  return so;
}
