/** Longer tokens are not remembered: what is met often is short. */
const UNITS_MAX = 16;
const SLOTS_MIN = 64;
const SLOTS_MAX = 8192;

/**
 * Tokens that passed the filter and turned out to be no entry, as they were written. In any language a few words make
 * up most of what is said, and some of them share their skeleton with an entry (in, lin): those are asked about once.
 */
export class VainTokens {
  readonly #slots: number;
  // Made when first needed: most judges of few entries never do.
  #units = new Uint16Array(0);
  #lengths = new Uint8Array(0);

  constructor(entries: number) {
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(entries, 1) / 8));
    this.#slots = Math.min(SLOTS_MAX, Math.max(SLOTS_MIN, wanted));
  }

  has(text: string, start: number, end: number, key: number): boolean {
    const slot = this.#slotOf(text, start, key);
    const size = end - start;
    if (this.#lengths[slot] !== size) return false;
    const units = this.#units;
    const base = slot * UNITS_MAX;
    for (let i = 0; i < size; i++) if (units[base + i] !== text.charCodeAt(start + i)) return false;
    return true;
  }

  add(text: string, start: number, end: number, key: number): void {
    if (end - start > UNITS_MAX) return;
    if (this.#lengths.length === 0) {
      this.#units = new Uint16Array(this.#slots * UNITS_MAX);
      this.#lengths = new Uint8Array(this.#slots);
    }
    const slot = this.#slotOf(text, start, key);
    this.#lengths[slot] = end - start;
    for (let i = start; i < end; i++) this.#units[slot * UNITS_MAX + i - start] = text.charCodeAt(i);
  }

  /** The first letter tells a word from the same with a capital. */
  #slotOf(text: string, start: number, key: number): number {
    return (key ^ (text.charCodeAt(start) << 3)) & (this.#slots - 1);
  }
}
