import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mendClock } from '../../src/outbox/clock-watch.ts';
import { Dispatcher, type DispatcherOptions } from '../../src/outbox/dispatcher.ts';
import { type Birthright, claimJobs, enqueue, type Job, type NewJob, renewLeases } from '../../src/outbox/jobs.ts';
import { pauseLane, readLanes, readPauses, resumeLane } from '../../src/outbox/lanes.ts';
import { cancelGroup, complete, retry } from '../../src/outbox/settle.ts';
import type { Store } from '../../src/store/store.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

let count = 0;
/** A kind of its own for each case, so that cases do not see each other's jobs. */
const newKind = (): string => `test${++count}`;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe.each(stores)('the outbox on %s', (dialect) => {
  let gatehouse: Gatehouse;
  let store: Store;
  beforeAll(async () => {
    gatehouse = await startGatehouse(dialect);
    store = gatehouse.app.store;
  });
  afterAll(() => gatehouse.close());

  const add = (kind: string, lane: string, jobs: Partial<NewJob>[]): Promise<Job[]> =>
    store.change(
      enqueue,
      jobs.map((job) => ({ kind, lane, appId: 'app', payload: 'x', ...job })),
    );
  const claim = (kind: string, worker: string, options: { lane?: string; n?: number; leaseMs?: number } = {}) =>
    store.change(claimJobs, {
      dialect,
      kind,
      worker,
      leaseMs: options.leaseMs ?? 60_000,
      lanes: [{ lane: options.lane ?? 'a', urgent: options.n ?? 10, ordinary: options.n ?? 10 }],
    });
  const birthright = (worker: string): Birthright => ({ worker, leaseMs: 20_000, except: [] });
  const dispatch = (kind: string, handle: (job: Job) => Promise<void>, options: Partial<DispatcherOptions> = {}) => {
    const dispatcher = new Dispatcher(store, gatehouse.app.events, { kind, handle, pollMs: 50, ...options });
    dispatcher.start();
    return dispatcher;
  };
  const waiting = async (kind: string) => (await readLanes(store, Date.now())).filter((lane) => lane.kind === kind);

  it('gives a job to one worker only, urgent ones first and each lane in its order', async () => {
    const kind = newKind();
    await add(kind, 'a', [{ payload: '1' }, { payload: '2' }, { payload: 'low', priority: 2 }]);
    await add(kind, 'a', [{ payload: 'urgent', priority: 0 }]);
    const first = await claim(kind, 'one');
    expect(first.map(({ payload }) => payload)).toHaveLength(4);
    expect(first[0]?.payload).toBe('urgent');
    expect(first.at(-1)?.payload).toBe('low');
    expect(await claim(kind, 'two')).toEqual([]);
  });

  it('gives a job to another worker when its lease has ended, and the first can settle nothing any more', async () => {
    const kind = newKind();
    await add(kind, 'a', [{}]);
    const [lost] = await claim(kind, 'dead', { leaseMs: -1 });
    const [taken] = await claim(kind, 'alive');
    expect(taken).toMatchObject({ id: lost?.id, attempts: 2 });
    if (lost === undefined || taken === undefined) throw new Error('not claimed');
    expect(await store.change(complete, lost)).toBe(false);
    expect(await store.change(retry, { job: lost, at: 0, error: '' })).toBe(false);
    expect(await store.change(complete, taken)).toBe(true);
    expect(await waiting(kind)).toEqual([]);
  });

  it.each([60_000, -60_000])('gives out no job that another has whose clock is %d ms off', async (off) => {
    const kind = newKind();
    await add(kind, 'a', [{}, {}]);
    const { now } = Date;
    const withWrongClock = async <T>(act: () => Promise<T>): Promise<T> => {
      const wrong = vi.spyOn(Date, 'now').mockImplementation(() => now() + off);
      try {
        return await act();
      } finally {
        wrong.mockRestore();
      }
    };
    const [first] = await claim(kind, 'right', { n: 1, leaseMs: 20_000 });
    const taken = await withWrongClock(() => claim(kind, 'wrong', { leaseMs: 20_000 }));
    expect(taken.map(({ id }) => id)).not.toContain(first?.id);
    await withWrongClock(() => add(kind, 'b', [{ payload: 'born', birthright: birthright('wrong') }]));
    await withWrongClock(() =>
      store.change(renewLeases, { worker: 'wrong', leaseMs: 20_000, ids: taken.map(({ id }) => id) }),
    );
    expect((await claim(kind, 'third')).filter(({ id }) => taken.some((one) => one.id === id))).toEqual([]);
    expect(await claim(kind, 'third', { lane: 'b' })).toEqual([]);
    // A lease that has ended is over for all of them.
    const [lost] = await withWrongClock(async () => {
      await add(kind, 'c', [{ readyAt: 1 }]);
      return claim(kind, 'wrong', { lane: 'c', leaseMs: -1 });
    });
    expect((await claim(kind, 'third', { lane: 'c' })).map(({ id }) => id)).toEqual([lost?.id]);
  });

  it('keeps what is left of a job for later, and does not give it out before its time', async () => {
    const kind = newKind();
    await add(kind, 'a', [{ size: 5, payload: 'all' }]);
    const [job] = await claim(kind, 'w');
    if (job === undefined) throw new Error('not claimed');
    await store.change(retry, { job, at: Date.now() + 60_000, error: 'later', payload: 'rest', size: 2 });
    expect(await claim(kind, 'w')).toEqual([]);
    expect(await waiting(kind)).toMatchObject([{ jobs: 1, size: 2, leased: 0, oldestDueMs: 0 }]);
  });

  it('goes on at once with a job that puts itself back, however often, without waiting for its lease to end', async () => {
    const kind = newKind();
    const runs = new Map<string, number>();
    const dispatcher = dispatch(
      kind,
      async (job) => {
        const run = (runs.get(job.payload) ?? 0) + 1;
        runs.set(job.payload, run);
        if (run < 20) await store.change(retry, { job, at: 0, error: '', counts: false });
        else await store.change(complete, job);
      },
      { leaseMs: 600_000, pollMs: 5 },
    );
    const names = Array.from({ length: 20 }, (_, i) => `job-${i}`);
    await add(
      kind,
      'a',
      names.map((payload) => ({ payload })),
    );
    await until(async () => (await waiting(kind)).length === 0);
    await dispatcher.stop();
    expect(names.map((name) => runs.get(name))).toEqual(names.map(() => 20));
  });

  it('takes a job that was put back again only when its handler is done: what is written twice counts once', async () => {
    const kind = newKind();
    const written: boolean[] = [];
    const seen: string[] = [];
    const dispatcher = dispatch(
      kind,
      async (job) => {
        seen.push(job.payload);
        if (job.payload !== 'first') {
          await store.change(complete, job);
          return;
        }
        const back = { job, at: 0, error: '', payload: 'second' };
        written.push(await store.change(retry, back));
        // As if the answer to the commit had been lost: meanwhile the lane is woken and looked at.
        await new Promise((resolve) => setTimeout(resolve, 200));
        written.push(await store.change(retry, { ...back, payload: 'first' }));
      },
      { leaseMs: 600_000, pollMs: 10 },
    );
    await add(kind, 'a', [{ payload: 'first' }]);
    await until(async () => (await waiting(kind)).length === 0);
    await dispatcher.stop();
    expect(written).toEqual([true, false]);
    expect(seen).toEqual(['first', 'second']);
  });

  it('cancels what nobody has in hand', async () => {
    const kind = newKind();
    const group = `group-${kind}-${dialect}`;
    await add(kind, 'a', [{ group, size: 3 }]);
    await claim(kind, 'w');
    await add(kind, 'a', [{ group, size: 4 }, { group: 'other' }]);
    expect(await store.change(cancelGroup, group)).toEqual({ jobs: 1, size: 4 });
    expect(await waiting(kind)).toMatchObject([{ jobs: 2, leased: 1 }]);
  });

  it('does each job once with two dispatchers', async () => {
    const kind = newKind();
    const done: string[] = [];
    const handle = async (job: Job): Promise<void> => {
      done.push(job.payload);
      await store.change(complete, job);
    };
    const dispatchers = [dispatch(kind, handle), dispatch(kind, handle)];
    const jobs = Array.from({ length: 300 }, (_, i) => ({ payload: String(i) }));
    await add(kind, 'a', jobs);
    await until(async () => (await waiting(kind)).length === 0);
    expect(done.map(Number).sort((a, b) => a - b)).toEqual(jobs.map((_, i) => i));
    for (const dispatcher of dispatchers) await dispatcher.stop();
  });

  it('starts a committed job at once, long before it would look around', async () => {
    const kind = newKind();
    const done: string[] = [];
    const dispatcher = dispatch(
      kind,
      async (job) => {
        done.push(job.payload);
        await store.change(complete, job);
      },
      { pollMs: 600_000 },
    );
    await add(kind, 'a', [{ payload: 'now' }]);
    await until(() => done.length === 1);
    await dispatcher.stop();
  });

  it('goes on with a lane while another is stuck, and with an urgent job while the lane is full', async () => {
    const kind = newKind();
    const done: string[] = [];
    let free = (): void => {};
    const stuck = new Promise<void>((resolve) => {
      free = resolve;
    });
    const dispatcher = dispatch(
      kind,
      async (job) => {
        if (job.payload === 'stuck') await stuck;
        done.push(job.payload);
        await store.change(complete, job);
      },
      { perLane: 2 },
    );
    await add(kind, 'slow', [{ payload: 'stuck' }, { payload: 'stuck' }, { payload: 'behind' }]);
    await until(() => dispatcher.jobsInHand === 2);
    const metric = async (name: string) =>
      Number(
        new RegExp(`gatehouse_outbox_${name}{kind="${kind}"} (.*)`).exec(await gatehouse.app.events.metrics())?.[1],
      );
    await until(async () => (await metric('jobs_in_hand')) === 2 && (await metric('oldest_seconds')) > 0);
    await add(kind, 'fast', [{ payload: 'other lane' }]);
    await until(() => done.includes('other lane'));
    await add(kind, 'slow', [{ payload: 'urgent', priority: 0 }]);
    await until(() => done.includes('urgent'));
    expect(done).toEqual(['other lane', 'urgent']);
    free();
    await until(() => done.includes('behind'));
    await until(async () => (await metric('jobs_in_hand')) === 0 && (await metric('oldest_seconds')) === 0);
    await dispatcher.stop();
  });

  it('holds a paused lane with its reason and goes on when it is resumed', async () => {
    const kind = newKind();
    const done: string[] = [];
    const dispatcher = dispatch(kind, async (job) => {
      done.push(job.lane);
      await store.change(complete, job);
    });
    expect(await store.change(pauseLane, { kind, lane: 'a', appId: 'app', reason: 'bad key' })).toBe(true);
    expect(await store.change(pauseLane, { kind, lane: 'a', appId: 'app', reason: 'bad key' })).toBe(false);
    await add(kind, 'a', [{}]);
    await add(kind, 'b', [{}]);
    await until(() => done.length === 1);
    expect(done).toEqual(['b']);
    expect(await readPauses(store, kind, Date.now())).toMatchObject([{ lane: 'a', reason: 'bad key' }]);
    expect(await store.change(resumeLane, { kind, lane: 'a' })).toBe(true);
    await until(() => done.length === 2);
    await dispatcher.stop();
  });

  it('mends a clock that was put back once, however many processes notice, and once more when it is put back again', async () => {
    const kind = newKind();
    const hour = 3_600_000;
    await add(kind, 'a', [{}]);
    const [job] = await claim(kind, 'one');
    if (job === undefined) throw new Error('nothing was claimed');
    const now = Date.now();
    await store.change(retry, { job, at: now + 3 * hour, error: 'too many' });
    await store.change(pauseLane, { kind, lane: 'b', appId: 'app', reason: 'slow', until: now + 3 * hour });
    const waits = async () => [
      await store.get('SELECT ready_at FROM outbox WHERE kind = $1', [kind]),
      ...(await readPauses(store, kind, Date.now())),
    ];
    const notice = (ahead: number) => store.change(mendClock, { kind, was: Date.now() + ahead, leaseMs: 20_000 });
    await notice(hour);
    const mended = await waits();
    expect(mended).toMatchObject([{ ready_at: expect.any(Number) }, { lane: 'b' }]);
    const left = Number((await store.get('SELECT ready_at FROM outbox WHERE kind = $1', [kind]))?.ready_at) - now;
    expect(Math.round(left / hour)).toBe(2);
    await Promise.all([notice(hour), notice(hour)]);
    expect(await waits()).toEqual(mended);
    expect(await waiting(kind)).toMatchObject([{ lane: 'a', jobs: 1, paused: undefined }, { lane: 'b' }]);
    await notice(4 * hour);
    expect(await claim(kind, 'two')).toHaveLength(1);
  });

  it('tries a job again whose handler broke, and gives back what is in hand when it stops', async () => {
    const kind = newKind();
    let tries = 0;
    const dispatcher = dispatch(kind, async (job) => {
      tries++;
      if (tries === 1) throw new Error('broken');
      if (tries === 2) return new Promise(() => {});
      await store.change(complete, job);
    });
    await add(kind, 'a', [{}]);
    await until(() => tries === 2);
    await dispatcher.stop(10);
    expect(await waiting(kind)).toMatchObject([{ jobs: 1, leased: 0 }]);
    expect(await claim(kind, 'next')).toMatchObject([{ attempts: 2 }]);
  });
});
