import { randomBytes } from 'node:crypto';
import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import { type Parent, spanKinds, type Tracer } from '../tracing.ts';
import { backoffMs } from './backoff.ts';
import { ClockWatch, mendClock } from './clock-watch.ts';
import { insist } from './insist.ts';
import { type Birthright, claimJobs, everyLane, type Job, releaseJobs, renewLeases } from './jobs.ts';
import { lanesDue, readPauses } from './lanes.ts';
import { retry } from './settle.ts';

/** Does the job and settles it (`settle.ts`) in a change of its own. Throwing puts the job back for later. */
export type Handle = (job: Job) => Promise<void>;

export interface DispatcherOptions {
  kind: string;
  handle: Handle;
  /** Jobs in hand at once, in one lane and in all. Priority 0 has `urgentPerLane` slots beside. */
  perLane?: number;
  urgentPerLane?: number;
  total?: number;
  leaseMs?: number;
  /** How long a job that nobody announced (another process's, a retry, a schedule) may wait unseen. */
  pollMs?: number;
  /** Each job is a span. */
  tracer?: Tracer | undefined;
}

interface InHand {
  job: Job;
  done: Promise<void>;
  since: number;
  /** Its lane was woken meanwhile: perhaps by its own handler, which has put it back. */
  isWoken: boolean;
}

interface LaneLoad {
  urgent: number;
  ordinary: number;
}

interface Due {
  urgent: boolean;
  ordinary: boolean;
}

const standard = { perLane: 4, urgentPerLane: 256, total: 1024, leaseMs: 20_000, pollMs: 500 };

/**
 * Takes the jobs of one kind out of the outbox and hands them to their handler. Woken at once by what this process or
 * another commits; looks around every `pollMs` otherwise.
 */
export class Dispatcher {
  readonly worker = `${process.pid}.${randomBytes(6).toString('hex')}`;
  private readonly options: DispatcherOptions & typeof standard;
  private readonly inHand = new Map<string, InHand>();
  private readonly loads = new Map<string, LaneLoad>();
  /** Lanes that may have something due, and of which sort: asking costs a transaction. */
  private readonly due = new Map<string, Due>();
  private paused = new Set<string>();
  private polling: NodeJS.Timeout | undefined;
  private renewing: NodeJS.Timeout | undefined;
  private pumping: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private isLookAskedAgain = false;
  private isAskedAgain = false;
  private stopping = false;
  private readonly clock = new ClockWatch();
  private readonly store: Store;
  private readonly events: Events;

  constructor(store: Store, events: Events, options: DispatcherOptions) {
    this.store = store;
    this.events = events;
    this.options = { ...standard, ...options };
  }

  start(): void {
    const prefix = `outbox:${this.options.kind}:`;
    this.store.onTouch((topic) => {
      if (this.stopping) return;
      if (topic === undefined) void this.lookAround();
      else if (topic.startsWith(prefix)) this.wake(topic.slice(prefix.length));
    });
    this.polling = setInterval(() => void this.lookAround(), this.options.pollMs);
    this.renewing = setInterval(() => void this.renew(), this.options.leaseMs / 3);
    void this.lookAround();
  }

  /** Takes nothing more, lets what is in hand finish for `graceMs`, gives the rest back. */
  async stop(graceMs = 5000): Promise<void> {
    this.stopping = true;
    clearInterval(this.polling);
    await this.pumping;
    const all = Promise.allSettled([...this.inHand.values()].map(({ done }) => done));
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([all, grace]);
    clearTimeout(timer);
    // Until now nobody else may take what is in hand.
    clearInterval(this.renewing);
    const left = [...this.inHand.values()].map(({ job }) => job);
    if (left.length === 0) return;
    // Where that fails too the leases end by themselves.
    await this.store
      .change(releaseJobs, { jobs: left })
      .catch((error: unknown) => this.events.broken('jobs cannot be given back', error, { kind: this.options.kind }));
  }

  /** A lane has something due. */
  wake(lane: string): void {
    if (lane === everyLane) {
      void this.lookAround();
      return;
    }
    this.markDue(lane, { urgent: true, ordinary: true });
    if (this.loads.has(lane)) for (const held of this.inHand.values()) held.isWoken ||= held.job.lane === lane;
    this.pump();
  }

