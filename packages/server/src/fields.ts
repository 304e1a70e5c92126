import { Type } from '#typebox';

/** The kinds of text that many operations take. A `description` beside a pattern is what the caller is told. */
export const recordId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,100}$',
  description: '1 to 100 letters, digits, - and _.',
});
export const appIdField = Type.String({ pattern: '^[0-9a-f]{16}$', description: '16 lower-case hex digits.' });
export const uidField = Type.String({
  pattern: '^[A-Za-z0-9_.@:-]{1,100}$',
  description: '1 to 100 letters, digits, and any of _ . @ : -',
});
export const authTokenField = Type.String({
  pattern: '^[^\\s\\u0000-\\u001f\\u007f]{1,255}$',
  description: '1 to 255 characters without spaces or control characters.',
});

/** One line of text for people: no control characters, which would break listings and logs. */
export function line(lengthMax: number, lengthMin = 1) {
  return Type.String({
    maxLength: lengthMax,
    minLength: lengthMin,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: `One line of at most ${lengthMax} characters, without control characters.`,
  });
}

/** Free text: line breaks and tabs are welcome, other control characters are not. */
export function text(lengthMax: number) {
  return Type.String({
    maxLength: lengthMax,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    description: `At most ${lengthMax} characters, without control characters.`,
  });
}

/** As far as a number is exact; the stores take no more. */
const latestMs = Number.MAX_SAFE_INTEGER;
/** As far as a Date reaches. */
const latestSecond = 8_640_000_000_000;

export function timeMs(description: string) {
  return Type.Integer({ minimum: 0, maximum: latestMs, description });
}

export function timeSeconds(description: string) {
  return Type.Integer({ minimum: 0, maximum: latestSecond, description });
}

const dayMs = 86_400_000;
const two = (n: number): string => String(n).padStart(2, '0');
const minutes = Array.from({ length: 24 * 60 }, (_, n) => `${two(Math.floor(n / 60))}:${two(n % 60)}:`);
const seconds = Array.from({ length: 60 }, (_, n) => `${two(n)}.`);
const milliseconds = Array.from({ length: 1000 }, (_, n) => `${String(n).padStart(3, '0')}Z`);
const daysMax = 1000;
const days = new Map<number, string>();

/** Milliseconds to the ISO 8601 UTC form of the contract. Date's own way is most of the cost of a row. */
export function isoTime(ms: number): string {
  const number = Math.floor(ms / dayMs);
  let day = days.get(number);
  if (day === undefined) {
    day = new Date(number * dayMs).toISOString().slice(0, 11);
    if (days.size === daysMax) days.clear();
    days.set(number, day);
  }
  const inDay = ms - number * dayMs;
  const minute = Math.floor(inDay / 60_000);
  const second = Math.floor(inDay / 1000) % 60;
  return `${day}${minutes[minute]}${seconds[second]}${milliseconds[inDay % 1000]}`;
}
