const START = 1_024;
const SIZE_MAX = 131_072;

/**
 * The streams in flight, in typed arrays indexed by half their id: no object a stream. Ids only grow, so the place of the oldest
 * stream still open bounds the span, and deadlines (one time-out for all) grow with the ids.
 */
export class StreamRing {
  #mask = START - 1;
  #ids = new Int32Array(START);
  #calls = new Int32Array(START);
  #deadlines = new Float64Array(START);
  #receiveLeft = new Int32Array(START);
  #next: number;
  #oldest: number;
  #open = 0;

  constructor(firstId: number) {
    this.#next = firstId;
    this.#oldest = firstId;
  }

  get open(): number {
    return this.#open;
  }

  /** The id the next stream will have; above 2^31 - 1 when they are used up. */
  get nextId(): number {
    return this.#next;
  }

  /** How many more streams fit before one slow old stream must end. */
  room(): number {
    this.#advance();
    return SIZE_MAX - (this.#next - this.#oldest) / 2;
  }

  add(call: number, deadline: number, receiveWindow: number): number {
    const id = this.#next;
    if ((id - this.#oldest) / 2 > this.#mask) this.#makeRoom();
    const place = (id >>> 1) & this.#mask;
    this.#ids[place] = id;
    this.#calls[place] = call;
    this.#deadlines[place] = deadline;
    this.#receiveLeft[place] = receiveWindow;
    this.#next = id + 2;
    this.#open++;
    return id;
  }

  has(id: number): boolean {
    return this.#ids[(id >>> 1) & this.#mask] === id;
  }

  /** Ends a stream and returns its call; -1 if it is not open. */
  remove(id: number): number {
    const place = (id >>> 1) & this.#mask;
    if (this.#ids[place] !== id) return -1;
    this.#ids[place] = 0;
    this.#open--;
    return this.#calls[place] ?? -1;
  }

  /** Takes `bytes` of the stream's receive window; returns what is left, negative when the peer overran it. */
  receive(id: number, bytes: number): number {
    const place = (id >>> 1) & this.#mask;
    const left = (this.#receiveLeft[place] ?? 0) - bytes;
    this.#receiveLeft[place] = left;
    return left;
  }

  /** The oldest open stream that is past its deadline, or 0. */
  expired(now: number): number {
    this.#advance();
    if (this.#oldest >= this.#next) return 0;
    return (this.#deadlines[(this.#oldest >>> 1) & this.#mask] ?? 0) <= now ? this.#oldest : 0;
  }

  /** The open ids above `floor`, oldest first. */
  idsAbove(floor: number): number[] {
    this.#advance();
    const ids: number[] = [];
    for (let id = Math.max(this.#oldest, floor + 1 + (floor & 1)); id < this.#next; id += 2)
      if (this.has(id)) ids.push(id);
    return ids;
  }

  #advance(): void {
    while (this.#oldest < this.#next && this.#ids[(this.#oldest >>> 1) & this.#mask] !== this.#oldest)
      this.#oldest += 2;
  }

  #makeRoom(): void {
    this.#advance();
    if ((this.#next - this.#oldest) / 2 <= this.#mask) return;
    const before = {
      mask: this.#mask,
      ids: this.#ids,
      calls: this.#calls,
      deadlines: this.#deadlines,
      left: this.#receiveLeft,
    };
    const size = (this.#mask + 1) * 2;
    this.#mask = size - 1;
    this.#ids = new Int32Array(size);
    this.#calls = new Int32Array(size);
    this.#deadlines = new Float64Array(size);
    this.#receiveLeft = new Int32Array(size);
    for (let id = this.#oldest; id < this.#next; id += 2) {
      const from = (id >>> 1) & before.mask;
      const to = (id >>> 1) & this.#mask;
      if (before.ids[from] !== id) continue;
      this.#ids[to] = id;
      this.#calls[to] = before.calls[from] ?? 0;
      this.#deadlines[to] = before.deadlines[from] ?? 0;
      this.#receiveLeft[to] = before.left[from] ?? 0;
    }
  }
}
