import type { OnOutcome, Outcome } from '@gatehouse/courier';
import { describe, expect, it } from 'vitest';
import { Leaving } from '../../src/push/leaving.ts';
import type { NotificationBody } from '../../src/push/notification.ts';
import type { Outlet, Post } from '../../src/push/outlets.ts';
import { PushIds } from '../../src/push/push-id.ts';
import type { Recipient } from '../../src/push/recipients.ts';
import { restOf } from '../../src/push/rest.ts';
import { SegmentRun } from '../../src/push/segment-run.ts';
import { standardSettings } from '../../src/push/settings.ts';
import { SkipRules } from '../../src/push/skip.ts';
import { Tally } from '../../src/push/tally.ts';

const notificationId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const body: NotificationBody = { pushType: 'alert', content: { title: 'x' }, ignorePreferences: true };
const recipients = ['a', 'b', 'c', 'd'].map(
  (uid): Recipient => ({
    hash: `hash-${uid}`,
    token: uid,
    uid,
    authToken: '',
    platform: 'apns_ios_device',
    registeredAt: 0,
    preferences: null,
    timezone: 'UTC',
  }),
);
const provider = { status: 200, reason: '', id: '' };
const sent: Outcome = { kind: 'sent', certainty: 'processed', provider };

function outletOf(post: Post): Outlet {
  return {
    variantOf: () => '',
    load: () => post,
    onDrain: () => () => {},
    waiting: () => 0,
    isClosed: false,
    isEnabled: true,
    close: async () => {},
  };
}

function runOf(outlet: Outlet, leaving: Leaving, onBroken: (error: unknown) => void = () => {}): SegmentRun {
  return new SegmentRun({
    outlet,
    body,
    notificationId,
    ids: new PushIds(notificationId),
    skip: new SkipRules(standardSettings, body, new Set(), 0),
    sendAt: 0,
    since: 0,
    now: 0,
    rings: false,
    isUrgent: true,
    leaving,
    onBroken,
  });
}

const answer = (context: number, onOutcome: OnOutcome): void => void setImmediate(() => onOutcome(context, sent));

describe('a segment', () => {
  it('takes up nobody more when the process ends, and waits for those under way only for a while', async () => {
    const leaving = new Leaving();
    const outlet = outletOf((uid, context, onOutcome) => {
      if (uid === 'a') answer(context, onOutcome);
      // The second is never answered.
      if (uid === 'b') leaving.begin(0);
      return true;
    });
    const ended = await runOf(outlet, leaving).send(recipients);
    const tally = new Tally(recipients, ended, 1);
    expect(tally.counts).toEqual({ sent: 1, failed: 0, dropped: 0, skipped: 0 });
    const hashes = recipients.map(({ hash }) => hash);
    const work = { do: 'send' as const, n: notificationId, kind: 'apns' as const, providerId: 'p', hashes };
    const job = {
      id: '1',
      kind: 'push',
      lane: 'l',
      appId: 'app',
      group: notificationId,
      priority: 2 as const,
      payload: '',
      size: 4,
      attempts: 3,
      expiresAt: 0,
      createdAt: 0,
      worker: 'w',
    };
    const { rest, more } = restOf(job, { work, tally, startedAt: 1, elsewhere: [] });
    expect(rest).toMatchObject({ size: 3, counts: false, work: { hashes: ['hash-b', 'hash-c', 'hash-d'] } });
    expect(more).toBeUndefined();
  });

  it('fails the one push that cannot be made, says why once, and sends the others', async () => {
    const broken: unknown[] = [];
    const outlet = outletOf((uid, context, onOutcome) => {
      if (uid === 'b' || uid === 'c') throw new Error(`not ${uid}`);
      answer(context, onOutcome);
      return true;
    });
    const ended = await runOf(outlet, new Leaving(), (error) => broken.push(error)).send(recipients);
    expect(ended.map(({ kind }) => kind)).toEqual(['outcome', 'failed', 'failed', 'outcome']);
    expect(broken).toEqual([new Error('not b')]);
  });
});
