import { expect, test } from 'vitest';
import { createFcmSender, createWebPushSender, generateVapidKeys, type OnOutcome, type Outcome } from '../src/index.ts';
import { type Simulator, startSimulator } from '../src/simulator/index.ts';

const STORM = {
  latencyMs: 1,
  jitterMs: 4,
  goawayEvery: 301,
  hardGoawayEvery: 457,
  cutEvery: 551,
  refusedShare: 0.02,
  resetShare: 0.01,
  blackHoleShare: 0.002,
  goneShare: 0.02,
  tooManyShare: 0.01,
  errorShare: 0.01,
  unavailableShare: 0.01,
};

/** Sends each push until it is told as sent or its token as dead, and tells how each ended. */
function sendAll(pushes: number, send: (push: number, onOutcome: OnOutcome) => boolean): Promise<string[]> {
  const waiting = new Set<number>();
  const ends: string[] = [];
  let left = pushes;
  return new Promise((resolve, reject) => {
    const onOutcome = (push: number, outcome: Outcome): void => {
      if (!waiting.delete(push)) reject(new Error(`push ${push} was told twice`));
      if (outcome.kind === 'retry' || outcome.kind === 'reconnect') {
        setTimeout(submit, 20, push);
        return;
      }
      ends[push] = outcome.kind;
      left--;
      if (left === 0) resolve(ends);
    };
    const submit = (push: number): void => {
      waiting.add(push);
      if (!send(push, onOutcome)) reject(new Error(`push ${push} was not taken`));
    };
    for (let push = 0; push < pushes; push++) submit(push);
  });
}

/** What was told as sent was accepted, and the storm was one. */
function check(ends: string[], provider: Simulator['fcm' | 'webpush'], targets: readonly string[]): void {
  const accepted = new Set(
    provider.records
      .latest()
      .filter(({ status }) => status < 300)
      .map(({ target }) => target),
  );
  const lost = ends.filter((end, push) => end === 'sent' && !accepted.has(targets[push] ?? ''));
  expect(lost).toEqual([]);
  expect(new Set(ends)).toEqual(new Set(['sent', 'dropToken']));
  expect(Math.min(...Object.values(provider.faultCounts))).toBeGreaterThan(0);
}

test('through a storm every FCM push ends once, and what is told as sent was accepted', async () => {
  const simulator = await startSimulator({ seed: 11, keepLatest: 20_000, faults: STORM });
  const { serviceAccount, endpoint } = simulator.fcm;
  const fcm = createFcmSender({
    serviceAccount,
    endpoint,
    ca: simulator.ca,
    rampMs: 0,
    pushesPerMinute: 60_000_000,
    timeoutMs: 1_000,
  });
  const message = fcm.prepare({ title: 'Storm', collapseId: 'storm' });
  const targets = Array.from({ length: 3_000 }, (_, push) => `fcm-token-${push}`);
  const ends = await sendAll(targets.length, (push, done) => fcm.send(targets[push] ?? '', message, push, done));
  check(ends, simulator.fcm, targets);
  await fcm.close();
  await simulator.close();
});

test('through a storm every web push ends once, and what is told as sent was accepted', async () => {
  const simulator = await startSimulator({ seed: 12, keepLatest: 20_000, faults: STORM });
  const web = createWebPushSender({
    vapid: generateVapidKeys(),
    subject: 'mailto:a@example.com',
    ca: simulator.ca,
    allowPrivate: true,
    timeoutMs: 1_000,
  });
  const message = web.prepare({ title: 'Storm' });
  const subscriptions = Array.from({ length: 1_000 }, () => simulator.webpush.subscribe());
  const paths = subscriptions.map(({ endpoint }) => new URL(endpoint).pathname);
  const ends = await sendAll(subscriptions.length, (push, done) => {
    const target = subscriptions[push];
    return target !== undefined && web.send(target, message, push, done);
  });
  check(ends, simulator.webpush, paths);
  await web.close();
  await simulator.close();
});
