/** The thread of the bundled classifier. Everything heavy is loaded here, so that nobody else waits for it. */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { type Classified, type Scores, worstOf } from './classifier.ts';
import { type ClassScore, toScores } from './classifier-labels.ts';

export type WorkerRequest = { id: number; bytes: Uint8Array };
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
  metadata(): Promise<{ pages?: number }>;
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
  sharp(bytes: Uint8Array, options: { limitInputPixels: number; page?: number; failOn: string }): Sharp;
}

const side = 224;
/** A small file can hold a huge picture. */
const pixelsMax = 50_000_000;
/** Of an animation: what is hidden behind a harmless first picture is the point. */
const pagesMax = 4;

async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  let score: (bytes: Uint8Array) => Promise<Scores>;
  try {
    score = await loadModel((workerData as { loader: string }).loader);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    const reason = isMissing ? 'not installed' : String(error);
    port.postMessage({ kind: 'missing', reason } satisfies WorkerAnswer);
    return;
  }
  port.on('message', ({ id, bytes }: WorkerRequest) => {
    const answer = (classified: Classified): void =>
      port.postMessage({ kind: 'classified', id, classified } satisfies WorkerAnswer);
    score(bytes).then(
      (scores) => answer({ kind: 'scored', scores }),
      () => answer({ kind: 'failed', reason: 'The picture could not be read.' }),
    );
  });
}

async function loadModel(loader: string): Promise<(bytes: Uint8Array) => Promise<Scores>> {
  const parts = (await import(pathToFileURL(loader).href)) as Parts;
  const { tf, sharp } = parts;
  parts.setWasmPaths(parts.wasmFolder);
  if (!(await tf.setBackend('wasm'))) throw new Error('The WASM backend did not start.');
  // The model announces itself on the console, which is not its to write to.
  console.info = () => {};
  console.warn = () => {};
  const model = await parts.load('MobileNetV2', { modelDefinitions: [parts.MobileNetV2Model] });

  const scorePage = async (bytes: Uint8Array, page: number): Promise<Scores> => {
    const pixels = await sharp(bytes, { limitInputPixels: pixelsMax, page, failOn: 'error' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .resize(side, side, { fit: 'fill' })
      .raw()
      .toBuffer();
    const image = tf.tensor3d(new Int32Array(pixels), [side, side, 3], 'int32');
    try {
      return toScores(await model.classify(image));
    } finally {
      image.dispose();
    }
  };

  return async (bytes) => {
    const { pages = 1 } = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' }).metadata();
    const count = Math.min(pages, pagesMax);
    const chosen = Array.from({ length: count }, (_, i) =>
      count === 1 ? 0 : Math.round((i * (pages - 1)) / (count - 1)),
    );
    const all: Scores[] = [];
    for (const page of chosen) all.push(await scorePage(bytes, page));
    return worstOf(all);
  };
}

if (parentPort !== null) await main(parentPort);
