import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Frames that stand for a film. Spread over its whole length: what is shown for a moment may be missed, and the guide says so. */
export const framesMax = 12;
const frameSide = 512;
const outputBytesMax = 32 * 1024 * 1024;

export type Frames = { kind: 'frames'; frames: Buffer[] } | { kind: 'failed'; reason: string };

/** Takes key frames out of films with ffmpeg, a program of its own that cannot take this process down with it. */
export class FrameTaker {
  private readonly ffmpeg: string;
  private present: Promise<boolean> | undefined;

  constructor(ffmpeg: string) {
    this.ffmpeg = ffmpeg;
  }

  /** Looked for once, when first needed. */
  isPresent(): Promise<boolean> {
    this.present ??= run(this.ffmpeg, ['-version'], 5000).then(({ code }) => code === 0);
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
      const described = await run(this.ffmpeg, ['-hide_banner', ...input], left());
      const spacing = Math.max(0.04, durationOf(described.errors) / framesMax);
      const taken = await run(this.ffmpeg, frameArguments(input, spacing), left());
      const frames = splitJpegs(taken.output);
      if (taken.isTimedOut) return { kind: 'failed', reason: 'The video could not be read in time.' };
      return frames.length === 0
        ? { kind: 'failed', reason: 'The video could not be read.' }
        : { kind: 'frames', frames };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function frameArguments(input: readonly string[], spacing: number): string[] {
  const pick = `select='isnan(prev_selected_t)+gte(t-prev_selected_t\\,${spacing.toFixed(3)})'`;
  const shrink = `scale='min(${frameSide}\\,iw)':-2`;
  return [
    ...['-v', 'error', '-threads', '1', '-max_alloc', '268435456', '-skip_frame', 'nokey', ...input],
    ...['-map', '0:v:0', '-vf', `${pick},${shrink}`, '-vsync', 'vfr', '-frames:v', String(framesMax + 1)],
    ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '4', 'pipe:1'],
  ];
}

/** What ffmpeg says of the film's length; 0 when it does not know. */
function durationOf(described: string): number {
  const found = /Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(described);
  return found === null ? 0 : Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3]);
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
  errors: string;
  isTimedOut: boolean;
}

function run(program: string, args: readonly string[], timeoutMs: number): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > outputBytesMax) child.kill('SIGKILL');
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 16_384) errors += chunk.toString('utf8');
    });
    child.on('error', () => resolve({ code: null, output: Buffer.alloc(0), errors: '', isTimedOut: false }));
    child.on('close', (code, signal) =>
      resolve({ code, output: Buffer.concat(output), errors, isTimedOut: signal === 'SIGKILL' }),
    );
  });
}
