import { ALL, foldChar, isDroppedMark } from './fold.ts';
import { CONFUSABLE, EMOJI, FOREIGN, LEET, TURNED } from './readings.ts';

/**
 * One number a code point, worked out when it is first met: its class, its flags and its skeleton, the unit that goes
 * into the hash. Everything a character may be taken for shares a skeleton with it, so that a disguised token and the
 * entry it stands for have the same hash; what really matches is decided afterwards, exactly.
 */
export const UNSET = 0;
export const SPACE = 1;
/** Letters and digits of scripts that put spaces between words. */
export const WORD = 2;
/** Letters of scripts without spaces. */
export const DENSE = 3;
/** Punctuation and pictures. */
export const SIGN = 4;
/** A sign that may stand for a letter. */
export const LEET_SIGN = 5;
/** Nothing a reader sees: zero-width characters, bidi controls, marks. */
export const IGNORED = 6;
/** A letter that folds to several units. */
export const MULTI = 7;

export const CLASS_MASK = 7;
export const DIGIT = 8;
export const LETTER = 16;
/** Has readings with other skeletons. */
export const AMBIGUOUS = 32;
export const MARK = 64;
export const APOSTROPHE = 128;
export const TURNED_LETTER = 256;
/** A letter drawn as a picture: a leet sign that nobody types by accident. */
export const PICTURE = 512;
export const UPPER = 1024;
/** A MULTI letter of a script without spaces. */
export const DENSE_MULTI = 2048;
export const RIGHT_TO_LEFT_OVERRIDE = 4096;
export const NON_ASCII = 8192;
/** A letter or digit of the keyboard, with an accent or in a compatibility form at most. */
export const KEYBOARD = 16384;
/** A sign that may mean something: letter-like, a stroke of a drawn letter, or one that an entry could be made of. */
export const ACTIVE = 32768;

/** What makes a token odd: DIGIT, AMBIGUOUS, TURNED_LETTER or UPPER. A sum would not be a literal type. */
export const ODD = 1320;

const TABLE_SIZE = 0x20000;
export const UNITS = new Int32Array(TABLE_SIZE);
/** Skeletons of MULTI letters, by the number in the high half of their entry. */
const EXPANSIONS: string[] = [''];
const EXPANSION_INDEX = new Map<string, number>();

