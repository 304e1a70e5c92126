import { RE2JS, RE2JSSyntaxException } from 're2js';

/** A user's regular expression, run by an engine whose time is linear in the text, whatever the pattern. */
export interface Pattern {
  source: string;
  regex: RE2JS;
  /** The whole text must match, for the operator `equals`. */
  whole: RE2JS;
  hasHit: boolean;
}

export interface PatternProblem {
  position: number;
  reason: string;
}

/** What RE2 leaves out because no linear engine can do it, in words. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/\(\?=/, 'look-ahead (?=...) cannot be matched in linear time'],
  [/\(\?!/, 'negative look-ahead (?!...) cannot be matched in linear time'],
  [/\(\?<=/, 'look-behind (?<=...) cannot be matched in linear time'],
  [/\(\?<!/, 'negative look-behind (?<!...) cannot be matched in linear time'],
  [/\(\?>/, 'an atomic group (?>...) is not supported'],
  [/\\[1-9]/, 'a back-reference cannot be matched in linear time'],
  [/\\k</, 'a back-reference by name cannot be matched in linear time'],
];

/** Escapes and classes blanked out, so that `\(?=` and `[(?=]` are not taken for look-ahead. */
function blankLiterals(source: string): string {
  return source
    .replace(/\\[^1-9k]/gs, (pair) => '_'.repeat(pair.length))
    .replace(/\[\^?\]?[^\]]*\]/g, (group) => '_'.repeat(group.length));
}

const PATTERN_MAX = 2000;

export function checkPattern(source: string): PatternProblem | undefined {
  if (source === '') return { position: 0, reason: 'the pattern is empty and would match every message' };
  if (source.length > PATTERN_MAX)
    return { position: PATTERN_MAX, reason: `the pattern is longer than ${PATTERN_MAX} characters` };
  const visible = blankLiterals(source);
  for (const [shape, reason] of REFUSED) {
    const at = visible.search(shape);
    if (at >= 0) return { position: at, reason: `${reason} (at "${source.slice(at, at + 12)}")` };
  }
  try {
    RE2JS.compile(translate(source));
    return undefined;
  } catch (error) {
    return syntaxProblem(source, error);
  }
}

function syntaxProblem(source: string, error: unknown): PatternProblem {
  if (!(error instanceof RE2JSSyntaxException)) {
    return { position: 0, reason: error instanceof Error ? error.message : 'the pattern cannot be read' };
  }
  const part = String(error.getPattern() ?? '');
  const at = part === '' ? -1 : source.indexOf(part);
  const what = String(error.getDescription() ?? error.message);
  return { position: Math.max(0, at), reason: `${what}${part === '' ? '' : ` at "${part}"`}` };
}

/** Accepts the spelling of JavaScript for what RE2 spells otherwise: `(?<name>`, `\uXXXX`, `\/`. */
function translate(source: string): string {
  return RE2JS.translateRegExp(source);
}

export function makePattern(source: string): Pattern {
  const text = translate(source);
  const regex = RE2JS.compile(text);
  return { source, regex, whole: RE2JS.compile(`^(?:${text})$`), hasHit: 'hit' in regex.namedGroups() };
}

export interface PatternHit {
  start: number;
  end: number;
}

/** Every match that is not empty. A group named `hit` narrows the span to what a reader would underline. */
export function findPattern(pattern: Pattern, text: string, whole: boolean): PatternHit[] {
  const hits: PatternHit[] = [];
  const matcher = (whole ? pattern.whole : pattern.regex).matcher(text);
  while (matcher.find()) {
    const named = pattern.hasHit && matcher.start('hit') >= 0;
    const start = named ? matcher.start('hit') : matcher.start();
    const end = named ? matcher.end('hit') : matcher.end();
    if (end > start) hits.push({ start, end });
    if (hits.length >= HITS_MAX) break;
  }
  return hits;
}

/** Spans told a pattern and field; more would only fill the log. */
const HITS_MAX = 100;
