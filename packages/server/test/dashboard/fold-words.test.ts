/** What the form of a list says of disguises is what the judge does. */
import { compile } from '@gatehouse/judge';
import { describe, expect, it } from 'vitest';
import { foldNames, folds } from '../../../dashboard/src/lists/list-words.ts';

function isCaught(text: string, fold: Record<string, boolean> | undefined): boolean {
  const condition = {
    id: 1,
    entity: 'message',
    operand: 'text',
    category: 'word',
    operator: 'contains',
    isKeywordsReferencePresent: true,
    value: ['spoilers'],
  } as const;
  const judge = compile({
    rules: [{ id: 'r', name: 'R', enabled: true, conditions: [condition], action: ['blockMessage'] }],
    lists: [{ id: 'spoilers', category: 'word', terms: ['butler'], ...(fold && { fold }) }],
  });
  return judge.judge({ sender: { uid: 'ada' }, text }).matches.length > 0;
}

describe.each(foldNames)('the disguise %s', (name) => {
  const { disguised, standard } = folds[name];
  it('is seen through where it is on, passes where it is off, and is on or off as the form first shows it', () => {
    expect(isCaught(disguised, { [name]: true })).toBe(true);
    expect(isCaught(disguised, { [name]: false })).toBe(false);
    expect(isCaught(disguised, undefined)).toBe(standard);
  });
});
