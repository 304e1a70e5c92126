/**
 * Confirms a hit in a script without spaces: バカ is a word in バカだ and part of another in バカンス. Only asked once
 * an entry has matched, so its price is off the common path.
 */
const SEGMENTED = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const CONTEXT = 24;
const segmenters = new Map<string, Intl.Segmenter>();

function segmenterFor(text: string): Intl.Segmenter {
  const locale = /\p{sc=Thai}/u.test(text)
    ? 'th'
    : /\p{sc=Lao}/u.test(text)
      ? 'lo'
      : /\p{sc=Khmer}/u.test(text)
        ? 'km'
        : /\p{sc=Myanmar}/u.test(text)
          ? 'my'
          : 'ja';
  let segmenter = segmenters.get(locale);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(locale, { granularity: 'word' });
    segmenters.set(locale, segmenter);
  }
  return segmenter;
}

export function confirmDense(text: string, start: number, end: number, letters: number): boolean {
  const hit = text.slice(start, end).normalize('NFKC');
  if (!SEGMENTED.test(hit)) return true;
  // Something was put between the letters on purpose: the segments would only show that.
  if (hit.length > letters * 2 || /[^\p{L}\p{M}ー]/u.test(hit)) return true;
  const before = text.slice(Math.max(0, start - CONTEXT), start).normalize('NFKC');
  const after = text.slice(end, end + CONTEXT).normalize('NFKC');
  const segments = segmenterFor(hit).segment(before + hit + after);
  return startsSegment(segments, before.length) && startsSegment(segments, before.length + hit.length);
}

function startsSegment(segments: Intl.Segments, at: number): boolean {
  const segment = segments.containing(at);
  return segment === undefined || segment.index === at;
}
