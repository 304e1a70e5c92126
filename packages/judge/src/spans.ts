/** Spans of a text, asked whether one of them covers another; in linear time for any number of them. */
export class Spans {
  readonly #spans: { start: number; end: number }[] = [];
  #sorted = false;

  add(start: number, end: number): void {
    this.#spans.push({ start, end });
    this.#sorted = false;
  }

  covers(start: number, end: number): boolean {
    if (!this.#sorted) this.#sort();
    let low = 0;
    let high = this.#spans.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#spans[middle]?.start ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    // After sorting, each span reaches as far as any that begins before it.
    return low > 0 && (this.#spans[low - 1]?.end ?? -1) >= end;
  }

  #sort(): void {
    this.#spans.sort((a, b) => a.start - b.start);
    let reach = -1;
    for (const span of this.#spans) {
      reach = Math.max(reach, span.end);
      span.end = reach;
    }
    this.#sorted = true;
  }
}
