import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { parseJson } from '../../src/http/json.ts';
import { decodeCursor, encodeCursor } from '../../src/paging.ts';

/** What the parser makes of a text: the value, or the sentences of the refusal. */
function outcome(text: string): { value: unknown } | { refused: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).toBe('ERR_BAD_REQUEST');
    return { refused: Object.values(error.details ?? {}).join(' ') };
  }
}

function standard(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Text that every store keeps as it is. */
const cleanText = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text !== '__proto__');
const cleanJson = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }).filter((value) => {
  const text = JSON.stringify(value);
  return !text.includes('\\u0000') && !text.includes('__proto__');
});

describe('reading a JSON body', () => {
  it('agrees with JSON.parse on every text that is JSON', () => {
    fc.assert(
      fc.property(cleanJson, fc.constantFrom(0, 1, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(outcome(text)).toEqual({ value: JSON.parse(text) });
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on what is not JSON, and never throws anything but a refusal', () => {
    const soup = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '"a"', '\\', '\\u00', '1', 'null', ' ', '\n', '\0'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.oneof(soup, fc.string()), (text) => {
        const [ours, theirs] = [outcome(text), standard(text)];
        if (theirs === undefined) expect(ours).toHaveProperty('refused');
        // What JSON.parse takes is refused for one reason only here: a key given twice.
        else if ('refused' in ours) expect(ours.refused).toMatch(/given twice/);
        else expect(ours).toEqual(theirs);
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses a key given twice at any depth, however it is escaped', () => {
    fc.assert(
      fc.property(cleanText, fc.array(fc.boolean(), { maxLength: 5 }), fc.boolean(), (key, nesting, escaped) => {
        const name = JSON.stringify(key);
        const other = escaped ? `"${[...Array(key.length).keys()].map((i) => unitEscape(key, i)).join('')}"` : name;
        let text = `{${name}:1,"${key}-other":[],${other}:2}`.replace(`"${key}-other"`, JSON.stringify(`${key}-other`));
        for (const inArray of nesting) text = inArray ? `[1,${text}]` : `{"x":${text}}`;
        expect(outcome(text)).toEqual({ refused: expect.stringMatching(/given twice/) });
      }),
      { numRuns: 300 },
    );
  });

  it('takes the same key in different objects', () => {
    const text = '{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":"{\\"a\\":1,\\"a\\":2}"}}';
    expect(outcome(text)).toEqual({ value: JSON.parse(text) });
  });

  it.each([
    ['10,000 levels of arrays', '['.repeat(10_000) + ']'.repeat(10_000), /nested/],
    ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, /nested/],
    ['a million opened brackets', '['.repeat(1_000_000), /nested/],
    ['U+0000 as an escape', '{"a":"x\\u0000y"}', /U\+0000/],
    ['U+0000 in a key', '{"\\u0000":1}', /U\+0000/],
    ['U+0000 as it is', '{"a":"\0"}', /not JSON/],
    ['half of a surrogate pair', '{"a":"\\ud83d"}', /half of a character/],
    ['the second half alone', '{"a":["x\\uDE00"]}', /half of a character/],
    ['half of a pair in a key', '{"\\ud83d":1}', /half of a character/],
    ['__proto__', '{"__proto__":{"admin":true}}', /__proto__/],
    ['__proto__ in escapes', '{"\\u005f_proto__":1}', /__proto__/],
    ['an unfinished text', '{"a":', /not JSON/],
    ['two values', '{} {}', /not JSON/],
    ['a comment', '{/* */}', /not JSON/],
    ['NaN', '{"a":NaN}', /not JSON/],
    ['nothing but spaces', '   ', /not JSON/],
  ])('refuses %s', (_, text, reason) => {
    expect(outcome(text)).toEqual({ refused: expect.stringMatching(reason) });
  });

  it('takes a backslash before u0000, whole surrogate pairs and 64 levels', () => {
    for (const text of ['"\\\\u0000"', '"\\ud83d\\ude00"', '"\\u005cu0000"', '['.repeat(64) + ']'.repeat(64)])
      expect(outcome(text)).toEqual({ value: JSON.parse(text) });
  });

  it('does not quote the text around a mistake', () => {
    for (const text of ['{"p8Key":"very-secret-text","b":}', '{"p8Key":"very-secret-text"', 'very-secret-text']) {
      const refusal = outcome(text);
      expect(refusal).toEqual({ refused: expect.stringMatching(/not JSON/) });
      expect(JSON.stringify(refusal)).not.toContain('secret');
    }
  });
});

describe('cursors', () => {
  const place = fc.tuple(fc.maxSafeInteger(), cleanText);

  it('come back as they were made', () => {
    fc.assert(
      fc.property(place, (made) => {
        expect(decodeCursor(encodeCursor(made), ['number', 'string'])).toEqual(made);
        expect(encodeCursor(made)).toMatch(/^[\w-]*$/);
      }),
    );
  });

  it('are refused in any other form, and only ever refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
        for (const cursor of [text, Buffer.from(text).toString('base64url')]) {
          try {
            expect(decodeCursor(cursor, ['number', 'string'])).toEqual([expect.any(Number), expect.any(String)]);
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['[1e999,"a"]'],
    ['[1.5,"a"]'],
    ['["\\u0000"]'],
    ['[null,"a"]'],
    ['{"0":1,"1":"a","length":2}'],
    ['["a",1]'],
  ])('do not take %s for a place', (text) => {
    expect(() => decodeCursor(Buffer.from(text).toString('base64url'), ['number', 'string'])).toThrow(ApiError);
  });
});

function unitEscape(text: string, index: number): string {
  return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
}
