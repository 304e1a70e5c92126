import { NotificationError } from './sender.ts';
import { WireText } from './wire-text.ts';

const ELLIPSIS = '…';
const ELLIPSIS_BYTES = 3;
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Bytes of a code point inside a JSON string, as JSON.stringify writes it in UTF-8. */
function jsonBytes(codePoint: number): number {
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  if (codePoint < 0x20) return codePoint >= 0x08 && codePoint <= 0x0d && codePoint !== 0x0b ? 2 : 6;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 6;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Bytes of a text inside a JSON string. */
export function jsonLength(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += jsonBytes(character.codePointAt(0) ?? 0);
  return bytes;
}

/**
 * The text cut to `bytesMax` bytes of JSON, ending in "…" if anything was cut, and never inside what a reader sees as one character
 * (an emoji family, a letter with its accents). Undefined when not even that fits.
 */
export function truncateJson(text: string, bytesMax: number): string | undefined {
  if (jsonLength(text) <= bytesMax) return text;
  let left = bytesMax - ELLIPSIS_BYTES;
  if (left < 0) return bytesMax >= 0 ? '' : undefined;
  let end = 0;
  while (end < text.length) {
    const codePoint = text.codePointAt(end) ?? 0;
    left -= jsonBytes(codePoint);
    if (left < 0) break;
    end += codePoint > 0xffff ? 2 : 1;
  }
  return cutBefore(text, end);
}

/** The text cut to `lengthMax` UTF-16 units in the same way, its "…" included. */
export function truncateText(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : cutBefore(text, lengthMax - ELLIPSIS.length);
}

/** The text up to the character at `end`, which is left out whole, and marked as cut. */
export function cutBefore(text: string, end: number): string {
  const start = characters.segment(text).containing(end)?.index ?? end;
  return text.slice(0, start) + ELLIPSIS;
}

/**
 * What `encode` makes of the fields, those a reader can do with less of shortened, first to last, until it fits. Throws a
 * `NotificationError` when it never does.
 */
export function fitFields(
  fields: readonly string[],
  bytesMax: number,
  encode: (fields: readonly string[]) => string,
): WireText {
  let encoded = new WireText(encode(fields));
  if (encoded.length <= bytesMax) return encoded;
  const shortened = [...fields];
  for (let i = 0; i < shortened.length && encoded.length > bytesMax; i++) {
    const text = shortened[i] ?? '';
    shortened[i] = truncateJson(text, Math.max(0, jsonLength(text) - (encoded.length - bytesMax))) ?? '';
    encoded = new WireText(encode(shortened));
  }
  if (encoded.length <= bytesMax) return encoded;
  throw new NotificationError('data', `takes ${encoded.length} bytes even without its texts; at most ${bytesMax} fit`);
}
