import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FilmMeasure } from './film-measure.ts';

/** Frames that stand for a film. Spread over its whole length: what is shown for a moment may be missed, and the guide says so. */
export const framesMax = 12;
/** A film that changes its size begins anew with each size; one that does so all the time only wants to hide the rest. */
const framesTakenMax = 2 * framesMax + 1;
const frameSide = 512;
/** Of the time that is left, for one decoding. */
const decodingShare = 0.6;
const outputBytesMax = 32 * 1024 * 1024;

const tooSlow = 'The video could not be read in time.';
export const noFfmpeg =
  'Videos and animated pictures other than GIF and WebP are not configured: ffmpeg is not installed (see GATEHOUSE_FFMPEG).';

/** A failure beside the frames: they are not all that there should be. */
export type Frames = { kind: 'frames'; frames: Buffer[]; failure?: string } | { kind: 'failed'; reason: string };

/** Takes key frames out of films with ffmpeg, a program of its own that cannot take this process down with it. */
export class FrameTaker {
  private readonly ffmpeg: string;
  private present: Promise<boolean> | undefined;

  constructor(ffmpeg: string) {
    this.ffmpeg = ffmpeg;
  }

  /** Looked for once, when first needed; again where a busy machine gave no answer. */
  isPresent(): Promise<boolean> {
    this.present ??= run(this.ffmpeg, ['-version'], 5000).then(({ code, isTimedOut }) => {
      if (isTimedOut) this.present = undefined;
      return code === 0;
    });
    return this.present;
  }

