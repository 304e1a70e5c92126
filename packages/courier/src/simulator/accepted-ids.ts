const FIRST_ROOM = 4_096;
const UUID_CHARS = 36;
const DASH = 45;

/** Values of the hex digits by character code; -1 for what is none. Capitals are none: an `apns-id` is lower case. */
const DIGITS = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/**
 * How often each id was accepted. UUIDs lie in typed arrays (open addressing), so that millions of them cost the simulator little
 * memory and the garbage collector nothing; ids of other shapes are few and lie in a map.
 */
export class AcceptedIds {
  readonly #others = new Map<string, number>();
  /** The id looked at last, as four words. */
  readonly #id = new Uint32Array(4);
  #room = FIRST_ROOM;
  #uuids = 0;
  #words = new Uint32Array(FIRST_ROOM * 4);
  #times = new Uint32Array(FIRST_ROOM);

  /** Counts one more and answers how many there were before. */
  add(id: string): number {
    if (!this.#parse(id)) {
      const before = this.#others.get(id) ?? 0;
      this.#others.set(id, before + 1);
      return before;
    }
    const place = this.#place();
    const before = this.#times[place] ?? 0;
    this.#words.set(this.#id, place * 4);
    this.#times[place] = before + 1;
    if (before === 0 && ++this.#uuids * 2 > this.#room) this.#grow();
    return before;
  }

  times(id: string): number {
    return this.#parse(id) ? (this.#times[this.#place()] ?? 0) : (this.#others.get(id) ?? 0);
  }

  *ids(): IterableIterator<string> {
    for (let place = 0; place < this.#room; place++) if (this.#times[place] !== 0) yield this.#text(place);
    yield* this.#others.keys();
  }

  clear(): void {
    this.#others.clear();
    this.#room = FIRST_ROOM;
    this.#uuids = 0;
    this.#words = new Uint32Array(FIRST_ROOM * 4);
    this.#times = new Uint32Array(FIRST_ROOM);
  }

  /** Reads a UUID into `#id`; false if the text is none. */
  #parse(text: string): boolean {
    if (text.length !== UUID_CHARS) return false;
    let digits = 0;
    let word = 0;
    for (let i = 0; i < UUID_CHARS; i++) {
      const code = text.charCodeAt(i);
      if (i === 8 || i === 13 || i === 18 || i === 23) {
        if (code !== DASH) return false;
        continue;
      }
      const digit = DIGITS[code] ?? -1;
      if (digit < 0) return false;
      word = (word << 4) | digit;
      digits++;
      if ((digits & 7) === 0) this.#id[(digits >> 3) - 1] = word;
    }
    return true;
  }

  /** Where `#id` lies, or would. */
  #place(): number {
    const a = this.#id[0] ?? 0;
    const b = this.#id[1] ?? 0;
    const c = this.#id[2] ?? 0;
    const d = this.#id[3] ?? 0;
    const words = this.#words;
    // Ids may count up, so every word is mixed in.
    let hash = Math.imul(
      a ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x9e3779b1),
      0x27d4eb2f,
    );
    hash ^= hash >>> 15;
    for (let place = hash & (this.#room - 1); ; place = (place + 1) & (this.#room - 1)) {
      if (this.#times[place] === 0) return place;
      const at = place * 4;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return place;
    }
  }

  #grow(): void {
    const [words, times, room] = [this.#words, this.#times, this.#room];
    this.#room = room * 4;
    this.#words = new Uint32Array(this.#room * 4);
    this.#times = new Uint32Array(this.#room);
    for (let old = 0; old < room; old++) {
      if (times[old] === 0) continue;
      this.#id.set(words.subarray(old * 4, old * 4 + 4));
      const place = this.#place();
      this.#words.set(this.#id, place * 4);
      this.#times[place] = times[old] ?? 0;
    }
  }

  #text(place: number): string {
    let hex = '';
    for (let i = 0; i < 4; i++) hex += (this.#words[place * 4 + i] ?? 0).toString(16).padStart(8, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}
