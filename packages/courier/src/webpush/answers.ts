import type { OutcomeKind } from '../outcome.ts';

export interface WebPushRow {
  readonly from: number;
  readonly to: number;
  readonly kind: OutcomeKind;
  readonly floorMs?: number;
}

/** What a push service's status means. The first row that holds it counts. */
export const WEB_PUSH_ANSWERS: readonly WebPushRow[] = [
  { from: 200, to: 299, kind: 'sent' },
  // Never followed: a redirect is a way to make us call somebody else.
  { from: 300, to: 399, kind: 'failMessage' },
  { from: 404, to: 404, kind: 'dropToken' },
  { from: 410, to: 410, kind: 'dropToken' },
  { from: 413, to: 413, kind: 'failMessage' },
  { from: 429, to: 429, kind: 'retry', floorMs: 10_000 },
  { from: 408, to: 408, kind: 'retry', floorMs: 1_000 },
  { from: 400, to: 400, kind: 'pauseProvider' },
  { from: 401, to: 401, kind: 'pauseProvider' },
  { from: 403, to: 403, kind: 'pauseProvider' },
  { from: 400, to: 499, kind: 'failMessage' },
  { from: 500, to: 599, kind: 'retry', floorMs: 1_000 },
];

const OTHER: WebPushRow = { from: 0, to: 999, kind: 'failMessage' };

export function webPushRow(status: number): WebPushRow {
  return WEB_PUSH_ANSWERS.find((row) => status >= row.from && status <= row.to) ?? OTHER;
}
