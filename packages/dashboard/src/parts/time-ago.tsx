import { dateOf, fullTime, type Moment, relativeTime } from '../time.ts';

/** How long ago, with the exact time for who asks. */
export function TimeAgo({ at }: { at: Moment }) {
  return (
    <time dateTime={dateOf(at).toISOString()} title={fullTime(at)}>
      {relativeTime(at)}
    </time>
  );
}
