/** The dashboard reads a CSV file as the service does. */
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../dashboard/src/lists/csv.ts';
import { csvTerms } from '../../src/moderation/csv.ts';

const files = [
  'a{1,3}b\r\nsay "hi", now\r\n',
  '\ufeff"a{1,3}b"\n"x,y","say ""hi"""\n',
  'a,b\rc,d\n\n  \r\ne,f',
  '"a,b",c,d\nlast',
];

describe('a CSV file brought into a list', () => {
  it.each(files)('of patterns is read line by line, on both sides: %j', async (file) => {
    const terms = await csvTerms([Buffer.from(file)], { linesAreTerms: true });
    expect([...cellsOf(file, 'pattern')]).toEqual(terms);
  });

  it.each(files.slice(1))('of words is read cell by cell, on both sides: %j', async (file) => {
    expect([...cellsOf(file, 'word')]).toEqual(await csvTerms([Buffer.from(file)]));
  });

  it('gives the same in whatever pieces it arrives', async () => {
    const bytes = Buffer.from('a,b\r\nc "d"\r"e,f"\n\r\nlast,ö\r');
    const pieces = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
    expect(await csvTerms(pieces, { linesAreTerms: true })).toEqual(['a,b', 'c "d"', 'e,f', 'last,ö']);
  });
});
