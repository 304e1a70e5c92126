import { type Entry, keyOf, makeEntry } from './entry.ts';
import { foldBits, MASK } from './fold.ts';
import { filterBits, phraseBit } from './hash.ts';
import type { List, Severity } from './types.ts';

/** The tables of all word lists: plain data over shared buffers, so that a worker can build them for another thread. */
export interface KeywordTables {
  /** Two bits a key in the word that its high bits choose, a third if it ends a phrase: most tokens end here. */
  filter: Uint32Array;
  filterShift: number;
  /** The same for the last two words of phrases. */
  pairs: Uint32Array;
  pairShift: number;
  /** Two numbers a slot: a key, and its first entry plus one; 0 there is an empty slot. */
  slots: Int32Array;
  /** The next entry of the same key, plus one. */
  next: Uint32Array;
  lists: Uint32Array;
  /** Where each entry's text begins in `texts`; one more than there are entries. */
  offsets: Uint32Array;
  texts: Uint16Array;
  needs: number;
  /** The most characters a term of one word has. */
  longest: number;
  profiles: readonly ListProfile[];
}

/** One word list as the engine knows it. Allowed terms are entries of a profile of their own. */
export interface ListProfile {
  bits: number;
  /** For allowed terms, the profile that they guard; else -1. */
  allowFor: number;
  severity: Readonly<Record<string, Severity>>;
}

interface Source {
  terms: readonly string[];
  profile: ListProfile;
}

function sourcesOf(lists: readonly List[]): Source[] {
  const sources: Source[] = [];
  for (const list of lists) {
    const bits = foldBits(list.fold);
    const own = sources.length;
    sources.push({ terms: list.terms, profile: { bits, allowFor: -1, severity: list.severity ?? {} } });
    // The profile of a list's allowed terms always follows it, empty or not, so that list n is profile 2n.
    sources.push({ terms: list.allow ?? [], profile: { bits: bits & ~MASK, allowFor: own, severity: {} } });
  }
  return sources;
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(atLeast, 2)));
}

const SHARED = typeof SharedArrayBuffer !== 'undefined';

function buffer(bytes: number): ArrayBuffer | SharedArrayBuffer {
  return SHARED ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}

/**
 * The words of 32 bits that a filter of so many keys has. A key sets two bits of one word, so that a look costs one line
 * of cache. With 8 to 16 bits a key one token in 30 goes on for nothing; small filters can afford twice as many.
 */
function filterSize(keys: number): number {
  return powerOfTwo(Math.max(keys / (keys > 100_000 ? 4 : 2), 32));
}

function shiftFor(filter: Uint32Array): number {
  return 32 - Math.log2(filter.length);
}

export function buildKeywords(lists: readonly List[]): KeywordTables {
  const sources = sourcesOf(lists);
  const count = sources.reduce((sum, source) => sum + source.terms.length, 0);
  const units = sources.reduce((sum, source) => sum + source.terms.reduce((n, term) => n + term.length, 0), 0);
  const slots = powerOfTwo(count * 1.5);
  const filter = new Uint32Array(buffer(filterSize(count) * 4));
  const tables: KeywordTables = {
    filter,
    filterShift: shiftFor(filter),
    pairs: new Uint32Array(0),
    pairShift: 0,
    slots: new Int32Array(buffer(slots * 8)),
    next: new Uint32Array(buffer(Math.max(count, 1) * 4)),
    lists: new Uint32Array(buffer(Math.max(count, 1) * 4)),
    offsets: new Uint32Array(buffer((count + 1) * 4)),
    texts: new Uint16Array(buffer(Math.max(units, 1) * 2)),
    needs: 0,
    longest: sources.reduce((most, { terms }) => terms.reduce(longer, most), 0),
    profiles: sources.map((source) => source.profile),
  };
  let entry = 0;
  const pairKeys: number[] = [];
  sources.forEach((source, list) => {
    for (const term of source.terms) {
      tables.lists[entry] = list;
      writeText(tables, entry, term);
      const key = keyOf(term);
      if (key !== undefined) {
        tables.needs |= key.needs;
        if (key.last === undefined) mark(filter, tables.filterShift, key.key, filterBits(key.key));
        else {
          mark(filter, tables.filterShift, key.last, phraseBit(key.last));
          pairKeys.push(key.key);
        }
        file(tables, entry, key.key);
      }
      entry++;
    }
  });
  tables.pairs = new Uint32Array(buffer(filterSize(pairKeys.length) * 4));
  tables.pairShift = shiftFor(tables.pairs);
  for (const key of pairKeys) mark(tables.pairs, tables.pairShift, key, filterBits(key));
  return tables;
}

function mark(filter: Uint32Array, shift: number, key: number, bits: number): void {
  filter[key >>> shift] = (filter[key >>> shift] ?? 0) | bits;
}

function longer(most: number, term: string): number {
  // Phrases are never put together from pieces.
  return term.length > most && !/\s/.test(term.trim()) ? term.length : most;
}

function writeText(tables: KeywordTables, entry: number, term: string): void {
  const from = tables.offsets[entry] ?? 0;
  for (let i = 0; i < term.length; i++) tables.texts[from + i] = term.charCodeAt(i);
  tables.offsets[entry + 1] = from + term.length;
}

function file(tables: KeywordTables, entry: number, key: number): void {
  const slot = slotOf(tables, key);
  tables.slots[slot] = key;
  tables.next[entry] = tables.slots[slot + 1] ?? 0;
  tables.slots[slot + 1] = entry + 1;
}

/** Where the slot of a key begins: the one it has, or the empty one that it would have. */
function slotOf({ slots }: KeywordTables, key: number): number {
  const wrap = slots.length - 1;
  // The filter took the high bits; spread the low ones, which differ among tokens that passed it.
  let slot = ((key ^ (key >>> 13)) << 1) & wrap;
  while (slots[slot + 1] !== 0 && slots[slot] !== key) slot = (slot + 2) & wrap;
  return slot;
}

const DECODED_MAX = 4096;

/** Looks entries up and keeps the few that are met often in decoded form. */
export class Keywords {
  readonly tables: KeywordTables;
  #decoded = new Map<number, Entry>();

  constructor(tables: KeywordTables) {
    this.tables = tables;
  }

  /** The first entry filed under a key, or -1. Ask the filter first. */
  first(key: number): number {
    return (this.tables.slots[slotOf(this.tables, key) + 1] ?? 0) - 1;
  }

  next(entry: number): number {
    return (this.tables.next[entry] ?? 0) - 1;
  }

  mayHold(key: number): boolean {
    const bits = filterBits(key);
    return ((this.tables.filter[key >>> this.tables.filterShift] ?? 0) & bits) === bits;
  }

  holds(key: number): boolean {
    return this.mayHold(key) && this.first(key) >= 0;
  }

  profileIndex(entry: number): number {
    return this.tables.lists[entry] ?? 0;
  }

  bits(entry: number): number {
    return this.tables.profiles[this.profileIndex(entry)]?.bits ?? 0;
  }

  decode(entry: number): Entry {
    const known = this.#decoded.get(entry);
    if (known !== undefined) return known;
    const { texts, offsets } = this.tables;
    const term = String.fromCharCode(...texts.subarray(offsets[entry] ?? 0, offsets[entry + 1] ?? 0));
    if (this.#decoded.size >= DECODED_MAX) this.#decoded.clear();
    const made = makeEntry(term, this.bits(entry));
    this.#decoded.set(entry, made);
    return made;
  }
}
