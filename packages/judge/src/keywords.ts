import { type Entry, keyOf, makeEntry, NEEDS_PAIRS } from './entry.ts';
import { foldBits, MASK } from './fold.ts';
import type { List, Severity } from './types.ts';

/** The tables of all word lists: plain data over shared buffers, so that a worker can build them for another thread. */
export interface KeywordTables {
  /** One bit a bucket: most tokens end here. */
  filter: Uint32Array;
  filterShift: number;
  /** The same for the last two words of phrases, apart: few words are phrases, and every two words are asked about. */
  pairs: Uint32Array;
  pairShift: number;
  slotKeys: Int32Array;
  /** The first entry of a key, plus one; 0 is an empty slot. */
  slotHeads: Uint32Array;
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

/** Filter bits a keyword: at 16, six tokens in a hundred go on to the slots for nothing. Small filters can afford more. */
function filterBitsFor(count: number): number {
  return powerOfTwo(Math.max(count * (count > 100_000 ? 16 : 32), 1024));
}

export function buildKeywords(lists: readonly List[]): KeywordTables {
  const sources = sourcesOf(lists);
  const count = sources.reduce((sum, source) => sum + source.terms.length, 0);
  const units = sources.reduce((sum, source) => sum + source.terms.reduce((n, term) => n + term.length, 0), 0);
  const slots = powerOfTwo(count * 1.5);
  const filterBits = filterBitsFor(count);
  const tables: KeywordTables = {
    filter: new Uint32Array(buffer(filterBits / 8)),
    filterShift: 32 - Math.log2(filterBits),
    pairs: new Uint32Array(0),
    pairShift: 0,
    slotKeys: new Int32Array(buffer(slots * 4)),
    slotHeads: new Uint32Array(buffer(slots * 4)),
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
        if ((key.needs & NEEDS_PAIRS) !== 0) pairKeys.push(key.key);
        else mark(tables.filter, key.key >>> tables.filterShift);
        file(tables, entry, key.key);
      }
      entry++;
    }
  });
  const pairBits = filterBitsFor(pairKeys.length);
  tables.pairs = new Uint32Array(buffer(pairBits / 8));
  tables.pairShift = 32 - Math.log2(pairBits);
  for (const key of pairKeys) mark(tables.pairs, key >>> tables.pairShift);
  return tables;
}

function mark(filter: Uint32Array, bit: number): void {
  filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
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
  tables.slotKeys[slot] = key;
  tables.next[entry] = tables.slotHeads[slot] ?? 0;
  tables.slotHeads[slot] = entry + 1;
}

/** The slot of a key: where it is, or the empty one where it would be. */
function slotOf(tables: KeywordTables, key: number): number {
  const { slotKeys, slotHeads } = tables;
  const wrap = slotHeads.length - 1;
  // The filter took the high bits; spread the low ones, which differ among tokens that passed it.
  let slot = (key ^ (key >>> 13)) & wrap;
  while (slotHeads[slot] !== 0 && slotKeys[slot] !== key) slot = (slot + 1) & wrap;
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
    return (this.tables.slotHeads[slotOf(this.tables, key)] ?? 0) - 1;
  }

  next(entry: number): number {
    return (this.tables.next[entry] ?? 0) - 1;
  }

  mayHold(key: number): boolean {
    const bit = key >>> this.tables.filterShift;
    return ((this.tables.filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
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
