import type { FoldOptions } from '@gatehouse/judge';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from '#typebox';
import { ApiError, badField, Problems } from '../errors.ts';
import { line, recordId, text } from '../fields.ts';
import { csvTerms } from './csv.ts';
import type { ListOptions } from './list-record.ts';
import { checkTerms } from './term-check.ts';

/** A keyword list as it arrives: JSON, form fields, or a CSV file. All three become the same thing. */
const csvBytesMax = 20 * 1024 * 1024;
const fieldBytesMax = 4 * 1024 * 1024;

const foldKinds = [
  'case',
  'nfkc',
  'marks',
  'zeroWidth',
  'confusables',
  'leet',
  'repeats',
  'separators',
  'emoji',
  'mask',
] as const satisfies (keyof FoldOptions)[];

// Checked entry by entry in code: a schema would answer a million mistakes with a million sentences.
const termsField = Type.Unsafe<unknown[]>({
  type: 'array',
  items: {},
  description: 'Words up to 100 characters, or patterns. Needed unless a CSV file is sent.',
});

export const listRequest = Type.Object({
  id: Type.Optional(recordId),
  name: Type.Optional(line(100)),
  description: Type.Optional(text(255)),
  category: Type.Optional(Type.Enum(['word', 'pattern', 'sentence-similarity'])),
  searchTerms: Type.Optional(termsField),
  allow: Type.Optional(
    Type.Array(line(100), { maxItems: 10_000, description: 'Words that win over a match which they cover.' }),
  ),
  fold: Type.Optional(
    Type.Object(Object.fromEntries(foldKinds.map((kind) => [kind, Type.Optional(Type.Boolean())])), {
      additionalProperties: false,
      description: 'Disguises that are seen through, each on or off.',
    }),
  ),
});

export const termsRequest = Type.Object({ searchTerms: termsField }, { additionalProperties: false });

type ListFields = Static<typeof listRequest>;
type Category = 'word' | 'pattern' | 'sentence-similarity';

export interface ListContent {
  id: string | undefined;
  name: string | undefined;
  description: string;
  category: Category;
  isCSV: boolean;
  options: ListOptions;
  terms: string[];
}

export async function readListRequest(request: FastifyRequest, body: ListFields | undefined): Promise<ListContent> {
  if (!request.isMultipart()) {
    const fold = body?.fold && foldOf(body.fold);
    return toContent(body ?? {}, body?.searchTerms, false, {
      ...(body?.allow && body.allow.length > 0 && { allow: body.allow }),
      ...(fold && { fold }),
    });
  }
  const { fields, fromFile } = await readForm(request);
  const { searchTerms, allow, ...known } = Object.fromEntries(fields);
  checkFormFields(known);
  const terms = fromFile ?? (searchTerms === undefined ? undefined : splitTerms(searchTerms, known.category ?? 'word'));
  const exceptions = splitTerms(allow ?? '', 'word');
  return toContent(known, terms, fromFile !== undefined, exceptions.length > 0 ? { allow: exceptions } : {});
}

async function readForm(
  request: FastifyRequest,
): Promise<{ fields: Map<string, string>; fromFile: string[] | undefined }> {
  const fields = new Map<string, string>();
  let fromFile: string[] | undefined;
  for await (const part of request.parts({ limits: { fileSize: csvBytesMax, fieldSize: fieldBytesMax } })) {
    if (part.type === 'file') {
      if (part.fieldname !== 'file') throw badField(part.fieldname.slice(0, 100), 'A file goes into the field "file".');
      fromFile = await csvTerms(part.file);
      if (part.file.truncated) throw new ApiError('ERR_PAYLOAD_TOO_LARGE');
    } else {
      if (part.valueTruncated) throw new ApiError('ERR_PAYLOAD_TOO_LARGE');
      const value = String(part.value);
      // The reader of forms puts this in the place of bytes that are not UTF-8; in a text it stands for nothing.
      if (value.includes('\ufffd')) throw badField(part.fieldname.slice(0, 100), 'Is not UTF-8.');
      fields.set(part.fieldname, value);
    }
  }
  return { fields, fromFile };
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

async function toContent(
  fields: Partial<Record<keyof ListFields, unknown>>,
  sent: readonly unknown[] | undefined,
  isCSV: boolean,
  options: ListOptions,
): Promise<ListContent> {
  // A list that is replaced by one without entries is emptied: nobody does that by leaving a field out.
  if (sent === undefined)
    throw badField('searchTerms', 'Is needed, or a CSV file in the field "file". [] is a list without entries.');
  const category =
    fields.category === 'pattern' || fields.category === 'sentence-similarity' ? fields.category : 'word';
  return {
    id: typeof fields.id === 'string' ? fields.id : undefined,
    name: typeof fields.name === 'string' ? fields.name : undefined,
    description: typeof fields.description === 'string' ? fields.description : '',
    category,
    isCSV,
    options,
    terms: await checkTerms(sent, category, options),
  };
}

function foldOf(sent: Record<string, boolean | undefined>): Partial<FoldOptions> {
  const fold: Partial<FoldOptions> = {};
  for (const kind of foldKinds) {
    const on = sent[kind];
    if (on !== undefined) fold[kind] = on;
  }
  return fold;
}
