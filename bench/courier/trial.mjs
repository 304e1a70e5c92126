// What the fault table puts in the way of its pushes: 5 GOAWAYs, 5 cut sockets and 200 refused streams in 10,000.
export const TRIAL_PUSHES = 10_000;

export const trialToken = (push) => push.toString(16).padStart(64, '0');

export function faultOf(push) {
  if (push % 2_000 === 999) return 'goaway';
  if (push % 2_000 === 1_499) return 'cut';
  return push % 50 === 25 ? 'refused' : undefined;
}
