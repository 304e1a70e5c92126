/** JSON escapes surrogates that stand alone; looking whether each does takes longer than leaving all of them to `JSON.stringify`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
const toEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** What stands between the quotes of a text as JSON, as `JSON.stringify` writes it, in half of the time where nothing is escaped. */
export function escaped(text: string): string {
  return toEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}
