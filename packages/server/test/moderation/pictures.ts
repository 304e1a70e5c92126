/** Pictures and films made by the tests, byte by byte or by ffmpeg: none is kept in the repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour; `note` makes its bytes differ without changing what it shows. */
export function png(width: number, height: number, [r, g, b]: [number, number, number], note = ''): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x++) row.set([r, g, b], 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${note}`)),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG that says of itself that there is more to come, whether or not it does: a chunk after its header. */
export function saidToMove(still: Buffer): Buffer {
  const twoFramesForEver = Buffer.from('0000000200000000', 'hex');
  return Buffer.concat([still.subarray(0, 33), chunk('acTL', twoFramesForEver), still.subarray(33)]);
}

/** An animation of a huge canvas, of which each frame sets only the last pixel: a few hundred bytes. */
export function hugeGif(side: number, frames: number): Buffer {
  const twice = (number: number): string => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt16LE(number, 0);
    bytes.writeUInt16LE(number, 2);
    return bytes.toString('hex');
  };
  const head = `${Buffer.from('GIF89a').toString('hex')}${twice(side)}800000000000ffffff`;
  const frame = `21f904000a0000002c${twice(side - 1)}${twice(1)}000202440100`;
  return Buffer.from(`${head}${frame.repeat(frames)}3b`, 'hex');
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

const films = new Map<string, Buffer>();

/** A film that shows each colour for a second; made once a run. */
export function film(colours: readonly string[], extension: 'mp4' | 'webm' | 'avi'): Buffer {
  const key = `${colours} ${extension}`;
  const made = films.get(key) ?? makeFilm(colours, extension);
  films.set(key, made);
  return made;
}

/** A film of parts, made as ffmpeg is told to; each part is a colour and how many seconds it is shown. */
export function filmOf(
  parts: readonly [colour: string, seconds: number][],
  extension: string,
  options: readonly string[],
  alsoFrom: readonly string[] = [],
): Buffer {
  const inputs = parts.flatMap(([colour, d]) => ['-f', 'lavfi', '-i', `color=c=${colour}:s=64x48:r=10:d=${d}`]);
  return joinParts([...inputs, ...alsoFrom], parts.length, extension, options);
}

function joinParts(inputs: readonly string[], count: number, extension: string, options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-film-made-'));
  try {
    const file = join(folder, `film.${extension}`);
    const joined = `${Array.from({ length: count }, (_, i) => `[${i}:v]`).join('')}concat=n=${count}:v=1[out]`;
    execFileSync('ffmpeg', [
      ...['-nostdin', '-v', 'error', ...inputs, '-filter_complex', joined, '-map', '[out]'],
      ...[...options, file],
    ]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Red, green and blue of the middle of a picture. */
export function colourOf(picture: Buffer): number[] {
  const options = ['-v', 'error', '-i', 'pipe:0', '-vf', 'scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  return [...execFileSync('ffmpeg', options, { input: picture })];
}

function makeFilm(colours: readonly string[], extension: 'mp4' | 'webm' | 'avi'): Buffer {
  const inputs = colours.flatMap((colour) => ['-f', 'lavfi', '-i', `color=c=${colour}:s=64x48:r=5:d=1`]);
  const codec = { mp4: 'mpeg4', avi: 'mpeg4', webm: 'libvpx' }[extension];
  return joinParts(inputs, colours.length, extension, ['-c:v', codec, '-g', '2']);
}
