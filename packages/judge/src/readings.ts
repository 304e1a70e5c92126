import { CONFUSABLES, FOREIGN_CONFUSABLES } from './generated/confusables.ts';

/**
 * What one character may be read as, by kind of disguise. The first letter is the likeliest reading: the one that goes
 * into the hash of a token. Further letters are tried when a token holds such a character.
 */
function table(rows: readonly (readonly [letters: string, sources: string])[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const [letters, sources] of rows) {
    for (const source of sources) {
      const known = map.get(source) ?? '';
      map.set(source, known + [...letters].filter((letter) => !known.includes(letter)).join(''));
    }
  }
  return map;
}

/** Shapes that UTS #39 leaves out: small capitals, turned and barred letters, letters borrowed for their looks. */
const LOOKALIKES: readonly (readonly [string, string])[] = [
  ['a', 'ᴀɐⱯдДΛλ∆ⱥȺ'],
  ['b', 'ʙᴃɃƀъЪьЬ'],
  ['c', 'ᴄɔƆↄȼȻ'],
  ['d', 'ᴅᴆɖ∂'],
  ['e', 'ɇɆᴇǝƎɘəэЭзЗєЄ∃∈∑Σ'],
  ['f', 'ꜰɟʄғҒϝϜ'],
  ['g', 'ɢʛᵷƃǥǤ'],
  ['b', 'ƃ'],
  ['h', 'ʜɥнНћħĦ'],
  ['i', 'ɪᴉıїЇɨƗ'],
  ['j', 'ᴊɾɉɈ'],
  ['k', 'ᴋʞжЖꝁꝀ'],
  ['l', 'ʟ⅃ƚȽłŁ'],
  ['m', 'ᴍɯ'],
  ['n', 'ɴиИпПлЛη∩ñ'],
  ['o', 'ᴏфФθΘɵƟ'],
  ['p', 'ᴘþÞᵽⱣ'],
  ['q', 'ꞯ'],
  ['r', 'ɍɌʀɹяЯгГᴙ'],
  ['s', 'ꜱ§'],
  ['t', 'ᴛʇⱦȾŧŦ'],
  ['u', 'ᴜцЦμµ∪ԱɄʉ'],
  ['v', 'ᴠʌ√∨'],
  ['w', 'ᴡʍшШщЩωΩ'],
  ['x', 'жЖ'],
  ['y', 'ʏʎчЧўγɏɎ'],
  ['z', 'ᴢƶƵ'],
];

/** The alphabets that text decorators borrow from Cherokee, Ethiopic, Canadian syllabics, Georgian and Armenian. */
const BORROWED: readonly (readonly [string, string])[] = [
  ...alphabet('ᏗᏰፈᎴᏋᎦᎶᏂᎥᏠᏦᏝᎷᏁᎧᎮᎤᏒᏕᏖᏬᏉᏇጀᎩፚ'),
  ...alphabet('ᗩᗷᑕᗪᗴᖴᘜᕼᎥᒎKᒪᗰᑎᗝᑭQᖇᔕTᑌᐯᗯ᙭ყZ'),
  ...alphabet('ᗩᗷᑢᕲᘿᖴᘜᕼIᒍKᒪᗰᘉOᕵQᖇSTᘮᐺᘺ᙭YZ'),
  ...alphabet('ąცƈɖɛʄɠɧıʝƙƖɱŋơ℘զƦʂɬųʋῳҳყʑ'),
  ...alphabet('ձҍçժҽƒցհìյҟӀʍղօքզɾʂէմѵաxվՀ'),
  ...alphabet('ձႦƈԃҽϝɠԋιʝƙʅɱɳσρϙɾʂƚυʋɯxყȥ'),
  ['a', 'Ꭿ'],
  ['b', 'ხᏏ'],
  ['d', 'ძԀ'],
  ['e', 'ᙓ'],
  ['o', 'Ꭷ'],
  ['r', 'ཞ'],
];

export const CONFUSABLE: ReadonlyMap<string, string> = table([...LOOKALIKES, ...CONFUSABLES, ...BORROWED]);
/**
 * Looks of letters that stand for themselves in their own script (ه like o): read so only in a word that has letters
 * of the keyboard too.
 */
export const FOREIGN: ReadonlyMap<string, string> = table(FOREIGN_CONFUSABLES);

/** Letters a turned text uses: the word may be written backwards as well. */
export const TURNED: ReadonlySet<string> = new Set('ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ');

export const LEET: ReadonlyMap<string, string> = table([
  ['a', '4@'],
  ['b', '8'],
  ['c', '(<[{¢©'],
  ['e', '3€'],
  ['g', '9'],
  ['gb', '6'],
  ['h', '#'],
  ['il', '1!|¡'],
  ['l', '£'],
  ['n', '₦'],
  ['o', '0°'],
  ['p', '¶₱'],
  ['q', '9'],
  ['r', '®'],
  ['sz', '5$2'],
  ['t', '7+†'],
  ['u', 'vV'],
  ['w', '₩'],
  ['x', '×%'],
  ['y', '¥'],
  ['z', '2'],
  ['s', 'zZ§'],
  ['k', '₭'],
  ['a', '₳^'],
  ['b', '₿฿'],
  ['c', '₡₵'],
  ['t', '₮'],
  ['g', '₲'],
  ['m', '₥'],
  ['l', '₤I'],
]);

function alphabet(letters: string): readonly (readonly [string, string])[] {
  const rows = Array.from(letters, (letter, i) => [String.fromCharCode(97 + i), letter] as const);
  return rows.filter(([, letter]) => letter > '\u007f');
}

function letterRange(first: number): readonly (readonly [string, string])[] {
  return Array.from({ length: 26 }, (_, i) => [String.fromCharCode(97 + i), String.fromCodePoint(first + i)] as const);
}

/** Pictures of letters that NFKC leaves alone. */
export const EMOJI: ReadonlyMap<string, string> = table([
  ...letterRange(0x249c),
  ...letterRange(0x1f110),
  ...letterRange(0x1f150),
  ...letterRange(0x1f170),
  ...letterRange(0x1f1e6),
  ['c', '🄫☪🌜'],
  ['i', 'ℹ❕❗🕯'],
  ['m', 'Ⓜ♏'],
  ['n', '♑'],
  ['o', '⭕🔴🔵⚪⚫🟠🟡🟢🟣🟤🍩🌕🌑'],
  ['r', '🄬'],
  ['s', '🄪💲'],
  ['t', '✝➕'],
  ['v', '♈✔'],
  ['x', '❌❎✖'],
  ['y', '🌱'],
]);

/** Shapes drawn with several ASCII signs, longest first. */
export const DRAWN: readonly (readonly [drawing: string, letter: string])[] = [
  ['\\/\\/', 'w'],
  ['|\\/|', 'm'],
  ['|_|', 'u'],
  ['|-|', 'h'],
  ['|\\|', 'n'],
  ['/\\/', 'n'],
  ['/-\\', 'a'],
  ['|<', 'k'],
  ['|{', 'k'],
  ['|(', 'k'],
  ['/\\', 'a'],
  ['\\/', 'v'],
  ['()', 'o'],
  ['[]', 'o'],
  ['{}', 'o'],
  ['|)', 'd'],
  ['|]', 'd'],
  ['|=', 'f'],
  ['|>', 'p'],
  ['><', 'x'],
  ['|3', 'b'],
  ['|2', 'r'],
];

/** Signs people put in place of a letter they hide. */
export const MASKS: ReadonlySet<string> = new Set('*#%?_@$&~•·●■█▇▮×✱⁎∗＊');