  async take(film: Buffer, container: string, timeoutMs: number): Promise<Frames> {
    const deadline = performance.now() + timeoutMs;
    const left = (): number => Math.max(1, Math.ceil(deadline - performance.now()));
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-film-'));
    try {
      // A file, since the index of a film is often at its end.
      const file = join(folder, 'film');
      await writeFile(file, film, { mode: 0o600 });
      const input = ['-nostdin', '-protocol_whitelist', 'file', '-f', container, '-i', file];
      const ofFilm = await this.measure([...input, ...filmTrack], left());
      // Sound with nothing but a cover shows its cover.
      const measured =
        ofFilm.measure.packets === 0 && !ofFilm.isTimedOut
          ? await this.measure([...input, ...coverTrack], left())
          : ofFilm;
      const { measure, source } = measured;
      if (measure.isTooLong) return { kind: 'failed', reason: 'The video has too many frames.' };
      if (measured.isTimedOut) return { kind: 'failed', reason: tooSlow };
      if (measure.packets === 0) return { kind: 'failed', reason: 'The video could not be read.' };
      return toFrames(await this.pick(source, measure, left));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async measure(source: readonly string[], timeoutMs: number): Promise<Measured> {
    const measure = new FilmMeasure();
    const { isTimedOut } = await run(this.ffmpeg, measureArguments(source), timeoutMs, (chunk) => measure.read(chunk));
    return { source, measure, isTimedOut };
  }

  /** Whoever looks at the frames needs time too: what was taken till then is worth more than nothing. */
  private async pick(source: readonly string[], measure: FilmMeasure, left: () => number): Promise<Picked> {
    const some = (): number => Math.ceil(left() * decodingShare);
    const keys = measure.hasEnoughKeys() ? await this.framesOf(source, keyFrames(measure), some()) : undefined;
    // Which frames are key frames is the sender's word too: too few of them, and every frame is read.
    if (keys !== undefined && (keys.isTimedOut || keys.frames.length >= measure.slotsOfKeys(framesMax) - 1))
      return keys;
    const any = await this.framesOf(source, anyFrames(measure), some());
    if (!any.isTimedOut) return any;
    // The key frames are soon found, and some may be beyond where the time was over.
    const beyond = keys ?? (await this.framesOf(source, keyFrames(measure), some()));
    return { frames: [...any.frames, ...beyond.frames], isTimedOut: true };
  }

  private async framesOf(source: readonly string[], choice: Choice, timeoutMs: number): Promise<Picked> {
    const { output, isTimedOut } = await run(this.ffmpeg, frameArguments(source, choice), timeoutMs);
    return { frames: splitJpegs(output), isTimedOut };
  }
}

interface Picked {
  frames: Buffer[];
  isTimedOut: boolean;
}

function toFrames({ frames, isTimedOut }: Picked): Frames {
  if (frames.length === 0) return { kind: 'failed', reason: isTimedOut ? tooSlow : 'The video could not be read.' };
  if (isTimedOut) return { kind: 'frames', frames, failure: tooSlow };
  return frames.length < framesTakenMax
    ? { kind: 'frames', frames }
    : { kind: 'frames', frames, failure: 'The video changes its size too often to be looked at.' };
}

interface Measured {
  /** The file and the track of it that was measured. */
  source: readonly string[];
  measure: FilmMeasure;
  isTimedOut: boolean;
}

function measureArguments(source: readonly string[]): string[] {
  return ['-v', 'error', ...source, '-c', 'copy', '-copyinkf', '-f', 'framecrc', 'pipe:1'];
}

/** A cover is no film. */
const filmTrack = ['-map', '0:V:0'];
const coverTrack = ['-map', '0:v:0'];

interface Choice {
  decoding: readonly string[];
  /** Of a frame: how much of the film lies before it, 0 to 1. */
  place: string;
}

function keyFrames({ seconds }: FilmMeasure): Choice {
  return { decoding: ['-skip_frame', 'nokey'], place: `t/${seconds}` };
}

/** Timestamps are the sender's word: half of a frame's place is by the clock, half by counting. */
function anyFrames({ seconds, packets }: FilmMeasure): Choice {
  return { decoding: [], place: `if(isnan(t)\\,n/${packets}\\,(t/${seconds}+n/${packets})/2)` };
}

function frameArguments(source: readonly string[], { decoding, place }: Choice): string[] {
  // The first frame of each slot; 0 holds the next slot to be filled, 1 where this frame stands.
  const pick = `select='if(gte(st(1\\,${place})*${framesMax}\\,ld(0))\\,st(0\\,floor(ld(1)*${framesMax})+1))'`;
  const shrink = `scale='min(${frameSide}\\,iw)':-2`;
  return [
    ...['-v', 'error', '-threads', '1', '-max_alloc', '268435456', ...decoding, ...source],
    ...['-vf', `${pick},${shrink}`, '-vsync', 'vfr', '-frames:v', String(framesTakenMax)],
    // One thread and no buffer: a frame that was taken is there when the time is over.
    ...['-threads', '1', '-flush_packets', '1'],
    ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '4', 'pipe:1'],
  ];
}

/** An end mark cannot occur inside the data of a JPEG that ffmpeg wrote: 0xff is always followed by 0 there. */
function splitJpegs(stream: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let from = 0; ; ) {
    const end = stream.indexOf('ffd9', from, 'hex');
    if (end === -1) return frames;
    frames.push(stream.subarray(from, end + 2));
    from = end + 2;
  }
}

interface Ran {
  code: number | null;
  output: Buffer;
  isTimedOut: boolean;
}

/** `read` is given the output as it comes, and says when there is enough of it. */
function run(
  program: string,
  args: readonly string[],
  timeoutMs: number,
  read?: (chunk: Buffer) => boolean,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const output: Buffer[] = [];
    let outputBytes = 0;
    const keep = (chunk: Buffer): boolean => {
      outputBytes += chunk.length;
      output.push(chunk);
      return outputBytes > outputBytesMax;
    };
    child.stdout.on('data', (chunk: Buffer) => {
      if ((read ?? keep)(chunk)) child.kill('SIGKILL');
    });
    child.on('error', () => resolve({ code: null, output: Buffer.alloc(0), isTimedOut: false }));
    child.on('close', (code, signal) =>
      resolve({ code, output: Buffer.concat(output), isTimedOut: signal === 'SIGKILL' }),
    );
  });
}
