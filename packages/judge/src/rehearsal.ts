import { Finder } from './finder.ts';
import { buildKeywords, Keywords } from './keywords.ts';
import { Scan } from './scan.ts';

/** Of every kind of entry one, and a text that takes every path of the scan there is. */
const TERMS = ['kill you', 'badger', 'su*', '😀', 'straße', 'lin', 'ben'];
const TEXT =
  "Kill you! kill  you: don't b a d g e r, b.a.d.g.e.r BadgerBadger b4dger b@dger badger99 (badger) bad\u200bger ba\u0301dger in lin l v'x been beeen benn " +
  '馬鹿 馬 鹿 😀 ❤️ 🅱adger 𝐛adger größe STRASSE straße ﬁne café привет हिन्दी ะ \u202eregdab\u202c ɹǝƃpɐq x \\ | 1984 A55 supper it\u2019s what?! ?... ("b.-adger").';
const ROUNDS = 25;

let rehearsed = false;

/**
 * Runs the scan over a text of everything, once in a process. V8 compiles the loop for what it has seen; a first emoji or
 * zero-width space would throw that away, and it sometimes compiles only a part of it again: the judge then takes twice
 * its time for good.
 */
export function rehearse(): void {
  if (rehearsed) return;
  rehearsed = true;
  const tables = buildKeywords([{ id: '', category: 'word', terms: TERMS }]);
  const scan = new Scan(tables, new Finder(new Keywords(tables)));
  for (let round = 0; round < ROUNDS; round++) {
    scan.run(TEXT);
    // A text that ends in the middle of something.
    scan.run('b-adger');
  }
}
