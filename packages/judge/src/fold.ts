import type { FoldKind, FoldOptions } from './types.ts';

/** Fold kinds as bits, so that a list's options are one number. */
export const CASE = 1;
export const NFKC = 2;
export const MARKS = 4;
export const ZERO_WIDTH = 8;
export const CONFUSABLES = 16;
export const LEET = 32;
export const REPEATS = 64;
export const SEPARATORS = 128;
export const EMOJI = 256;
export const MASK = 512;
export const ALL = 1023;

const BITS: Readonly<Record<FoldKind, number>> = {
  case: CASE,
  nfkc: NFKC,
  marks: MARKS,
  zeroWidth: ZERO_WIDTH,
  confusables: CONFUSABLES,
  leet: LEET,
  repeats: REPEATS,
  separators: SEPARATORS,
  emoji: EMOJI,
  mask: MASK,
};

export const FOLD_KINDS = Object.keys(BITS) as readonly FoldKind[];

export function foldBits(options: Partial<FoldOptions> | undefined): number {
  let bits = ALL & ~MASK;
  if (options === undefined) return bits;
  for (const kind of FOLD_KINDS) {
    if (options[kind] === true) bits |= BITS[kind];
    if (options[kind] === false) bits &= ~BITS[kind];
  }
  return bits;
}

/**
 * Marks a reader leaves out: accents, Hebrew points, Arabic vowels, nuktas. The vowel signs of Indic scripts and the
 * voicing marks of kana are letters to their readers and stay.
 */
const DROPPED_MARK = /[\p{Mn}\p{Me}]/u;
const DROPPED_SCRIPT =
  /[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u0901]/u;
const KANA_VOICE = /[\u3099\u309a]/;

export function isDroppedMark(ch: string): boolean {
  return DROPPED_MARK.test(ch) && DROPPED_SCRIPT.test(ch) && !KANA_VOICE.test(ch);
}

/** Letters that readers of a language take for one. */
const SAME_LETTER: ReadonlyMap<string, string> = new Map([
  ['\u0671', '\u0627'],
  ['\u0649', '\u064a'],
  ['\u06cc', '\u064a'],
  ['\u06a9', '\u0643'],
  ['\u0629', '\u0647'],
  ['\u0640', ''],
  ['\u0901', '\u0902'],
]);

/** Conjoining jamo to the letters of a keyboard, so that a syllable equals its letters typed one by one. */
const LEADS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const TAILS = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';

function jamo(ch: string): string {
  const code = ch.charCodeAt(0);
  if (code >= 0x1100 && code <= 0x1112) return LEADS.charAt(code - 0x1100);
  if (code >= 0x1161 && code <= 0x1175) return String.fromCharCode(0x314f + code - 0x1161);
  if (code >= 0x11a8 && code <= 0x11c2) return TAILS.charAt(code - 0x11a8);
  return ch;
}

/** One character, folded by the kinds in `bits`: what it is, not what it looks like. */
export function foldChar(ch: string, bits: number): string {
  if (ch.length === 1 && ch < '\u0080') return (bits & CASE) !== 0 ? ch.toLowerCase() : ch;
  let text = (bits & NFKC) !== 0 ? ch.normalize('NFKC') : ch;
  // Twice through case folds what has no single lower case: ß to ss, dotless i to i, final sigma to sigma.
  if ((bits & CASE) !== 0) text = text.toUpperCase().toLowerCase();
  text = text.normalize('NFD');
  let folded = '';
  for (const part of text) {
    if ((bits & MARKS) !== 0) {
      if (isDroppedMark(part)) continue;
      folded += SAME_LETTER.get(part) ?? jamo(part);
    } else {
      folded += jamo(part);
    }
  }
  return folded;
}
