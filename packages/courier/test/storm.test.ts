import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApnsSender, createApnsSender, type Outcome } from '../src/index.ts';
import { type Simulator, seededRandom, startSimulator } from '../src/simulator/index.ts';

/** `npm run storm` sends a million. */
const PUSHES = Number(process.env.STORM_PUSHES ?? 30_000);
const SEED = Number(process.env.STORM_SEED ?? 20_261_115);
const WINDOW = 4_000;

let simulator: Simulator;
let sender: ApnsSender;

beforeAll(async () => {
  simulator = await startSimulator({
    seed: SEED,
    keepLatest: 0,
    faults: {
      latencyMs: 1,
      jitterMs: 6,
      goawayEvery: 3_001,
      hardGoawayEvery: 4_507,
      cutEvery: 5_501,
      refusedShare: 0.01,
      resetShare: 0.004,
      blackHoleShare: 0.0005,
      goneShare: 0.01,
      tooManyShare: 0.004,
      errorShare: 0.003,
      unavailableShare: 0.003,
      streams: 400,
    },
  });
  sender = createApnsSender({
    ...simulator.apns,
    production: false,
    ca: simulator.ca,
    timeoutMs: 2_000,
    queueMax: WINDOW * 2,
  });
});

afterAll(async () => {
  await sender.close();
  await simulator.close();
});

function idOf(push: number): string {
  return `00000000-0000-4000-8000-${push.toString(16).padStart(12, '0')}`;
}

/** What the sender told of each push. */
class Account {
  readonly waiting = new Uint8Array(PUSHES);
  readonly unknown = new Uint8Array(PUSHES);
  readonly end = new Uint8Array(PUSHES);
  readonly kinds = new Map<string, number>();
  reportedTwice = 0;
  ended = 0;

  note(push: number, outcome: Outcome): void {
    if (this.waiting[push] !== 1) this.reportedTwice++;
    this.waiting[push] = 0;
    const kind = `${outcome.kind}/${outcome.certainty}`;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    if (outcome.certainty === 'unknown') this.unknown[push] = (this.unknown[push] ?? 0) + 1;
    if (outcome.kind === 'sent') this.end[push] = 1;
    else if (outcome.kind === 'dropToken') this.end[push] = 2;
    else if (outcome.kind !== 'retry' && outcome.kind !== 'reconnect') this.end[push] = 3;
    if (this.end[push] !== 0) this.ended++;
  }
}

async function sendAll(account: Account): Promise<void> {
  const random = seededRandom(SEED);
  const message = sender.prepare({ title: 'Storm', body: 'x'.repeat(200), collapseId: 'storm' });
  let next = 0;
  await new Promise<void>((resolve) => {
    const again: number[] = [];
    const submit = (push: number): boolean => {
      account.waiting[push] = 1;
      const isTaken = sender.send(push.toString(16).padStart(64, '0'), message, push, onOutcome, idOf(push));
      if (!isTaken) account.waiting[push] = 0;
      return isTaken;
    };
    const fill = (): void => {
      for (let push = again.pop(); push !== undefined; push = again.pop())
        if (!submit(push)) return void again.push(push);
      while (next < PUSHES && next - account.ended < WINDOW && submit(next)) next++;
    };
    const onOutcome = (push: number, outcome: Outcome): void => {
      account.note(push, outcome);
      // Windows too small for a body, and connections of few streams, come and go.
      if (random() < 0.0002) simulator.apns.setFaults({ windowBytes: random() < 0.3 ? 150 : 65_535 });
      if (random() < 0.0002) simulator.apns.setFaults({ streams: random() < 0.3 ? 3 : 400 });
      if (account.end[push] === 0) setTimeout(() => again.push(push) && fill(), 20);
      if (account.ended === PUSHES) resolve();
      else setImmediate(fill);
    };
    sender.onDrain(fill);
    fill();
  });
}

test(`a storm of every fault over ${PUSHES} pushes loses none and tells of none twice`, {
  timeout: 1_800_000,
}, async () => {
  const account = new Account();
  await sendAll(account);
  const { records } = simulator.apns;
  const wrong = { lost: 0, failed: 0, sentButNotAccepted: 0, duplicateWithoutUnknown: 0, droppedButAccepted: 0 };
  let duplicates = 0;
  for (let push = 0; push < PUSHES; push++) {
    const times = records.acceptedTimes(idOf(push));
    const unknown = account.unknown[push] ?? 0;
    const end = account.end[push];
    if (end === 0) wrong.lost++;
    if (end === 3) wrong.failed++;
    if (end === 1 && times === 0) wrong.sentButNotAccepted++;
    if (times > (end === 1 ? 1 : 0) + unknown) wrong[end === 1 ? 'duplicateWithoutUnknown' : 'droppedButAccepted']++;
    if (times > 1) duplicates++;
  }
  const { faultCounts } = simulator.apns;
  console.log(
    `storm: ${JSON.stringify({ ...Object.fromEntries(account.kinds), duplicates, ...records.counts(), faultCounts })}`,
  );
  expect(wrong).toEqual({
    lost: 0,
    failed: 0,
    sentButNotAccepted: 0,
    duplicateWithoutUnknown: 0,
    droppedButAccepted: 0,
  });
  expect(account.reportedTwice).toBe(0);
  const sent = Array.from(account.end.keys()).filter((push) => account.end[push] === 1);
  expect(records.compare(sent.map(idOf)).lost).toBe(0);
  expect([...records.acceptedIds()].length).toBeLessThanOrEqual(PUSHES);
  // The storm was one: each kind of fault did happen.
  expect(Math.min(...Object.values(simulator.apns.faultCounts))).toBeGreaterThan(0);
  for (const reason of ['Unregistered', 'TooManyRequests', 'InternalServerError', 'ServiceUnavailable'])
    expect(records.counts().byReason[reason]).toBeGreaterThan(0);
  expect(account.kinds.get('retry/unknown')).toBeGreaterThan(0);
  expect(account.kinds.get('dropToken/processed')).toBeGreaterThan(0);
});
