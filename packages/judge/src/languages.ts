import { LANGUAGE_TERMS } from './generated/languages.ts';
import type { List } from './types.ts';

/** Languages with a list of their own; English is `builtins.profanity`. */
export const languageCodes: readonly string[] = Object.keys(LANGUAGE_TERMS);

/** The word list of a language (source and licence: LDNOOBW, CC BY 4.0), ready to be put into a ruleset. */
export function languageList(code: string): List | undefined {
  const terms = LANGUAGE_TERMS[code];
  if (terms === undefined) return undefined;
  return { id: `profanity-${code}`, name: `Profanity (${code})`, category: 'word', terms: terms.split('\n') };
}
