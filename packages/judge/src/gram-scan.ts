import { NEEDS_GRAM, NEEDS_WORD_GRAMS } from './entry.ts';
import type { Finder } from './finder.ts';
import { gramKey, roll, SEED } from './hash.ts';
import type { KeywordTables } from './keywords.ts';
import { CLASS_MASK, DENSE, DENSE_MULTI, expansion, IGNORED, MULTI, UNITS, UNSET, unitEntry, WORD } from './units.ts';

/**
 * The pass for entries that may begin anywhere: wildcards, and words of scripts without spaces. It keeps the hashes of
 * the last units and asks for each length that some entry has. Only run where a list has such an entry.
 */
export class GramScan {
  readonly #finder: Finder;
  readonly #lengths: number;
  readonly #words: boolean;
  // The last units, as hashes of grams and the places where they begin.
  #gram1 = 0;
  #gram2 = 0;
  #gram3 = 0;
  #place1 = -1;
  #place2 = -1;
  #place3 = -1;
  #last = -1;

  constructor(tables: KeywordTables, finder: Finder) {
    this.#finder = finder;
    this.#lengths = (tables.needs / NEEDS_GRAM) & 15;
    this.#words = (tables.needs & NEEDS_WORD_GRAMS) !== 0;
  }

  run(text: string): void {
    const words = this.#words;
    const table = UNITS;
    this.#last = -1;
    this.#place1 = -1;
    this.#place2 = -1;
    this.#place3 = -1;
    for (let at = 0; at < text.length; at++) {
      let entry = table[text.charCodeAt(at)] as number;
      let width = 1;
      if (entry === UNSET) {
        const point = text.codePointAt(at) ?? 0;
        entry = unitEntry(point);
        if (point > 0xffff) width = 2;
      }
      const kind = entry & CLASS_MASK;
      if (kind === WORD) {
        // A run of a letter counts once.
        if (words && entry >>> 16 !== this.#last) this.#unit(entry >>> 16, at);
      } else if (kind === DENSE) this.#unit(entry >>> 16, at);
      else if (kind === MULTI) this.#units(entry, at);
      // A letter is not taken for a repeat of one in the word before.
      else if (kind !== IGNORED) this.#last = -1;
      at += width - 1;
    }
  }

  #units(entry: number, at: number): void {
    const dense = (entry & DENSE_MULTI) !== 0;
    if (!dense && !this.#words) return;
    const units = expansion(entry);
    for (let i = 0; i < units.length; i++) {
      const unit = units.charCodeAt(i);
      if (dense || unit !== this.#last) this.#unit(unit, at);
    }
  }

  #unit(unit: number, at: number): void {
    const lengths = this.#lengths;
    const gram4 = roll(this.#gram3, unit);
    const gram3 = roll(this.#gram2, unit);
    const gram2 = roll(this.#gram1, unit);
    const gram1 = roll(SEED, unit);
    if ((lengths & 8) !== 0 && this.#place3 >= 0) this.#ask(this.#place3, gram4, 4);
    if ((lengths & 4) !== 0 && this.#place2 >= 0) this.#ask(this.#place2, gram3, 3);
    if ((lengths & 2) !== 0 && this.#place1 >= 0) this.#ask(this.#place1, gram2, 2);
    if ((lengths & 1) !== 0) this.#ask(at, gram1, 1);
    this.#gram3 = gram3;
    this.#gram2 = gram2;
    this.#gram1 = gram1;
    this.#place3 = this.#place2;
    this.#place2 = this.#place1;
    this.#place1 = at;
    this.#last = unit;
  }

  #ask(start: number, hash: number, length: number): void {
    const key = gramKey(hash, length);
    if (this.#finder.keywords.mayHold(key)) this.#finder.gram(start, key);
  }
}