const DENSE_SCRIPT =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\u3099\u309a\uff70]/u;
const WORD_CHAR = /[\p{L}\p{N}\p{M}]/u;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Me}]/u;
const BLANK = /[\p{Z}\t\n\v\f\r\u0085]/u;
/** Blanks that nobody types between words: signs, so that they part words and join the pieces of one. */
const ODD_BLANK = /[\u2004-\u200a\u205f\u2800\u3164\uffa0]/u;
const ASCII = /^[!-~]+$/;
const APOSTROPHES = /['’‘ʼ＇`´′]/u;

/** Letters that stand for one another in writing: one skeleton each. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['l', 'i'],
  ['v', 'u'],
  ['z', 's'],
  ['q', 'g'],
  ['b', 'g'],
]);

/** The skeleton of one folded letter. */
function skeletonOf(letter: string): string {
  const reading = LEET.get(letter)?.charAt(0) ?? CONFUSABLE.get(letter)?.charAt(0) ?? letter;
  const digit = LEET.get(reading)?.charAt(0) ?? reading;
  return TWINS.get(digit) ?? digit;
}

const SKELETONS = new Map<string, readonly string[]>();
const SKELETONS_MAX = 10_000;

/** All skeletons a character may have, the likeliest first. */
export function skeletonsOf(ch: string): readonly string[] {
  const known = SKELETONS.get(ch);
  if (known !== undefined) return known;
  if (SKELETONS.size >= SKELETONS_MAX) SKELETONS.clear();
  const found = findSkeletons(ch);
  SKELETONS.set(ch, found);
  return found;
}

function findSkeletons(ch: string): string[] {
  const folded = foldChar(ch, ALL);
  const found = new Set<string>();
  // What a character is comes before what it looks like: ß is ss first and b second, and both cases of a letter agree.
  const likeliest =
    EMOJI.get(ch)?.charAt(0) ??
    (ASCII.test(folded) ? folded : (CONFUSABLE.get(folded) ?? CONFUSABLE.get(ch))?.charAt(0));
  found.add([...(likeliest ?? folded)].map(skeletonOf).join(''));
  for (const map of [CONFUSABLE, EMOJI, LEET]) {
    for (const source of [ch, folded]) for (const letter of map.get(source) ?? '') found.add(skeletonOf(letter));
  }
  found.add([...folded].map(skeletonOf).join(''));
  for (const source of [ch, folded]) for (const letter of FOREIGN.get(source) ?? '') found.add(skeletonOf(letter));
  return [...found];
}

function unitOf(skeleton: string): number {
  const code = skeleton.codePointAt(0) ?? 0;
  return code < 0x10000 ? code : (code & 0xffff) | 0x8000;
}

function expansionOf(units: string): number {
  const known = EXPANSION_INDEX.get(units);
  if (known !== undefined) return known;
  EXPANSIONS.push(units);
  EXPANSION_INDEX.set(units, EXPANSIONS.length - 1);
  return EXPANSIONS.length - 1;
}

export function expansion(entry: number): string {
  return EXPANSIONS[entry >>> 16] ?? '';
}

/** The entry of a code point, worked out once. */
export function unitEntry(code: number): number {
  // Surrogates keep no entry: the scan finds UNSET there and reads the pair.
  if (code >= TABLE_SIZE || (code >= 0xd800 && code <= 0xdfff)) return define(code);
  const known = UNITS[code] ?? 0;
  if (known !== UNSET) return known;
  const entry = define(code);
  UNITS[code] = entry;
  return entry;
}

function define(code: number): number {
  const wide = code > 0x7f ? NON_ASCII : 0;
  if (code >= 0xd800 && code <= 0xdfff) return SIGN | ACTIVE | wide;
  const ch = String.fromCodePoint(code);
  if (code === 0x202e) return IGNORED | RIGHT_TO_LEFT_OVERRIDE | wide;
  if (ODD_BLANK.test(ch)) return SIGN | ACTIVE | wide;
  if (BLANK.test(ch)) return SPACE | wide;
  if (isDroppedMark(ch)) return IGNORED | MARK | wide;
  if (IGNORABLE.test(ch) || code === 0x0640) return IGNORED | wide;
  const picture = EMOJI.get(ch);
  if (picture !== undefined) return signEntry(ch, PICTURE | wide);
  const folded = foldChar(ch, ALL);
  if (folded === '') return IGNORED | MARK | wide;
  if (!WORD_CHAR.test(folded) || code === 0x2122 || code === 0x2120) return signClass(ch, wide);
  return letterEntry(ch, folded, wide);
}

function signClass(ch: string, flags: number): number {
  if (APOSTROPHES.test(ch)) return SIGN | APOSTROPHE | flags | ((flags & NON_ASCII) !== 0 ? ACTIVE : 0);
  if (LEET.has(ch) || CONFUSABLE.has(ch)) return signEntry(ch, flags);
  const folded = foldChar(ch, ALL);
  if (LEET.has(folded)) return signEntry(folded, flags);
  return SIGN | flags | ((flags & NON_ASCII) !== 0 || ch === '\\' ? ACTIVE : 0);
}

function signEntry(ch: string, flags: number): number {
  const skeletons = skeletonsOf(ch);
  const unit = unitOf(skeletons[0] ?? ch);
  return (unit << 16) | LEET_SIGN | ACTIVE | flags;
}

function letterEntry(ch: string, folded: string, wide: number): number {
  const skeletons = skeletonsOf(ch);
  const skeleton = skeletons[0] ?? folded;
  const dense = DENSE_SCRIPT.test(folded) && !/^\p{Nd}$/u.test(folded);
  let flags = wide | (/\p{N}/u.test(folded) ? DIGIT : LETTER);
  if (wide === 0 || /^[a-z]$/.test(folded)) flags |= KEYBOARD;
  if (skeletons.length > 1 && wide !== 0) flags |= AMBIGUOUS;
  if (TURNED.has(ch)) flags |= TURNED_LETTER;
  if (/\p{Lu}/u.test(ch)) flags |= UPPER;
  if ([...skeleton].length > 1) {
    return (expansionOf(skeleton) << 16) | MULTI | flags | (dense ? DENSE_MULTI : 0);
  }
  return (unitOf(skeleton) << 16) | (dense ? DENSE : WORD) | flags;
}
