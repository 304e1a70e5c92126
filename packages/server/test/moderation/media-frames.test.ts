import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FrameTaker, framesMax } from '../../src/moderation/media-frames.ts';
import { mediaTypeOf } from '../../src/moderation/media-type.ts';
import { colourOf, filmOf, hasFfmpeg } from './pictures.ts';

const taker = new FrameTaker('ffmpeg');
const colourName = (frame: Buffer): string => {
  const [red = 0, green = 0] = colourOf(frame);
  return red > green ? 'red' : 'green';
};
const coloursOf = async (film: Buffer, container: string): Promise<string[]> => {
  const taken = await taker.take(film, container, 60_000);
  if (taken.kind === 'failed') throw new Error(taken.reason);
  return taken.frames.map(colourName);
};
const greenThenRed: [string, number][] = [
  ['green', 2],
  ['red', 28],
];
const mpeg4 = ['-c:v', 'mpeg4', '-bf', '0'];
/** The element of Matroska that says how long a film is: a floating point number of milliseconds. */
const durationElement = Buffer.from('448988', 'hex');
const reds = (colours: readonly string[]): number => colours.filter((colour) => colour === 'red').length;

describe.runIf(hasFfmpeg)('the frames that stand for a film', () => {
  it('are spread over a film that says it is hours long', async () => {
    const film = filmOf(greenThenRed, 'mkv', [...mpeg4, '-g', '10']);
    const at = film.indexOf(durationElement) + durationElement.length;
    expect(film.readDoubleBE(at)).toBe(30_000);
    film.writeDoubleBE(36_000_000, at);
    const colours = await coloursOf(film, 'matroska');
    expect(colours[0]).toBe('green');
    expect(reds(colours)).toBeGreaterThanOrEqual(8);
  });

  it('are spread over a film that does not say how long it is', async () => {
    const live = ['-live', '1', '-c:v', 'libvpx', '-g', '5'];
    const parts: [string, number][] = [
      ['green', 15],
      ['red', 15],
    ];
    const colours = await coloursOf(filmOf(parts, 'webm', live), 'matroska');
    expect(colours.slice(0, 5)).toEqual(Array(5).fill('green'));
    expect(colours.slice(-5)).toEqual(Array(5).fill('red'));
  });

  it('are spread over the pictures of a film with a longer sound', async () => {
    const sound = ['-f', 'lavfi', '-t', '1200', '-i', 'anullsrc=r=8000:cl=mono'];
    const options = [...mpeg4, '-g', '10', '-map', '2:a', '-c:a', 'aac', '-b:a', '8k'];
    const colours = await coloursOf(filmOf(greenThenRed, 'mp4', options, sound), 'mov');
    expect(reds(colours)).toBeGreaterThanOrEqual(8);
  });

  it('are others where there are too few key frames', async () => {
    const oneKey = [...mpeg4, '-g', '600', '-sc_threshold', '1000000000'];
    const colours = await coloursOf(filmOf(greenThenRed, 'mp4', oneKey), 'mov');
    expect(colours.length).toBeGreaterThanOrEqual(framesMax);
    expect(reds(colours)).toBeGreaterThanOrEqual(10);
  });

  it('are spread by counting where the last timestamp is far away', async () => {
    const late = ['-bsf:v', "setts=ts='if(eq(N,299),PTS*1000,PTS)'"];
    const colours = await coloursOf(filmOf(greenThenRed, 'mkv', [...mpeg4, '-g', '10', ...late]), 'matroska');
    expect(reds(colours)).toBeGreaterThanOrEqual(4);
  });

  it('are the whole of a film of few frames', async () => {
    const parts: [string, number][] = [
      ['green', 0.2],
      ['red', 0.1],
    ];
    const oneKey = [...mpeg4, '-g', '600', '-sc_threshold', '1000000000'];
    expect(await coloursOf(filmOf(parts, 'mkv', oneKey), 'matroska')).toEqual(['green', 'green', 'red']);
  });

  it('are taken from an animated PNG as well', async () => {
    const parts: [string, number][] = [
      ['green', 1],
      ['red', 1],
    ];
    const animation = filmOf(parts, 'apng', ['-f', 'apng', '-pix_fmt', 'rgb24']);
    expect(mediaTypeOf(animation)).toMatchObject({ kind: 'image', container: 'apng' });
    const colours = await coloursOf(animation, 'apng');
    expect(colours[0]).toBe('green');
    expect(colours.at(-1)).toBe('red');
  });

  it('are those that came where decoding all of them takes too long, and the key frames', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-slow-ffmpeg-'));
    try {
      const slow = join(folder, 'ffmpeg');
      const lines = ['#!/bin/sh', 'case "$*" in *framecrc*|*nokey*) exec ffmpeg "$@";; esac', 'ffmpeg "$@"'];
      writeFileSync(slow, [...lines, 'exec sleep 600', ''].join('\n'), { mode: 0o700 });
      const oneKey = [...mpeg4, '-g', '600', '-sc_threshold', '1000000000'];
      const taken = await new FrameTaker(slow).take(filmOf(greenThenRed, 'mp4', oneKey), 'mov', 8000);
      expect(taken).toMatchObject({ kind: 'frames', failure: 'The video could not be read in time.' });
      const colours = taken.kind === 'frames' ? taken.frames.map(colourName) : [];
      expect(reds(colours)).toBeGreaterThanOrEqual(10);
      expect(colours.at(-1)).toBe('green');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are the cover of a sound that has no other picture', async () => {
    const parts: [string, number][] = [
      ['red', 0.1],
      ['red', 0.1],
    ];
    const sound = ['-f', 'lavfi', '-t', '5', '-i', 'anullsrc=r=8000:cl=mono'];
    const cover = ['-frames:v', '1', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-disposition:v:0', 'attached_pic'];
    const song = filmOf(parts, 'mp4', [...cover, '-map', '2:a', '-c:a', 'aac'], sound);
    expect(await coloursOf(song, 'mov')).toEqual(['red']);
  });

  it('are not taken from a film of which no packet can be read', async () => {
    const film = filmOf(greenThenRed, 'mp4', mpeg4).subarray(0, 600);
    expect(await taker.take(film, 'mov', 60_000)).toEqual({ kind: 'failed', reason: 'The video could not be read.' });
  });
});
