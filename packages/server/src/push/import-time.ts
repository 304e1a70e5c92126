/** A date, or a date and time; the zone may be left out, as databases do. */
const dateTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
/** Milliseconds have passed it since 1973; seconds do in the year 5138. */
const secondsMax = 100_000_000_000;

/**
 * A time as other systems write it: ISO 8601 (UTC where it names no zone), or epoch seconds or milliseconds. Undefined where
 * there is none, NaN for what is no time.
 */
export function importedTime(sent: unknown): number | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined;
  if (typeof sent === 'number') return epochMs(sent);
  if (typeof sent !== 'string') return Number.NaN;
  const [, day, time, zone = 'Z'] = dateTime.exec(sent) ?? [];
  if (day === undefined) return /^\d{1,15}$/.test(sent) ? epochMs(Number(sent)) : Number.NaN;
  return Date.parse(`${day}T${time ?? '00:00'}${zone.length === 3 ? `${zone}:00` : zone}`);
}

function epochMs(given: number): number {
  if (!(given >= 0)) return Number.NaN;
  return Math.floor(given < secondsMax ? given * 1000 : given);
}
