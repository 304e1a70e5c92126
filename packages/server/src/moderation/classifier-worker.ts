/** The thread of the bundled classifier. Everything heavy is loaded here, so that nobody else waits for it. */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { type Classified, type Scores, worstOf } from './classifier.ts';
import { type ClassScore, toScores } from './classifier-labels.ts';

/** `until` is when nobody waits for the answer any more, by the clock of the machine. */
export type WorkerRequest = { id: number; bytes: Uint8Array; until: number };
export type WorkerAnswer =
  | { kind: 'classified'; id: number; classified: Classified }
  /** Nothing will ever be scored: the parts are not installed, or do not load. */
  | { kind: 'missing'; reason: string };

/** As much of the packages as is used here: they are not installed where this is compiled. */
interface Tensor {
  dispose(): void;
}
interface Model {
  classify(image: Tensor): Promise<ClassScore[]>;
}
interface Sharp {
  metadata(): Promise<{ format?: string; width?: number; height?: number; pages?: number }>;
  timeout(options: { seconds: number }): Sharp;
  flatten(options: { background: string }): Sharp;
  toColourspace(space: string): Sharp;
  resize(width: number, height: number, options: { fit: string }): Sharp;
  raw(): Sharp;
  toBuffer(): Promise<Buffer>;
}
interface Parts {
  tf: {
    setBackend(name: string): Promise<boolean>;
    tensor3d(values: Int32Array, shape: [number, number, number], type: string): Tensor;
  };
  setWasmPaths(folder: string): void;
  wasmFolder: string;
  load(name: string, options: { modelDefinitions: unknown[] }): Promise<Model>;
  MobileNetV2Model: unknown;
  sharp: {
    (bytes: Uint8Array, options: { limitInputPixels: number; page?: number; failOn: string }): Sharp;
    cache(isOn: boolean): void;
  };
}

const side = 224;
/** A small file can hold a huge picture. */
const pixelsMax = 50_000_000;
/** Of all that must be decoded for a look at an animation: about a second. */
const animationPixelsMax = 4 * pixelsMax;
/** To reach a frame of these, all before it must be decoded. */
const builtUp = new Set(['gif', 'webp']);
/** Of an animation: what is hidden behind a harmless first picture is the point. */
const pagesMax = 4;

type Score = (bytes: Uint8Array, until: number) => Promise<Scores>;

async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  let score: Score;
  try {
    score = await loadModel((workerData as { loader: string }).loader);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    const reason = isMissing ? 'not installed' : String(error);
    port.postMessage({ kind: 'missing', reason } satisfies WorkerAnswer);
    return;
  }
  // One at a time: several would only wait for each other, in threads that the whole process reads its files with.
  let before: Promise<void> = Promise.resolve();
  port.on('message', ({ id, bytes, until }: WorkerRequest) => {
    before = before.then(async () => {
      const classified = await classify(score, bytes, until);
      port.postMessage({ kind: 'classified', id, classified } satisfies WorkerAnswer);
    });
  });
}

async function classify(score: Score, bytes: Uint8Array, until: number): Promise<Classified> {
  if (Date.now() >= until) return { kind: 'failed', reason: 'The classifier did not answer in time.' };
  try {
    return { kind: 'scored', scores: await score(bytes, until) };
  } catch (error) {
    const reason = error instanceof TooMuchToDecode ? error.message : 'The picture could not be read.';
    return { kind: 'failed', reason };
  }
}

class TooMuchToDecode extends Error {}

async function loadModel(loader: string): Promise<Score> {
  const parts = (await import(pathToFileURL(loader).href)) as Parts;
  const { tf, sharp } = parts;
  // No picture comes twice, and what is kept of a huge one is hundreds of megabytes.
  sharp.cache(false);
  parts.setWasmPaths(parts.wasmFolder);
  if (!(await tf.setBackend('wasm'))) throw new Error('The WASM backend did not start.');
  // The model announces itself on the console, which is not its to write to.
  console.info = () => {};
  console.warn = () => {};
  const model = await parts.load('MobileNetV2', { modelDefinitions: [parts.MobileNetV2Model] });

  const scorePage = async (bytes: Uint8Array, page: number, until: number): Promise<Scores> => {
    const pixels = await sharp(bytes, { limitInputPixels: pixelsMax, page, failOn: 'error' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .resize(side, side, { fit: 'fill' })
      .raw()
      .timeout({ seconds: Math.max(1, Math.ceil((until - Date.now()) / 1000)) })
      .toBuffer();
    const image = tf.tensor3d(new Int32Array(pixels), [side, side, 3], 'int32');
    try {
      return toScores(await model.classify(image));
    } finally {
      image.dispose();
    }
  };

  return async (bytes, until) => {
    const metadata = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' }).metadata();
    const { format = '', width = 0, height = 0, pages = 1 } = metadata;
    const count = Math.min(pages, pagesMax);
    const chosen = Array.from({ length: count }, (_, i) =>
      count === 1 ? 0 : Math.round((i * (pages - 1)) / (count - 1)),
    );
    const decoded = chosen.reduce((sum, page) => sum + (builtUp.has(format) ? page + 1 : 1), 0);
    if (width * height * decoded > animationPixelsMax)
      throw new TooMuchToDecode('The animation has too many pixels to be looked at.');
    const all: Scores[] = [];
    for (const page of chosen) all.push(await scorePage(bytes, page, until));
    return worstOf(all);
  };
}

if (parentPort !== null) await main(parentPort);
