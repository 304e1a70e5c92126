/** The text, or as much of its beginning as fits, cut at a whole character and marked as cut. */
export function cutToFit(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const cut = (length: number): string => {
    const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
    return `${text.slice(0, end)}…`;
  };
  let [known, tooLong] = [0, text.length];
  while (tooLong - known > 1) {
    const middle = (known + tooLong) >> 1;
    if (fits(cut(middle))) known = middle;
    else tooLong = middle;
  }
  return cut(known);
}
