/**
 * A glance at a text before the exact look: could any of the literals stand in it? It never says no where one does. Three units
 * in a row, five bits each, are one place in a table of bits; of each literal the three rarest stand for it.
 */
const PLACES = 1 << 15;
const DIGIT = 32;
/** What English text is made of, the rarest first; other signs are rarer than all. Digits are one unit, so any number has it. */
const FREQUENT = 'zqjxkvbpygfwmucldrhsnioate0 ';
/** Characters that lower case turns into ASCII letters: k, i, s. Whatever holds one is looked at exactly. */
const KELVIN = 0x212a;
const DOTTED_I = 0x130;
const LONG_S = 0x17f;

/** Five bits a unit, the same for both cases of a letter; all that is not ASCII is one. */
const UNITS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const letter = unit | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return letter - 0x60;
  if (unit >= 0x30 && unit <= 0x39) return 27 | DIGIT;
  return unit === 0x20 ? 0 : 28 + (unit & 1);
});
const OTHER = 30;

function unitOf(code: number): number {
  return (UNITS[code] ?? OTHER) & 31;
}

function rarity(text: string): number {
  let sum = 0;
  for (const letter of text.replace(/\d/g, '0')) sum += FREQUENT.indexOf(letter) + 1;
  return -sum;
}

/** The part of a literal that text is least likely to hold by chance. */
function rarestPart(literal: string): string {
  let best = literal.slice(0, 3);
  for (let at = 1; at + 3 <= literal.length; at++) {
    const part = literal.slice(at, at + 3);
    if (rarity(part) > rarity(best)) best = part;
  }
  return best;
}

export class LiteralSieve {
  readonly #places = new Uint8Array(PLACES);
  /** One or two signs would mark too much of the table: they are looked for as they are, and have no case. */
  readonly #signs: string[] = [];

  /** Literals are in lower case. */
  constructor(literals: Iterable<string>) {
    for (const literal of literals) {
      if (/^[!-@[-`{-~]{1,2}$/.test(literal)) this.#signs.push(literal);
      else this.#mark(rarestPart(literal));
    }
  }

  #mark(part: string): void {
    let key = 0;
    for (let i = 0; i < part.length; i++) key = (key << 5) | unitOf(part.charCodeAt(i));
    // What may stand before a shorter one is any unit.
    const known = 5 * part.length;
    for (let before = 0; before < PLACES >>> known; before++) this.#places[(before << known) | key] = 1;
  }

  /** Whether a literal may stand in the text, and whether a digit does: bit 0 and bit 1. */
  look(text: string): number {
    const places = this.#places;
    const units = UNITS;
    const size = text.length;
    let key = 0;
    let hit = 0;
    let digits = 0;
    for (let at = 0; at < size; at++) {
      const code = text.charCodeAt(at);
      let unit = OTHER;
      if (code < 128) unit = units[code] as number;
      else if (code === LONG_S || code === KELVIN || code === DOTTED_I) hit = 1;
      digits |= unit;
      key = ((key << 5) | (unit & 31)) & (PLACES - 1);
      hit |= places[key] as number;
    }
    for (const sign of this.#signs) if (text.includes(sign)) hit = 1;
    return hit | ((digits & DIGIT) >>> 4);
  }
}
