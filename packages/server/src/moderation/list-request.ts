import { parse } from 'csv-parse/sync';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { ApiError, badField, Problems } from '../errors.ts';
import { line, recordId, text } from '../fields.ts';

/** A keyword list as it arrives: JSON, form fields, or a CSV file. All three become the same thing. */
export const termLengthMax = 100;
export const patternLengthMax = 10_000;
const termsMax = 1_000_000;

export const listRequest = Type.Object({
  id: Type.Optional(recordId),
  name: Type.Optional(line(100)),
  description: Type.Optional(text(255)),
  category: Type.Optional(Type.Enum(['word', 'pattern', 'sentence-similarity'])),
  // Checked entry by entry in code: a schema would answer a million mistakes with a million sentences.
  searchTerms: Type.Optional(
    Type.Unsafe<unknown>({ type: 'array', description: 'Words up to 100 characters, or patterns.' }),
  ),
});

type ListFields = Static<typeof listRequest>;

export interface ListContent {
  id: string | undefined;
  name: string | undefined;
  description: string;
  category: 'word' | 'pattern' | 'sentence-similarity';
  isCSV: boolean;
  terms: string[];
}

export async function readListRequest(request: FastifyRequest, body: ListFields | undefined): Promise<ListContent> {
  if (!request.isMultipart())
    return toContent(body ?? {}, Array.isArray(body?.searchTerms) ? body.searchTerms : [], false);
  const { fields, file } = await readForm(request);
  const category = fields.get('category') ?? 'word';
  const known = { ...Object.fromEntries(fields), searchTerms: undefined };
  checkFormFields(known);
  const terms = file === undefined ? splitTerms(fields.get('searchTerms') ?? '', category) : csvTerms(file);
  return toContent(known, terms, file !== undefined);
}

async function readForm(request: FastifyRequest): Promise<{ fields: Map<string, string>; file: Buffer | undefined }> {
  const fields = new Map<string, string>();
  let file: Buffer | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (part.fieldname !== 'file') throw badField(part.fieldname.slice(0, 100), 'A file goes into the field "file".');
      file = await part.toBuffer();
    } else {
      if (part.valueTruncated) throw new ApiError('ERR_PAYLOAD_TOO_LARGE');
      fields.set(part.fieldname, String(part.value));
    }
  }
  return { fields, file };
}

/** The form's fields pass no schema of the HTTP layer, so the same bounds are checked here. */
function checkFormFields(fields: Record<string, string | undefined>): void {
  const problems = new Problems();
  const check = (field: string, pattern: RegExp, sentence: string): void => {
    if (fields[field] !== undefined && !pattern.test(fields[field])) problems.add(field, sentence);
  };
  check('id', /^[A-Za-z0-9_-]{1,100}$/, '1 to 100 letters, digits, - and _.');
  check('name', /^[^\p{Cc}]{1,100}$/u, 'One line of 1 to 100 characters, without control characters.');
  check('description', /^[^\0]{0,255}$/, 'At most 255 characters.');
  check('category', /^(word|pattern|sentence-similarity)$/, 'Must be one of: word, pattern, sentence-similarity.');
  problems.throwIfAny();
}

/** A comma may be part of a pattern, so patterns stand one a line. */
function splitTerms(value: string, category: string): string[] {
  return value
    .split(category === 'pattern' ? /\r?\n/ : /[,\r\n]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
}

function csvTerms(file: Buffer): string[] {
  try {
    const rows = parse(file, { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true }) as string[][];
    return rows.flat().filter((term) => term !== '');
  } catch (error) {
    throw badField(
      'file',
      `The file is not CSV: ${error instanceof Error ? error.message.split(':')[0] : 'it cannot be read'}.`,
    );
  }
}

function toContent(
  fields: Partial<Record<keyof ListFields, unknown>>,
  sent: readonly unknown[],
  isCSV: boolean,
): ListContent {
  const category =
    fields.category === 'pattern' || fields.category === 'sentence-similarity' ? fields.category : 'word';
  return {
    id: typeof fields.id === 'string' ? fields.id : undefined,
    name: typeof fields.name === 'string' ? fields.name : undefined,
    description: typeof fields.description === 'string' ? fields.description : '',
    category,
    isCSV,
    terms: checkTerms(sent, category),
  };
}

/** The first mistakes, not all of a million; the same entry twice is one entry. */
export function checkTerms(sent: readonly unknown[], category: ListContent['category']): string[] {
  if (sent.length > termsMax)
    throw badField('searchTerms', `Must have at most ${termsMax.toLocaleString('en')} entries.`);
  const lengthMax = category === 'pattern' ? patternLengthMax : termLengthMax;
  const problems = new Problems();
  const terms = new Set<string>();
  let mistakes = 0;
  for (const [i, term] of sent.entries()) {
    const sentence = mistakeIn(term, lengthMax);
    if (sentence === undefined) terms.add(String(term));
    else if (mistakes++ < 10) problems.add(`searchTerms.${i}`, sentence);
  }
  if (mistakes > 10) problems.add('searchTerms', `${mistakes} entries have mistakes; the first ten are named.`);
  problems.throwIfAny();
  return [...terms];
}

function mistakeIn(term: unknown, lengthMax: number): string | undefined {
  if (typeof term !== 'string') return 'Must be a string.';
  if (term.trim() === '') return 'Must not be empty.';
  if (term.length > lengthMax) return `Must have at most ${lengthMax} characters.`;
  return /\p{Cc}/u.test(term) ? 'Must not hold control characters.' : undefined;
}