  private markDue(lane: string, { urgent, ordinary }: Due): void {
    const known = this.due.get(lane);
    this.due.set(lane, {
      urgent: urgent || known?.urgent === true,
      ordinary: ordinary || known?.ordinary === true,
    });
  }

  /** What urgent jobs could start at once, so that their change may commit them as leased by us already. */
  birthright(): Birthright | undefined {
    const { urgentPerLane, total, leaseMs } = this.options;
    if (this.stopping || this.inHand.size >= total) return undefined;
    const full = [...this.loads].filter(([, load]) => load.urgent >= urgentPerLane).map(([lane]) => lane);
    return { worker: this.worker, leaseMs, except: [...full, ...this.paused] };
  }

  /** Starts jobs that were born leased by us (see `enqueue`). Who made them may know more of them than the store tells. */
  adopt(jobs: readonly Job[], handle = this.options.handle): void {
    // Whoever claims does so for many; these are of the request that we are in.
    for (const job of jobs) this.begin(job, handle, this.options.tracer?.current);
  }

  get jobsInHand(): number {
    return this.inHand.size;
  }

  /** One look at a time: looks that wait for a slow store would otherwise take all of its connections. */
  private async lookAround(): Promise<void> {
    this.isLookAskedAgain = this.looking !== undefined;
    if (this.isLookAskedAgain) return this.looking;
    this.looking = this.look();
    await this.looking;
    this.looking = undefined;
    if (this.isLookAskedAgain && !this.stopping) await this.lookAround();
  }

  private async look(): Promise<void> {
    try {
      await this.mindClock();
      const now = Date.now();
      const pauses = await readPauses(this.store, this.options.kind, now);
      this.paused = new Set(pauses.map(({ lane }) => lane));
      const due = await lanesDue(this.store, this.options.kind, now);
      const running = due.filter(({ lane }) => !this.paused.has(lane));
      for (const { lane } of running) this.markDue(lane, { urgent: true, ordinary: true });
      this.events.queueSeen({
        kind: this.options.kind,
        inHand: this.inHand.size,
        oldestMs: now - Math.min(now, ...running.map(({ since }) => since)),
        lanesPaused: pauses.length,
      });
      this.pump();
    } catch (error) {
      this.events.broken('outbox cannot be read', error, { kind: this.options.kind });
    }
  }

  private async mindClock(): Promise<void> {
    const was = this.clock.putBackFrom();
    if (was === undefined) return;
    const { kind, leaseMs } = this.options;
    this.events.alarm('the clock was put back', { kind, seconds: Math.round((was - Date.now()) / 1000) });
    await this.store.change(mendClock, { kind, was, leaseMs });
  }

  private pump(): void {
    // A slot that comes free while we claim is not in what we asked for.
    this.isAskedAgain = this.pumping !== undefined;
    if (this.stopping || this.isAskedAgain || this.due.size === 0) return;
    this.pumping = this.claim()
      .catch((error: unknown) => {
        this.events.broken('outbox cannot be claimed', error, { kind: this.options.kind });
        return false;
      })
      .then((again) => {
        this.pumping = undefined;
        if (again || this.isAskedAgain) this.pump();
      });
  }

  /** Answers whether it is worth claiming again at once. */
  private async claim(): Promise<boolean> {
    const { kind, leaseMs } = this.options;
    const wanted = this.wanted();
    if (wanted.length === 0) return false;
    // What arrives while we claim is due again.
    for (const { lane, urgent, ordinary } of wanted) {
      const known = this.due.get(lane);
      const left = {
        urgent: known?.urgent === true && urgent === 0,
        ordinary: known?.ordinary === true && ordinary === 0,
      };
      if (left.urgent || left.ordinary) this.due.set(lane, left);
      else this.due.delete(lane);
    }
    const claim = {
      dialect: this.store.dialect,
      kind,
      worker: this.worker,
      leaseMs,
      lanes: wanted,
      held: [...this.inHand.keys()],
    };
    let jobs: Job[];
    try {
      jobs = await this.store.change(claimJobs, claim);
    } catch (error) {
      for (const { lane } of wanted) this.markDue(lane, { urgent: true, ordinary: true });
      throw error;
    }
    const ordinary = new Map<string, number>();
    const urgent = new Map<string, number>();
    for (const job of jobs) {
      const counts = job.priority === 0 ? urgent : ordinary;
      counts.set(job.lane, (counts.get(job.lane) ?? 0) + 1);
      this.begin(job, this.options.handle);
    }
    // A lane that gave all it was asked for has perhaps more.
    for (const want of wanted) {
      const isFull = (limit: number, got: number | undefined): boolean => limit > 0 && got === limit;
      const more = {
        urgent: isFull(want.urgent, urgent.get(want.lane)),
        ordinary: isFull(want.ordinary, ordinary.get(want.lane)),
      };
      if (more.urgent || more.ordinary) this.markDue(want.lane, more);
    }
    return jobs.length > 0;
  }

