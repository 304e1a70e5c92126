import type { FoldOptions } from '@gatehouse/judge';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from '#typebox';
import { ApiError, badField } from '../errors.ts';
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

export type ListFields = Static<typeof listRequest>;

export interface ListContent {
  id: string | undefined;
  name: string | undefined;
  description: string;
  category: NonNullable<ListFields['category']>;
  isCSV: boolean;
  options: ListOptions;
  terms: string[];
}

/** `check` holds what a form says against the schema, as the HTTP layer does with JSON. */
export async function readListRequest(
  request: FastifyRequest,
  body: ListFields | undefined,
  check: (fields: unknown) => ListFields,
): Promise<ListContent> {
  if (!request.isMultipart()) return toContent(body ?? {}, body?.searchTerms, false);
  const { fields, file } = await readForm(request);
  const { searchTerms, allow, fold, ...others } = Object.fromEntries(fields);
  const known = check({
    ...others,
    ...(allow !== undefined && { allow: splitTerms(allow, 'word') }),
    ...(fold !== undefined && { fold: parseFold(fold) }),
  });
  const category = known.category ?? 'word';
  const fromFile = Array.isArray(file) ? await csvTerms(file, csvFormOf(category)) : file?.terms;
  return toContent(
    known,
    fromFile ?? (searchTerms === undefined ? undefined : splitTerms(searchTerms, category)),
    fromFile !== undefined,
  );
}

interface Form {
  fields: Map<string, string>;
  /** Read already, or its bytes where it came before the field that says how to read it. */
  file: { terms: string[] } | Buffer[] | undefined;
}

async function readForm(request: FastifyRequest): Promise<Form> {
  const fields = new Map<string, string>();
  let file: Form['file'];
  for await (const part of request.parts({ limits: { fileSize: csvBytesMax, fieldSize: fieldBytesMax } })) {
    // The types do not say that a part may come without a name.
    const fieldname: string | undefined = part.fieldname;
    if (!fieldname) throw badField('body', 'A part of the form has no name.');
    const name = fieldname.slice(0, 100);
    if (part.type === 'file') {
      if (fieldname !== 'file') throw badField(name, 'A file goes into the field "file".');
      const category = fields.get('category');
      file =
        category === undefined ? await bytesOf(part.file) : { terms: await csvTerms(part.file, csvFormOf(category)) };
      if (part.file.truncated) throw new ApiError('ERR_PAYLOAD_TOO_LARGE');
    } else {
      if (part.valueTruncated) throw new ApiError('ERR_PAYLOAD_TOO_LARGE');
      if (fields.has(fieldname)) throw badField(name, 'Is there twice.');
      // One that says it is JSON was parsed on its way here.
      const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
      // The reader of forms puts this in the place of bytes that are not UTF-8; in a text it stands for nothing.
      if (value.includes('\ufffd')) throw badField(name, 'Is not UTF-8.');
      fields.set(fieldname, value);
    }
  }
  return { fields, file };
}

async function bytesOf(file: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of file) pieces.push(piece);
  return pieces;
}

function csvFormOf(category: string) {
  return { linesAreTerms: category === 'pattern' };
}

function parseFold(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw badField('fold', 'Must be a JSON object, such as {"leet":false}.');
  }
}

/** A comma may be part of a pattern, so patterns stand one a line. */
function splitTerms(value: string, category: string): string[] {
  return value
    .split(category === 'pattern' ? /\r?\n/ : /[,\r\n]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
}

async function toContent(
  { id, name, description = '', category = 'word', allow = [], fold }: ListFields,
  sent: readonly unknown[] | undefined,
  isCSV: boolean,
): Promise<ListContent> {
  // A list that is replaced by one without entries is emptied: nobody does that by leaving a field out.
  if (sent === undefined)
    throw badField('searchTerms', 'Is needed, or a CSV file in the field "file". [] is a list without entries.');
  const options = { ...(allow.length > 0 && { allow }), ...(fold && { fold: foldOf(fold) }) };
  return { id, name, description, category, isCSV, options, terms: await checkTerms(sent, category, options) };
}

function foldOf(sent: Record<string, boolean | undefined>): Partial<FoldOptions> {
  const fold: Partial<FoldOptions> = {};
  for (const kind of foldKinds) {
    const on = sent[kind];
    if (on !== undefined) fold[kind] = on;
  }
  return fold;
}
