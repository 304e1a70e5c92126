import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from '../../src/moderation/media-type.ts';
import { png, saidToMove } from './pictures.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const box = (brand: string): Buffer => bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0`);

describe('what bytes are', () => {
  it.each([
    ['image/png', png(1, 1, [0, 0, 0])],
    ['image/png', saidToMove(png(1, 1, [0, 0, 0]))],
    ['image/png', png(1, 1, [0, 0, 0], 'acTL')],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/gif', bytes('GIF89a....')],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8 ')],
    ['image/tiff', bytes('II*\0....')],
    ['image/avif', box('avif')],
    ['image/heic', box('heic')],
    ['image/bmp', bytes(`BM${'\x36\x10\0\0'}\0\0\0\0\x36\0\0\0${'\0'.repeat(20)}`)],
    ['video/mp4', box('isom')],
    ['video/mp4', box('mp42')],
    ['video/quicktime', box('qt  ')],
    ['video/webm', bytes('\x1a\x45\xdf\xa3....')],
    ['video/x-msvideo', bytes('RIFF\0\0\0\0AVI LIST')],
    ['video/mp2t', bytes(`\x47${'\0'.repeat(187)}\x47`)],
  ])('are seen as %s', (mimeType, content) => {
    expect(mediaTypeOf(content)?.mimeType).toBe(mimeType);
  });

  it.each([
    ['nothing', bytes('')],
    ['a page', bytes('<!doctype html><img src="x.png">')],
    ['an SVG', bytes('<?xml version="1.0"?><svg/>')],
    ['a playlist', bytes('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd')],
    ['a list of films', bytes("ffconcat version 1.0\nfile '/etc/passwd'")],
    ['a text that begins like a bitmap', bytes('BMW is a car maker from Munich, Bavaria, Germany')],
    ['sound', box('M4A ')],
    ['a program', bytes('\x7fELF')],
    ['a document', bytes('%PDF-1.7')],
  ])('%s is neither a picture nor a film', (_, content) => {
    expect(mediaTypeOf(content)).toBeUndefined();
  });

  it.each(['avis', 'avif', 'mif1'])('of a picture of the brand %s that moves are looked at as a film is', (brand) => {
    const moving = bytes(`\0\0\0\x1cftyp${brand}\0\0\0\0avifavismiaf`);
    expect(mediaTypeOf(moving)).toMatchObject({ kind: 'image', container: 'mov' });
    const still = bytes(`\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf`);
    expect(mediaTypeOf(still)).toEqual({ kind: 'image', mimeType: 'image/avif' });
  });

  it('is found for any bytes without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (content) => {
        const type = mediaTypeOf(Buffer.from(content));
        return type?.kind !== 'video' || type.container !== undefined;
      }),
    );
  });
});
