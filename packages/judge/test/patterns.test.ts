import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtins, compile, type Judge } from '../src/index.ts';
import { requirementOf } from '../src/literals.ts';
import { checkPattern } from '../src/patterns.ts';
import { condition, found, rule } from './rulesets.ts';

function patternJudge(...patterns: string[]): Judge {
  return compile({ lists: [], rules: [rule({ conditions: [condition({ category: 'pattern', value: patterns })] })] });
}

describe('patterns', () => {
  it.each(['(a+)+$', '(a|a)*b', '(.*a){20}', '(?i)\\p{L}+z', '(x+x+)+y'])(
    'accepts %s and answers at once',
    (pattern) => {
      const judge = patternJudge(pattern);
      expect(judge.judge({ text: `${'a'.repeat(20_000)}!` }).action).toMatch(/allow|block/);
    },
  );

  it.each([
    ['a(?=b)', 1, 'look-ahead'],
    ['(?<!a)b', 0, 'look-behind'],
    ['(a)\\1', 3, 'back-reference'],
    ['a{2,1}', 1, 'repeat'],
    ['[z-a]', 1, 'range'],
    ['', 0, 'empty'],
  ])('refuses %s naming the part', (pattern, position, reason) => {
    expect(checkPattern(pattern)).toMatchObject({ position, reason: expect.stringContaining(reason) });
  });

  it.each(['\\(?=x', '[(?=]x', 'a,b{1,3}', '(?<year>\\d{4})', '\\bword\\b'])(
    'does not mistake %s for what it is not',
    (pattern) => {
      expect(checkPattern(pattern)).toBeUndefined();
    },
  );

  it('takes equals to mean the whole text, and a group named hit as the span', () => {
    const judge = compile({
      lists: [],
      rules: [rule({ conditions: [condition({ category: 'pattern', operator: 'equals', value: ['ab+'] })] })],
    });
    expect(judge.judge({ text: 'abb' }).action).toBe('block');
    expect(judge.judge({ text: 'abb c' }).action).toBe('allow');
    expect(found(patternJudge('#(?P<hit>\\w+)'), 'see #tag now')).toEqual(['tag']);
  });

  it.each([
    ['foo|bar', ['foo', 'bar']],
    ['(?i)Hello\\s+world', ['hello']],
    ['x*abc?', ['ab']],
    ['a[bc]d', ['a']],
    ['\\d{3}', []],
    ['(ab)?', []],
    ['https?://', ['http']],
  ])('knows what %s cannot match without', (pattern, literals) => {
    const known = requirementOf(pattern).literals;
    if (literals.length === 0) expect(known).toEqual([]);
    else expect([...known].sort().some((one) => literals.some((literal) => one.includes(literal)))).toBe(true);
  });

  it('never lets the literal filter hide a match', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'ab',
        'c',
        'foo',
        '[ab]',
        '\\d',
        '.',
        'x?',
        'y*',
        '(ab|c)',
        '(?:foo)+',
        'K',
        's',
        '\\.',
        'a{2}',
        '(a|)',
        '@',
        'promo',
        '-',
        'i',
        'é',
      ),
    );
    const pattern = fc
      .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(part, { maxLength: 2 }))
      .map(([insensitive, a, b]) => `${insensitive ? '(?i)' : ''}${a.join('')}${b.length > 0 ? `|${b.join('')}` : ''}`);
    const text = fc.array(
      fc.constantFrom(
        'a',
        'b',
        'c',
        'foo',
        'FOO',
        '1',
        '.',
        'x',
        'k',
        'K',
        'ſ',
        '\u212a',
        '@',
        'A',
        'promo',
        'Promo',
        '-',
        'i',
        'İ',
        'é',
        'É',
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(fc.uniqueArray(pattern, { minLength: 1, maxLength: 6 }), text, (patterns, parts) => {
        const message = parts.join('');
        const together = patternJudge(...patterns).judge({ text: message });
        // Behind a pattern that needs nothing, the filter lets everything through: the same pattern, unfiltered.
        const alone = patterns.filter(
          (one) => patternJudge(`(?:${one})|\\x{10ffff}`).judge({ text: message }).matches.length > 0,
        );
        expect([...new Set(together.matches.map((match) => match.entry))].sort()).toEqual([...alone].sort());
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    'call +1 415 555 2671 now',
    '(415) 555-2671',
    'ring 415-555-2671.',
    'tel 020 7946 0958',
    '+44 20 7946 0958',
    '0171 1234567',
    '+919876543210',
  ])('finds the number in "%s"', (text) => {
    expect(found(patternJudge(builtins.phonePattern), text)).toHaveLength(1);
  });

  it.each([
    'in 2024 we sold 1500',
    '$1,234.56',
    '12 345,00',
    'order 123-456789',
    'version 1.2.3.4567',
    '192.168.1.100',
    '2024-01-15',
    '10:30',
    '#4155552671',
    '978-3-16-148410-0',
    '1990-2000',
    '3.14159265',
  ])('sees no phone number in "%s"', (text) => {
    expect(found(patternJudge(builtins.phonePattern), text)).toEqual([]);
  });

  it('finds an address inside a sentence and leaves handles alone', () => {
    const judge = patternJudge(builtins.emailPattern);
    expect(found(judge, 'write to bob.smith+x@mail.example.co.uk, please.')).toEqual([
      'bob.smith+x@mail.example.co.uk',
    ]);
    expect(found(judge, 'ask @bob or user@home')).toEqual([]);
  });
});
