/**
 * What a pattern cannot match without: one of some literals, or a digit. Read from the pattern's own text, carefully:
 * where a construct is not understood, nothing is claimed and the pattern runs on every message.
 */
export interface Requirement {
  /** One of these must stand in the text, lower case. Empty when none is known. */
  literals: readonly string[];
  digit: boolean;
}

const UNKNOWN: Requirement = { literals: [], digit: false };
const LITERALS_MAX = 64;

export function requirementOf(source: string): Requirement {
  // A flag may change what letters and spaces mean; a quoted part is left to the engine.
  if (/\\Q/.test(source)) return UNKNOWN;
  const reader = new Reader(source);
  const requirement = reader.alternation();
  return reader.failed || !reader.done ? UNKNOWN : requirement;
}

class Reader {
  failed = false;
  #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get done(): boolean {
    return this.#at >= this.#source.length;
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  /** Branches: what all of them need together. */
  alternation(): Requirement {
    const branches = [this.#sequence()];
    while (this.#peek() === '|' && !this.failed) {
      this.#at++;
      branches.push(this.#sequence());
    }
    const literals = branches.every((branch) => branch.literals.length > 0)
      ? branches.flatMap((branch) => branch.literals)
      : [];
    const digit = branches.every((branch) => branch.digit);
    return { literals: literals.length > LITERALS_MAX ? [] : [...new Set(literals)], digit };
  }

  /** Parts in a row: the best that one of them needs. */
  #sequence(): Requirement {
    let best: readonly string[] = [];
    let digit = false;
    let run = '';
    const offer = (literals: readonly string[]): void => {
      if (literals.length > 0 && worth(literals) > worth(best)) best = literals;
    };
    while (!this.done && this.#peek() !== '|' && this.#peek() !== ')' && !this.failed) {
      const part = this.#part();
      const times = this.#repeat();
      const single = part.literals.length === 1 && part.plain;
      if (single && times.min === 1 && times.max === 1) {
        run += part.literals[0];
        if (/\d$/.test(run)) digit = true;
        continue;
      }
      offer(run === '' ? [] : [run]);
      run = '';
      if (times.min >= 1) {
        offer(part.literals);
        digit ||= part.digit;
      }
    }
    offer(run === '' ? [] : [run]);
    return { literals: best, digit };
  }

  #part(): Requirement & { plain: boolean } {
    const ch = this.#peek();
    if (ch === '(') return { ...this.#group(), plain: false };
    if (ch === '[') return this.#class();
    if (ch === '\\') return this.#escape();
    const width = (this.#source.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1;
    const literal = this.#source.slice(this.#at, this.#at + width);
    this.#at += width;
    if ('.^$*+?{}'.includes(literal)) return { ...UNKNOWN, plain: false };
    return literalPart(literal);
  }

  #group(): Requirement {
    const opening = /^\((?:\?(?:P?<[A-Za-z_]\w*>|[imsU-]*:|[imsU-]+\)))?/.exec(this.#source.slice(this.#at));
    if (opening === null) {
      this.failed = true;
      return UNKNOWN;
    }
    this.#at += opening[0].length;
    if (opening[0].endsWith(')')) return UNKNOWN;
    const inner = this.alternation();
    if (this.#peek() !== ')') this.failed = true;
    this.#at++;
    return inner;
  }

  #class(): Requirement & { plain: boolean } {
    const text = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/s.exec(this.#source.slice(this.#at))?.[0];
    if (text === undefined) this.failed = true;
    this.#at += text?.length ?? 1;
    return { literals: [], digit: text === '[0-9]' || text === '[\\d]', plain: false };
  }

  #escape(): Requirement & { plain: boolean } {
    const text =
      /^\\(?:[pP]\{[^}]*\}|[pP].|x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[^}]*\}|[0-7]+|[\s\S])/.exec(
        this.#source.slice(this.#at),
      )?.[0];
    if (text === undefined) {
      this.failed = true;
      this.#at++;
      return { ...UNKNOWN, plain: false };
    }
    this.#at += text.length;
    if (/^\\[^\w\s]$/.test(text)) return literalPart(text.slice(1));
    return { literals: [], digit: text === '\\d', plain: false };
  }

  #repeat(): { min: number; max: number } {
    const text = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (text === null) return { min: 1, max: 1 };
    this.#at += text[0].length;
    const sign = text[0].charAt(0);
    if (sign === '*' || sign === '?') return { min: 0, max: 2 };
    if (sign === '+') return { min: 1, max: 2 };
    const min = Number(text[1]);
    return { min, max: text[2] === ',' ? min + 1 : min };
  }
}

/** Only characters whose case folds one to one are certain: ASCII, and what has no case. */
function literalPart(ch: string): Requirement & { plain: boolean } {
  const certain = ch < '\u0080' || ch.toLowerCase() === ch.toUpperCase();
  return { literals: certain ? [ch.toLowerCase()] : [], digit: /\d/.test(ch), plain: certain };
}

/** A longer literal is rarer; many are less selective. */
function worth(literals: readonly string[]): number {
  if (literals.length === 0) return 0;
  return Math.min(...literals.map((literal) => literal.length)) - Math.log2(literals.length) / 8;
}
