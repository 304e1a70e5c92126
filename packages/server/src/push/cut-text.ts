import { cutBefore } from '@gatehouse/courier';

/** The text, or as much of its beginning as fits, cut at what a reader sees as a whole character and marked as cut. */
export function cutToFit(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  let [known, tooLong] = [0, text.length];
  while (tooLong - known > 1) {
    const middle = (known + tooLong) >> 1;
    if (fits(cutBefore(text, middle))) known = middle;
    else tooLong = middle;
  }
  return cutBefore(text, known);
}
