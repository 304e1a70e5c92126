import type { MediaKind } from './evidence.ts';

/** What some bytes are, by the bytes. Names, extensions and headers are what the sender says, and senders lie. */
export interface MediaType {
  kind: MediaKind;
  mimeType: string;
  /** Of what is looked at frame by frame: how ffmpeg calls the container; named, so that it never guesses and never takes a playlist for a film. */
  container?: string;
}

const image = (mimeType: string): MediaType => ({ kind: 'image', mimeType });
const video = (mimeType: string, container: string): MediaType => ({ kind: 'video', mimeType, container });

/** A picture that moves in a way that classifiers of pictures do not see: frames are taken out of it as out of a film. */
const animatedPng: MediaType = { kind: 'image', mimeType: 'image/png', container: 'apng' };

const stillBrands = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1']);
/** Pictures that move, whatever else they are as well. */
const sequenceBrands = new Set(['avis', 'msf1', 'hevc']);
const brandBytesMax = 4096;
const soundBrands = new Set(['M4A ', 'M4B ', 'M4P ', 'F4A ', 'F4B ']);

/** Undefined for everything that is neither a picture nor a film that we know. SVG is a document, not a picture. */
export function mediaTypeOf(bytes: Buffer): MediaType | undefined {
  const at = (from: number, to: number): string => bytes.toString('latin1', from, to);
  const head = at(0, 4);
  if (head.startsWith('\xff\xd8\xff')) return image('image/jpeg');
  if (at(0, 8) === '\x89PNG\r\n\x1a\n') return isAnimated(bytes) ? animatedPng : image('image/png');
  if (at(0, 6) === 'GIF87a' || at(0, 6) === 'GIF89a') return image('image/gif');
  if (head === 'II*\0' || head === 'MM\0*') return image('image/tiff');
  if (head === 'RIFF' && at(8, 12) === 'WEBP') return image('image/webp');
  if (head === 'RIFF' && at(8, 12) === 'AVI ') return video('video/x-msvideo', 'avi');
  // The two reserved fields of a bitmap are zero: two letters alone would be half of all texts.
  if (head.startsWith('BM') && bytes.length > 26 && bytes.readUInt32LE(6) === 0) return image('image/bmp');
  if (head === '\x1a\x45\xdf\xa3') return video('video/webm', 'matroska');
  if (head === 'FLV\x01') return video('video/x-flv', 'flv');
  if (head === 'OggS') return video('video/ogg', 'ogg');
  if (head === '\0\0\x01\xba') return video('video/mpeg', 'mpeg');
  if (bytes[0] === 0x47 && bytes[188] === 0x47) return video('video/mp2t', 'mpegts');
  return boxedTypeOf(at(4, 8), at(8, 12), brandsOf(bytes));
}

/** Of a PNG: whether it says, before its picture begins, that there are more. */
function isAnimated(png: Buffer): boolean {
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at)) {
    const chunk = png.toString('latin1', at + 4, at + 8);
    if (chunk === 'acTL' || chunk === 'IDAT') return chunk === 'acTL';
  }
  return false;
}

/** The brand of a file in boxes, and all others that it says it can be read as. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.length < 16) return [];
  const head = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), brandBytesMax));
  return head.match(/.{4}/gs) ?? [];
}

/** The family of MP4 and QuickTime, which still pictures and sound use too. */
function boxedTypeOf(box: string, brand: string, brands: readonly string[]): MediaType | undefined {
  if (box === 'moov' || box === 'mdat' || box === 'wide') return video('video/quicktime', 'mov');
  if (box !== 'ftyp' || soundBrands.has(brand)) return undefined;
  if (stillBrands.has(brand)) {
    const still = image(brand.startsWith('avi') ? 'image/avif' : 'image/heic');
    return brands.some((name) => sequenceBrands.has(name)) ? { ...still, container: 'mov' } : still;
  }
  return brand === 'qt  ' ? video('video/quicktime', 'mov') : video('video/mp4', 'mov');
}
