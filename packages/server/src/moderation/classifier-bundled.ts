import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Events } from '../events.ts';
import type { Classified, Classifier, Picture } from './classifier.ts';
import { bundledLabels } from './classifier-labels.ts';
import type { WorkerAnswer, WorkerRequest } from './classifier-worker.ts';

export const notInstalled =
  'The bundled classifier is not installed. Run: npm ci --ignore-scripts --prefix packages/server/classifier (about 370 MB), then restart.';
/** The file that knows the packages: beside the sources as well as beside the built files. */
export const bundledLoader = fileURLToPath(new URL('../../classifier/load.js', import.meta.url));
/** A thread that says nothing for so long, with work in hand, will not say anything any more. */
const silentMsMax = 60_000;

/** The model that nsfwjs carries, in a thread that starts with the first picture. */
export class BundledClassifier implements Classifier {
  readonly name = 'nsfwjs-4.3.0-mobilenet-v2:1';
  readonly labels = bundledLabels;
  private readonly events: Events;
  private readonly loader: string;
  private readonly waiting = new Map<number, (answer: Classified) => void>();
  private worker: Worker | undefined;
  private missing: string | undefined;
  private lastId = 0;
  private heardAt = 0;
  /** When each request was posted that the thread has not answered: the oldest first. Nobody may be waiting for it any more. */
  private readonly posted = new Map<number, number>();
  private readonly silentMsMax: number;

  constructor(events: Events, loader = bundledLoader, options: { silentMsMax?: number } = {}) {
    this.events = events;
    this.loader = loader;
    this.missing = isInstalled(loader) ? undefined : notInstalled;
    this.silentMsMax = options.silentMsMax ?? silentMsMax;
  }

  classify({ bytes }: Picture, timeoutMs: number): Promise<Classified> {
    if (this.missing !== undefined) return Promise.resolve({ kind: 'failed', reason: this.missing });
    const began = performance.now();
    const worker = this.thread();
    const id = ++this.lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.end(id, { kind: 'failed', reason: 'The classifier did not answer in time.' });
        if (this.worker === worker && this.silentMs() > this.silentMsMax) this.giveUp(worker);
      }, timeoutMs);
      this.waiting.set(id, (answer) => {
        clearTimeout(timer);
        this.events.asked('classifier', answer.kind, performance.now() - began);
        resolve(answer);
      });
      this.posted.set(id, began);
      worker.postMessage({ id, bytes, until: Date.now() + timeoutMs } satisfies WorkerRequest);
    });
  }

  whyNot(): string | undefined {
    return this.missing;
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private thread(): Worker {
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(workerUrl(), { workerData: { loader: this.loader } });
    worker.unref();
    worker.on('message', (answer: WorkerAnswer) => {
      if (this.worker === worker) this.hear(answer);
    });
    worker.on('error', (error) => this.events.broken('classifier thread failed', error));
    worker.on('exit', () => this.giveUp(worker));
    this.worker = worker;
    return worker;
  }

  /** The next picture starts another thread. */
  private giveUp(worker: Worker): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.posted.clear();
    this.failAll('The classifier stopped.');
    void worker.terminate();
  }

  private hear(answer: WorkerAnswer): void {
    this.heardAt = performance.now();
    if (answer.kind !== 'missing') {
      this.posted.delete(answer.id);
      this.end(answer.id, answer.classified);
      return;
    }
    if (answer.reason === 'not installed') this.missing = notInstalled;
    else {
      this.missing = 'The bundled classifier could not be loaded. The log says why.';
      this.events.broken('classifier cannot be loaded', new Error(answer.reason));
    }
    this.failAll(this.missing);
  }

  /** A thread without work has nothing to say, however long that is. */
  private silentMs(): number {
    const [oldest] = this.posted.values();
    return oldest === undefined ? 0 : performance.now() - Math.max(oldest, this.heardAt);
  }

  private failAll(reason: string): void {
    for (const id of [...this.waiting.keys()]) this.end(id, { kind: 'failed', reason });
  }

  private end(id: number, answer: Classified): void {
    this.waiting.get(id)?.(answer);
    this.waiting.delete(id);
  }
}

/** Whether the packages named beside the loader are there. Whether they load is known only when they do. */
export function isInstalled(loader: string): boolean {
  if (!existsSync(loader)) return false;
  const list = join(dirname(loader), 'package.json');
  if (!existsSync(list)) return true;
  const { dependencies = {} } = JSON.parse(readFileSync(list, 'utf8')) as { dependencies?: Record<string, string> };
  const { resolve } = createRequire(loader);
  // By a file of each, since `buffer` alone is a part of Node.
  return Object.keys(dependencies)
    .map((name) => `${name}/package.json`)
    .every((file) => resolve.paths(file)?.some((folder) => existsSync(join(folder, file))));
}

/** Tests run the sources, which a worker thread of Node 20 cannot load; the thread then runs the built file. */
function workerUrl(): URL {
  const file = 'classifier-worker.js';
  return new URL(import.meta.url.endsWith('.ts') ? `../../dist/moderation/${file}` : `./${file}`, import.meta.url);
}
