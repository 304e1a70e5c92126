import { Worker } from 'node:worker_threads';
import type { Judge, Message, Verdict } from '@gatehouse/judge';
import { ApiError } from '../errors.ts';
import type { JudgeAnswer, JudgeRequest } from './judge-worker.ts';

/** Judges that the thread holds at a time. */
const heldMax = 50;
/** Long messages of one app that may wait. */
const waitingMax = 64;

interface Job {
  judge: Judge;
  message: Message;
  resolve(verdict: Verdict): void;
  reject(error: Error): void;
}

/**
 * Judges long messages in a thread of their own: a megabyte made to be slow takes seconds, and nobody else waits for it.
 * One at a time, and the apps take turns.
 */
export class LongMessages {
  private worker: Worker | undefined;
  private running: Job | undefined;
  private readonly waiting = new Map<string, Job[]>();
  /** What the thread holds, the longest unused first. */
  private readonly keys = new Map<Judge, number>();
  private nextKey = 1;
  private closed = false;

  judge(appId: string, judge: Judge, message: Message): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      const queue = this.waiting.get(appId) ?? [];
      if (queue.length >= waitingMax) {
        reject(
          new ApiError('ERR_TOO_MANY_REQUESTS', {
            message: `${waitingMax} long messages of this app wait to be judged already. Try again in a moment.`,
            headers: { 'retry-after': '1' },
          }),
        );
        return;
      }
      queue.push({ judge, message, resolve, reject });
      this.waiting.set(appId, queue);
      this.next();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.worker?.terminate();
  }

  private next(): void {
    if (this.running !== undefined || this.closed) return;
    for (const [appId, queue] of this.waiting) {
      // Taken from the front, put back at the end: whoever was served waits for all the others.
      this.waiting.delete(appId);
      const job = queue.shift();
      if (queue.length > 0) this.waiting.set(appId, queue);
      if (job === undefined) continue;
      this.running = job;
      const worker = this.worker ?? this.start();
      worker.ref();
      this.send(worker, { kind: 'judge', key: this.hold(worker, job.judge), message: job.message });
      return;
    }
    this.worker?.unref();
  }

  private settle(settle: (job: Job) => void): void {
    const { running } = this;
    this.running = undefined;
    if (running !== undefined) settle(running);
    this.next();
  }

  private hold(worker: Worker, judge: Judge): number {
    const known = this.keys.get(judge);
    const key = known ?? this.nextKey++;
    this.keys.delete(judge);
    this.keys.set(judge, key);
    if (known === undefined) this.send(worker, { kind: 'hold', key, judge: judge.serialise() });
    for (const [oldest, oldestKey] of this.keys) {
      if (this.keys.size <= heldMax) break;
      this.keys.delete(oldest);
      this.send(worker, { kind: 'forget', key: oldestKey });
    }
    return key;
  }

  private send(worker: Worker, request: JudgeRequest): void {
    worker.postMessage(request);
  }

  private start(): Worker {
    const worker = new Worker(workerUrl());
    worker.on('message', (answer: JudgeAnswer) =>
      this.settle((job) => ('verdict' in answer ? job.resolve(answer.verdict) : job.reject(new Error(answer.failure)))),
    );
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.worker = undefined;
      this.keys.clear();
      this.settle((job) => job.reject(new Error('The thread that judges long messages ended.')));
    });
    this.worker = worker;
    return worker;
  }
}

/** Tests run the sources, which a worker thread of Node 20 cannot load; the thread then runs the built file. */
function workerUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? '../../dist/moderation/judge-worker.js' : './judge-worker.js', import.meta.url);
}
