import { LiteralSieve } from './literal-sieve.ts';
import type { Requirement } from './literals.ts';

/**
 * Says which patterns can match a text at all. Most texts hold no literal, and a glance tells so. The others are passed over
 * once more: literals are found by the hash of their first three units (or fewer), one bit of a small filter a unit, and
 * verified.
 */
const GRAM = 3;
const BITS = 15;
const SPREAD = 0x9e3779b1 | 0;
const LONG_S = 0x17f;

interface Literal {
  text: string;
  patterns: number[];
}

export class LiteralFilter {
  /** Patterns of which nothing is known: they always run. */
  readonly #always: number[] = [];
  readonly #digits: number[] = [];
  readonly #bits = new Uint8Array(1 << BITS);
  readonly #byGram = new Map<number, Literal[]>();
  readonly #lengths: boolean[] = [false, false, false, false];
  readonly #count: number;
  readonly #sieve: LiteralSieve;
  /** What runs on a text that holds a digit and none of the literals. */
  readonly #alwaysOrDigits: number[];

  constructor(requirements: readonly Requirement[]) {
    this.#count = requirements.length;
    const literals = new Map<string, Literal>();
    requirements.forEach((requirement, pattern) => {
      if (requirement.literals.length === 0) (requirement.digit ? this.#digits : this.#always).push(pattern);
      for (const text of requirement.literals) {
        const literal = literals.get(text) ?? { text, patterns: [] };
        literal.patterns.push(pattern);
        literals.set(text, literal);
      }
    });
    for (const literal of literals.values()) this.#file(literal);
    this.#sieve = new LiteralSieve(literals.keys());
    this.#alwaysOrDigits = [...this.#always, ...this.#digits].sort((a, b) => a - b);
  }

  #file(literal: Literal): void {
    const length = Math.min(GRAM, literal.text.length);
    let gram = length;
    for (let i = 0; i < length; i++) gram = Math.imul(gram, SPREAD) + literal.text.charCodeAt(i);
    gram |= 0;
    this.#lengths[length] = true;
    this.#bits[Math.imul(gram, SPREAD) >>> (32 - BITS)] = 1;
    this.#byGram.set(gram, [...(this.#byGram.get(gram) ?? []), literal]);
  }

  /** The patterns that may match, in order. */
  candidates(text: string): readonly number[] {
    if (this.#count === this.#always.length) return this.#always;
    const seen = this.#sieve.look(text);
    if ((seen & 1) === 0) return seen === 0 ? this.#always : this.#alwaysOrDigits;
    const found = new Set(this.#always);
    const lower = text.toLowerCase();
    let second = 0;
    let first = 0;
    let digit = false;
    for (let at = 0; at < lower.length; at++) {
      let unit = lower.charCodeAt(at);
      if (unit === LONG_S) unit = 0x73;
      if (unit >= 0x30 && unit <= 0x39) digit = true;
      if (this.#lengths[3] && at >= 2) {
        const gram = (Math.imul(Math.imul(Math.imul(3, SPREAD) + first, SPREAD) + second, SPREAD) + unit) | 0;
        if (this.#bits[Math.imul(gram, SPREAD) >>> (32 - BITS)] === 1) this.#verify(gram, lower, at - 2, found);
      }
      if (this.#lengths[2] && at >= 1) {
        const gram = (Math.imul(Math.imul(2, SPREAD) + second, SPREAD) + unit) | 0;
        if (this.#bits[Math.imul(gram, SPREAD) >>> (32 - BITS)] === 1) this.#verify(gram, lower, at - 1, found);
      }
      if (this.#lengths[1]) {
        const gram = (Math.imul(1, SPREAD) + unit) | 0;
        if (this.#bits[Math.imul(gram, SPREAD) >>> (32 - BITS)] === 1) this.#verify(gram, lower, at, found);
      }
      first = second;
      second = unit;
    }
    if (digit) for (const pattern of this.#digits) found.add(pattern);
    return found.size === 0 ? NOTHING : [...found].sort((a, b) => a - b);
  }

  #verify(gram: number, lower: string, at: number, found: Set<number>): void {
    for (const literal of this.#byGram.get(gram) ?? []) {
      const text = lower.slice(at, at + literal.text.length).replaceAll('\u017f', 's');
      if (text === literal.text) for (const pattern of literal.patterns) found.add(pattern);
    }
  }
}

const NOTHING: number[] = [];
