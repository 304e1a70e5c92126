import type { Notification } from '@gatehouse/courier';
import { badField } from '../errors.ts';
import { isoTime } from '../fields.ts';

const dayMs = 86_400_000;
const scheduleDaysMax = 365;
/** For how long a push that a vendor does not take is tried again, where the caller sets no TTL. */
const retryMs = dayMs;
/**
 * Clocks of two machines differ, and a request waits in queues: "now" may be a little while ago. What lies further back is a
 * mistake, such as seconds for milliseconds, and sending at once is the one answer that cannot be taken back.
 */
const lateMsMax = 5 * 60_000;

export interface Timing {
  sendAt: number;
  /** After it nothing is tried any more. */
  expiresAt: number;
}

interface TimeWishes {
  sendAt?: number | string;
  ttlSeconds?: number;
  localTime?: string;
}

export function timingOf(wishes: TimeWishes, now: number): Timing {
  const sendAt = wishes.sendAt === undefined ? now : Math.max(now, checkMoment(wishes.sendAt, now));
  const spread = wishes.localTime === undefined ? 0 : dayMs + dayMs / 12;
  const ttlMs = wishes.ttlSeconds === undefined ? retryMs : Math.max(wishes.ttlSeconds * 1000, 30_000);
  return { sendAt, expiresAt: sendAt + spread + ttlMs };
}

/** The notification with what is left of its time to live. A clock that was put back gives it no more than it had. */
export function untilLate(content: Notification, began: number, now: number): Notification {
  const { ttlSeconds } = content;
  if (ttlSeconds === undefined || now <= began) return content;
  return { ...content, ttlSeconds: Math.max(0, ttlSeconds - Math.floor((now - began) / 1000)) };
}

function checkMoment(sent: number | string, now: number): number {
  const moment = typeof sent === 'number' ? sent : parseMoment(sent);
  if (moment > now + scheduleDaysMax * dayMs) throw badField('sendAt', `Must be within ${scheduleDaysMax} days.`);
  if (moment < now - lateMsMax)
    throw badField(
      'sendAt',
      `Is ${isoTime(moment)}, which has passed. Leave it out to send now; a number is epoch milliseconds, not seconds.`,
    );
  return moment;
}

const dateTime = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Date.parse alone takes "March 7" for a day of 2001, and the 30th of February for a day of March. */
function parseMoment(sent: string): number {
  const [, day = ''] = dateTime.exec(sent) ?? [];
  const moment = day === '' ? Number.NaN : Date.parse(sent);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(moment) || Number.isNaN(midnight) || !isoTime(midnight).startsWith(day))
    throw badField(
      'sendAt',
      'Must be epoch milliseconds, or an ISO 8601 date and time with its zone, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00.',
    );
  return moment;
}