  private wanted(): { lane: string; urgent: number; ordinary: number }[] {
    const { perLane, urgentPerLane, total } = this.options;
    let room = total - this.inHand.size;
    const wanted: { lane: string; urgent: number; ordinary: number }[] = [];
    for (const [lane, due] of this.due) {
      if (room <= 0) break;
      if (this.paused.has(lane)) {
        this.due.delete(lane);
        continue;
      }
      const load = this.loadOf(lane);
      const urgent = due.urgent ? Math.max(0, Math.min(room, urgentPerLane - load.urgent)) : 0;
      const ordinary = due.ordinary ? Math.max(0, Math.min(room, perLane - load.ordinary)) : 0;
      if (urgent === 0 && ordinary === 0) continue;
      wanted.push({ lane, urgent, ordinary });
      room -= Math.max(urgent, ordinary);
    }
    return wanted;
  }

  private begin(job: Job, handle: Handle, parent?: Parent): void {
    const load = this.loadOf(job.lane);
    const slot = job.priority === 0 ? 'urgent' : 'ordinary';
    load[slot]++;
    this.loads.set(job.lane, load);
    const done = this.run(job, handle, parent).finally(() => {
      if (this.inHand.get(job.id)?.isWoken === true) this.markDue(job.lane, { urgent: true, ordinary: true });
      this.inHand.delete(job.id);
      load[slot]--;
      if (load.urgent === 0 && load.ordinary === 0) this.loads.delete(job.lane);
      this.pump();
    });
    this.inHand.set(job.id, { job, done, since: performance.now(), isWoken: false });
  }

  private async run(job: Job, handle: Handle, parent: Parent | undefined): Promise<void> {
    try {
      await this.traced(job, handle, parent);
    } catch (error) {
      this.events.broken('job failed', error, { kind: job.kind, lane: job.lane, job: job.id });
      const message = error instanceof Error ? error.message : String(error);
      const at = Date.now() + backoffMs(job.attempts);
      // Where the store is the one that failed, the job waits for it in hand. Whatever else it is, the lease ends by itself.
      await insist(
        () => this.store.change(retry, { job, at, error: message }),
        () => {},
      ).catch(() => {});
    }
  }

  private traced(job: Job, handle: Handle, parent: Parent | undefined): Promise<void> {
    const { tracer } = this.options;
    if (tracer === undefined) return handle(job);
    const attributes = {
      'messaging.system': 'gatehouse',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': job.kind,
      'messaging.batch.message_count': job.size,
      'gatehouse.job.attempt': job.attempts,
    };
    const span = tracer.begin(`process ${job.kind}`, spanKinds.consumer, attributes, parent);
    return tracer.around(span, () => handle(job));
  }

  private loadOf(lane: string): LaneLoad {
    return this.loads.get(lane) ?? { urgent: 0, ordinary: 0 };
  }

  private async renew(): Promise<void> {
    const { leaseMs } = this.options;
    // A lease that is young is good for another round, and most jobs are done by then.
    const before = performance.now() - leaseMs / 20;
    const ids = [...this.inHand].filter(([, { since }]) => since < before).map(([id]) => id);
    if (ids.length === 0) return;
    await this.store
      .change(renewLeases, { worker: this.worker, leaseMs, ids })
      .catch((error: unknown) => this.events.broken('leases cannot be renewed', error, { kind: this.options.kind }));
  }
}
