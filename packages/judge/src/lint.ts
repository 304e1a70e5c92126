import { checkTerm } from './check.ts';
import { DICTIONARY } from './generated/dictionary.ts';
import { compile } from './judge.ts';
import type { FoldOptions } from './types.ts';

export interface KeywordLint {
  entry: string;
  /** Why the entry cannot be used at all. */
  problem?: string;
  /** Dictionary words that the entry would hit, itself included when it is one. */
  hits: string[];
}

/** The words of the dictionary, which is stored front coded. */
function* dictionaryWords(): Generator<string> {
  let last = '';
  for (const [, shared = 'A', rest = ''] of DICTIONARY.matchAll(/([A-Z])([a-z]*)/g)) {
    last = last.slice(0, shared.charCodeAt(0) - 65) + rest;
    yield last;
  }
}

/** Tells, before a list is saved, which ordinary English words an entry would hit. Takes a fraction of a second. */
export function lintKeyword(entry: string, fold?: Partial<FoldOptions>): KeywordLint {
  const problem = checkTerm(entry, 'word');
  if (problem !== undefined) return { entry, problem: problem.reason, hits: [] };
  const judge = compile({
    lists: [
      fold === undefined
        ? { id: 'lint', category: 'word', terms: [entry] }
        : { id: 'lint', category: 'word', terms: [entry], fold },
    ],
    rules: [
      {
        id: 'lint',
        name: 'lint',
        enabled: true,
        action: ['flagMessage'],
        conditions: [
          {
            id: 1,
            isKeywordsReferencePresent: true,
            entity: 'message',
            operand: 'text',
            category: 'word',
            operator: 'contains',
            value: ['lint'],
          },
        ],
      },
    ],
  });
  const hits: string[] = [];
  for (const word of dictionaryWords()) if (judge.judge({ text: word }).matches.length > 0) hits.push(word);
  return { entry, hits };
}
