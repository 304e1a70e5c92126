import { Type } from 'typebox';

/** The kinds of text that many operations take. A `description` beside a pattern is what the caller is told. */
export const recordId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,100}$',
  description: '1 to 100 letters, digits, - and _.',
});
export const appIdField = Type.String({ pattern: '^[0-9a-f]{16}$', description: '16 lower-case hex digits.' });
export const uidField = Type.String({
  pattern: '^[A-Za-z0-9_.@:-]{1,100}$',
  description: '1 to 100 letters, digits, and any of _ . @ : -',
});
export const authTokenField = Type.String({
  pattern: '^[^\\s\\u0000-\\u001f\\u007f]{1,255}$',
  description: '1 to 255 characters without spaces or control characters.',
});

/** One line of text for people: no control characters, which would break listings and logs. */
export function line(lengthMax: number, lengthMin = 1) {
  return Type.String({
    maxLength: lengthMax,
    minLength: lengthMin,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: `One line of at most ${lengthMax} characters, without control characters.`,
  });
}

/** Free text: line breaks and tabs are welcome, other control characters are not. */
export function text(lengthMax: number) {
  return Type.String({
    maxLength: lengthMax,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    description: `At most ${lengthMax} characters, without control characters.`,
  });
}

/** Milliseconds to the ISO 8601 UTC form of the contract. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
