import { isUtf8 } from 'node:buffer';
import { badField } from '../errors.ts';

const depthMax = 64;

export function parseBody(body: Uint8Array): unknown {
  if (!isUtf8(body)) throw badField('body', 'The body is not UTF-8.');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  // Some editors put a mark before everything they save.
  return parseJson(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/**
 * Parses a body and refuses what `JSON.parse` would let through or choke on: keys given twice (the last would silently
 * win), nesting without end, `__proto__`, U+0000 (PostgreSQL refuses it, SQLite would cut the text there), and halves of
 * surrogate pairs (no store keeps them: another character would come back).
 */
export function parseJson(text: string): unknown {
  inspect(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badField(
      'body',
      `The body is not JSON: ${error instanceof SyntaxError ? withoutExcerpt(error.message) : 'it cannot be parsed'}.`,
    );
  }
}

/** V8 quotes the text around the mistake, which may hold a secret: only the place is told. */
function withoutExcerpt(message: string): string {
  const position = /at position \d+( \(line \d+ column \d+\))?/.exec(message)?.[0];
  return position === undefined
    ? 'it ends too early or holds a character that does not belong there'
    : `mistake ${position}`;
}

const quote = 0x22;
const backslash = 0x5c;
const surrogateEscape = /^u[dD][89a-fA-F]/;

/** Looks at tokens only: whether they stand in the right order is for `JSON.parse` to say. */
function inspect(text: string): void {
  // An object on the way down is its keys, an array is null.
  const open: (Keys | null)[] = [];
  let keyExpected = false;
  const hasEscapes = text.includes('\\');
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case quote: {
        const end = hasEscapes ? endOfString(text, i) : text.indexOf('"', i + 1);
        if (end === -1) return;
        const keys = keyExpected ? open[open.length - 1] : undefined;
        if (keys) addKey(keys, text.slice(i + 1, end), hasEscapes);
        keyExpected = false;
        i = end;
        break;
      }
      case 0x7b: // {
      case 0x5b: // [
        if (open.length === depthMax) throw badField('body', `The body is nested more than ${depthMax} levels deep.`);
        keyExpected = text.charCodeAt(i) === 0x7b;
        open.push(keyExpected ? new Keys() : null);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        keyExpected = false;
        break;
      case 0x2c: // ,
        keyExpected = open.length > 0 && open[open.length - 1] !== null;
        break;
    }
  }
}

function endOfString(text: string, start: number): number {
  let hasSurrogates = false;
  for (let i = start + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === quote) {
      if (hasSurrogates) refuseHalves(text.slice(start, i + 1));
      return i;
    }
    if (unit !== backslash) continue;
    hasSurrogates ||= surrogateEscape.test(text.slice(i + 1, i + 4));
    if (text.startsWith('u0000', i + 1))
      throw badField('body', 'The body holds U+0000, which no text of ours can hold. Remove it.');
    i++;
  }
  return text.length;
}

function refuseHalves(token: string): void {
  if (/\p{Surrogate}/u.test(readString(token)))
    throw badField('body', 'The body holds half of a character (a lone surrogate such as \\ud83d). Remove it.');
}

/** Few keys are looked through faster than a set is made for them; many would take the square of their number. */
class Keys {
  private readonly few: string[] = [];
  private many: Set<string> | undefined;

  /** Whether the key is new. */
  add(key: string): boolean {
    if (this.many === undefined && this.few.length === 16) this.many = new Set(this.few);
    if (this.many === undefined ? this.few.includes(key) : this.many.has(key)) return false;
    if (this.many === undefined) this.few.push(key);
    else this.many.add(key);
    return true;
  }
}

function addKey(keys: Keys, inQuotes: string, hasEscapes: boolean): void {
  const key = hasEscapes && inQuotes.includes('\\') ? readString(`"${inQuotes}"`) : inQuotes;
  if (!keys.add(key))
    throw badField('body', `The key ${JSON.stringify(key.slice(0, 100))} is given twice in one object.`);
  if (key === '__proto__') throw badField('body', 'The key "__proto__" is not allowed.');
}

function readString(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
