import { describe, expect, it } from 'vitest';
import { CONFUSABLES, FOREIGN_CONFUSABLES } from '../src/generated/confusables.ts';
import { found, judgeFor } from './rulesets.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Letters of scripts without spaces, which part words wherever they stand. */
const DENSE_LETTERS = ['\u1004', '\u1010', '\u101d', '\u105a', '\u3007'];

function everyCharacter(kind: RegExp): string[] {
  const characters: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const ch = String.fromCodePoint(code);
    if (kind.test(ch)) characters.push(ch);
  }
  return characters;
}

function names(characters: readonly string[]): string[] {
  return characters.map((ch) => `U+${ch.codePointAt(0)?.toString(16)}`);
}

describe('whole classes of disguise', () => {
  const badger = judgeFor(['badger']);

  it('reads on across every character that shows nothing', () => {
    const unseen = everyCharacter(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]|(?![\t-\r\u0085])\p{Cc}/u);
    expect(unseen.length).toBeGreaterThan(4000);
    const missed = unseen.filter((ch) => {
      const texts = [`bad${ch}ger`, [...'badger'].join(ch)];
      return texts.some((text) => found(badger, `a ${text} here`)[0] !== text);
    });
    expect(names(missed)).toEqual([]);
  });

  it.each(['\u2800', '\u3164', '\uffa0', '\u2009'])('sees the word behind a blank that is no space (%j)', (blank) => {
    expect(found(badger, `you${blank}badger`)).toEqual(['badger']);
  });

  it('reads every look-alike of a letter as that letter', () => {
    const terms = LETTERS.map((letter) => `gr${letter}nd${letter}p`);
    const judge = judgeFor(terms);
    const missed: string[] = [];
    for (const [readings, sources] of [...CONFUSABLES, ...FOREIGN_CONFUSABLES]) {
      for (const reading of readings) {
        if (!LETTERS.includes(reading)) continue;
        const term = `gr${reading}nd${reading}p`;
        for (const ch of sources) {
          const matches = judge.judge({ text: `a gr${ch}nd${ch}p here` }).matches;
          if (!matches.some((match) => match.entry === term)) missed.push(ch);
        }
      }
    }
    expect(names([...new Set(missed)].sort())).toEqual(names(DENSE_LETTERS));
  });

  it.each([
    ['parenthesised letters', '⒝⒜⒟⒢⒠⒭'],
    ['Georgian, Armenian and Cyrillic letters', 'ႦձԀցҽɾ'],
    ['Cherokee letters', 'ᏰᏗᎴᎶᏋᏒ'],
    ['Canadian syllabics', 'ᗷᗩᗪᘜᗴᖇ'],
    ['Lisu letters', 'ꓐꓮꓓꓖꓰꓣ'],
    ['letters of many alphabets', 'ßαძɠèя'],
    ['letters as addresses write them', '%62%61%64ger'],
    ['control characters', 'ba\u0000d\u0007ger'],
  ])('reads %s', (_, text) => {
    expect(found(badger, `a ${text} here`)).toEqual([text]);
  });

  it('leaves a letter of another script alone in a word of that script', () => {
    const judge = judgeFor(['lol', 'ool']);
    expect(found(judge, 'וסו هها')).toEqual([]);
  });
});
