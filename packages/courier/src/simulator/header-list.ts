/** The headers of one request, in a list: there are a dozen, and a map of that size costs more to make than to search. */
export class HeaderList {
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  /** A name that came twice. */
  duplicate = '';

  add(name: string, value: string): void {
    if (this.#names.includes(name)) this.duplicate = name;
    this.#names.push(name);
    this.#values.push(value);
  }

  get(name: string): string | undefined {
    const at = this.#names.indexOf(name);
    return at === -1 ? undefined : this.#values[at];
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  toRecord(): Record<string, string> {
    return Object.fromEntries(this.#names.map((name, at) => [name, this.#values[at] ?? '']));
  }
}
