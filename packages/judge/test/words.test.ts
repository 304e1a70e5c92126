import { describe, expect, it } from 'vitest';
import { builtins, languageCodes, languageList } from '../src/index.ts';
import { found, judgeFor } from './rulesets.ts';

describe('words', () => {
  it.each([
    ['case', 'FuCk'],
    ['full width', 'ｆｕｃｋ'],
    ['mathematical letters', '𝒇𝓾𝓬𝓴'],
    ['circled letters', 'ⓕⓤⓒⓚ'],
    ['Cyrillic and Greek letters', 'fυсκ'],
    ['combining marks', 'f\u0336u\u0336c\u0336k\u0336'],
    ['accents', 'fück'],
    ['zero-width characters', 'f\u200bu\u200cc\u200dk'],
    ['a soft hyphen', 'fu\u00adck'],
    ['bidi controls', 'f\u202au\u202cck'],
    ['repeated letters', 'fuuuuck'],
    ['spaces', 'f u c k'],
    ['dots', 'f.u.c.k'],
    ['a dash', 'fu-ck'],
    ['emoji between', 'f🔥u🔥c🔥k'],
    ['boxed letters', '🅵🆄🅲🅺'],
    ['flag letters', '🇫 🇺 🇨 🇰'],
    ['markup', 'f<b>u</b>ck'],
    ['entities', 'f&#117;ck'],
    ['small capitals', 'ꜰᴜᴄᴋ'],
    ['upside down', 'ʞɔnɟ'],
    ['drawn letters', '|=uck'],
    ['digits behind it', 'fuck99'],
    ['capitals run together', 'WhatTheFuckMan'],
  ])('underlines a word disguised by %s', (kind, text) => {
    const judge = judgeFor(['fuck']);
    expect(found(judge, `so ${text} then`)).toEqual([
      kind === 'digits behind it' || kind === 'capitals run together' ? expect.stringMatching(/^fuck$/i) : text,
    ]);
  });

  it.each([
    ['case', { case: false }, 'FUCK'],
    ['nfkc', { nfkc: false, confusables: false }, 'ｆｕｃｋ'],
    ['marks', { marks: false }, 'fück'],
    ['zeroWidth', { zeroWidth: false }, 'fu\u200bck'],
    ['confusables', { confusables: false }, 'fuсk'],
    ['leet', { leet: false }, 'fvck'],
    ['repeats', { repeats: false }, 'fuuuck'],
    ['separators', { separators: false }, 'f.u.c.k'],
    ['emoji', { emoji: false }, '🅵🆄🅲🅺'],
  ])('leaves a disguise alone where the list switches %s off', (_, fold, text) => {
    expect(found(judgeFor(['fuck']), text)).toEqual([text]);
    expect(found(judgeFor(['fuck'], { fold }), text)).toEqual([]);
    expect(found(judgeFor(['fuck'], { fold }), 'fuck')).toEqual(['fuck']);
  });

  it('reads f*ck only where the list says so', () => {
    expect(found(judgeFor(['fuck']), 'f*ck')).toEqual([]);
    expect(found(judgeFor(['fuck'], { fold: { mask: true } }), 'f*ck you')).toEqual(['f*ck']);
    // A sign may hide one more of the letters around it.
    expect(found(judgeFor(['ffua'], { fold: { mask: true } }), 'fff*fff*aa')).toEqual(['fff*fff*aa']);
  });

  it.each([
    ["he'll do it", 'hell'],
    ["who're you", 'whore'],
    ["it's hit the wall", 'shit'],
    ['my pen is here', 'penis'],
    ['a Samsung A55', 'ass'],
    ['add 455 grams', 'ass'],
    ['hell0 there', 'hell'],
    ['b a s s guitar', 'ass'],
    ['first class', 'ass'],
    ['as I said', 'ass'],
    ['assess this', 'asses'],
  ])('leaves "%s" alone', (text, word) => {
    expect(found(judgeFor([word]), text)).toEqual([]);
  });

  it.each([
    ['a short word with a letter three times', 'dope', 'so dooope', 'dooope'],
    ['signs for letters before exclamation marks', 'shit', 'so $h!t!!', '$h!t'],
    ['signs for letters in brackets', 'shit', '(sh!t)', 'sh!t'],
    ['a prefix behind a word that ends with its letter', 'sub*', 'as subway', 'subway'],
    ['a phrase whose first word ends in a sign', 'kill you', 'kill!! you', 'kill!! you'],
  ])('finds %s', (_, term, text, hit) => {
    expect(found(judgeFor([term]), text)).toEqual([hit]);
  });

  it('takes an exclamation mark behind plain letters for one, and among other signs for a letter', () => {
    const judge = judgeFor(['anal', 'nazi', 'hell']);
    for (const innocent of ['Hi Ana! Great', 'ana!!!', 'was it he!!', 'A n a !'])
      expect(found(judge, innocent)).toEqual([]);
    expect(found(judge, 'a n@z! here')).toEqual(['n@z!']);
    expect(found(judge, 'n!zz, naz!s and h3ll!')).toContain('h3ll');
    expect(found(judge, 'a naz1 and hell!')).toEqual(['naz1', 'hell']);
  });

  it('matches by prefix, suffix and substring where a star says so', () => {
    const judge = judgeFor(['pre*', '*suf', '*sub*']);
    expect(found(judge, 'prefix spree stuffsuf sufx xsubx')).toEqual(['prefix', 'stuffsuf', 'xsubx']);
  });

  it('matches phrases across spaces and punctuation, with stars at their ends', () => {
    const judge = judgeFor(['kill yourself', 'big bad wol*', '*ing now']);
    expect(found(judge, 'KILL -- yourself')).toEqual(['KILL -- yourself']);
    expect(found(judge, 'the big, bad wolves')).toEqual(['big, bad wolves']);
    expect(found(judge, 'leaving now')).toEqual(['leaving now']);
    expect(found(judge, 'kill or yourself')).toEqual([]);
  });

  it('lets an allowed phrase win over the match it covers, and only there', () => {
    const judge = judgeFor(['dick', '*cock*'], { allow: ['Dick Cheney', 'cockpit', 'scunthorpe'] });
    expect(found(judge, 'Dick Cheney in the cockpit')).toEqual([]);
    expect(found(judge, 'Dick Cheney is a dick')).toEqual(['dick']);
  });

  it.each([
    ['Arabic with vowels', 'كلب', 'كَلْب'],
    ['Arabic with tatweel', 'كلب', 'كـلـب'],
    ['Arabic alef forms', 'احمق', 'أحمق'],
    ['Hebrew points', 'שלום', 'שָׁלוֹם'],
    ['sharp s', 'scheiße', 'SCHEISSE'],
    ['dotless i', 'sik', 'sık'],
    ['dotted I', 'sik', 'SİK'],
    ['Devanagari nukta', 'कमीना', 'क़मीना'],
    ['Hangul letters', '씨발', 'ㅆㅣㅂㅏㄹ'],
    ['conjoining jamo', '씨발', '씨발'.normalize('NFD')],
    ['half-width kana', 'バカ', 'ﾊﾞｶ'],
    ['final sigma', 'μαλακασ', 'ΜΑΛΑΚΑΣ'],
    ['spaces between Han', '混蛋', '混 蛋'],
    ['Han inside a sentence', '混蛋', '混蛋'],
  ])('reads %s as its readers do', (_, term, text) => {
    expect(found(judgeFor([term]), text)).toEqual([text]);
  });

  it('matches anywhere in scripts without spaces, but not inside another word', () => {
    const judge = judgeFor(['バカ', 'ばか', '混蛋']);
    expect(found(judge, 'あいつはバカだ')).toEqual(['バカ']);
    expect(found(judge, 'バカンスに行く')).toEqual([]);
    expect(found(judge, 'そればかり食べる')).toEqual([]);
    expect(found(judge, '你这个混蛋吗')).toEqual(['混蛋']);
  });

  it('finds pictures, with their skin tone', () => {
    expect(found(judgeFor(['🖕']), 'take 🖕🏽 that')).toEqual(['🖕🏽']);
  });

  it('has an English list that leaves innocent words alone', () => {
    const judge = judgeFor(builtins.profanity.terms, { ...builtins.profanity });
    for (const text of ['Scunthorpe', 'Dick Van Dyke', 'cockpit', 'assassin', 'magna cum laude', 'Shiite', 'shitake']) {
      expect(found(judge, text)).toEqual([]);
    }
    expect(judge.judge({ text: 'what a c.u.n.t' }).matches[0]?.severity).toBe(3);
  });

  it('has a list for every language it names', () => {
    expect(languageCodes.length).toBeGreaterThan(20);
    for (const code of languageCodes) {
      const list = languageList(code);
      const term = list?.terms.find((one) => one.length > 2) ?? '';
      expect(found(judgeFor(list?.terms ?? []), term).length, code).toBeGreaterThan(0);
    }
    expect(languageList('xx')).toBeUndefined();
  });
});
