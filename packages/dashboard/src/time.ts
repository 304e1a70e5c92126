const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const withZone = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
/** As the browser has it, such as Europe/Vienna. */
export const timeZone = full.resolvedOptions().timeZone;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export type Moment = string | number;

/** The last moment that a date can name. What a chat server sends as a time may be any number. */
const lastMs = 8_640_000_000_000_000;

/** The contract speaks of seconds in some places and of ISO times in others. */
export function dateOf(moment: Moment): Date {
  if (typeof moment === 'string') return new Date(moment);
  return new Date(moment < 100_000_000_000 ? moment * 1000 : Math.min(moment, lastMs));
}

export function fullTime(moment: Moment): string {
  return full.format(dateOf(moment));
}

/** For what is still to come, where an hour more or less matters. */
export function zonedTime(moment: Moment): string {
  return withZone.format(dateOf(moment));
}

/** As the browser's field for a day and an hour writes it, in the browser's own time zone. */
export function localMinute(moment: Moment): string {
  const date = dateOf(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const;

export function relativeTime(moment: Moment, now = Date.now()): string {
  let amount = (dateOf(moment).getTime() - now) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return fullTime(moment);
}

const number = new Intl.NumberFormat();

export function count(n: number): string {
  return number.format(n);
}

/** "1 rule", "2 rules". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}
