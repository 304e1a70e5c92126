import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { ApiError, type ErrorDetails } from '../errors.ts';
import { mistakesIn } from './choices.ts';

/** A query is text and is read as what the schema wants; a body says what it means and is taken at its word. */
const forText = new Ajv({
  allErrors: true,
  verbose: true,
  coerceTypes: true,
  useDefaults: true,
  strictTypes: false,
  formats: {},
});
const forBodies = new Ajv({
  allErrors: true,
  verbose: true,
  coerceTypes: false,
  useDefaults: true,
  strictTypes: false,
  formats: {},
});

export const validatorCompiler: FastifySchemaCompiler<Record<string, unknown>> = ({ schema, httpPart }) => {
  // Compiled when first needed: a process has hundreds of schemas and must be ready at once.
  let compiled: ValidateFunction | undefined;
  const numbers = httpPart === 'body' ? [] : numbersIn(schema);
  return (data: unknown) => {
    for (const { field, type } of numbers)
      if (isOdd((data as Record<string, unknown>)[field], type)) return { error: oddNumber(field, type) };
    compiled ??= (httpPart === 'body' ? forBodies : forText).compile(schema);
    const validate = compiled;
    if (validate(data)) return { value: data };
    return {
      error: new ApiError('ERR_BAD_REQUEST', { details: toDetails(validate.errors ?? [], httpPart ?? 'body') }),
    };
  };
};

/** The same check for what comes in another way than as JSON: the fields of a form. */
export function bodyCheck<Body>(schema: object): (data: unknown) => Body {
  let compiled: ValidateFunction<Body> | undefined;
  return (data) => {
    compiled ??= forBodies.compile<Body>(schema);
    const validate = compiled;
    if (validate(data)) return data;
    throw new ApiError('ERR_BAD_REQUEST', { details: toDetails(validate.errors ?? [], 'body') });
  };
}

/** Numbers as people write them. The coercion by itself would take 0x10, 1e1 and what has spaces around it too. */
const writtenAs = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ };
type NumberType = keyof typeof writtenAs;

function numbersIn(schema: Record<string, unknown>): { field: string; type: NumberType }[] {
  return Object.entries((schema.properties ?? {}) as Record<string, { type?: unknown }>).flatMap(([field, { type }]) =>
    type === 'integer' || type === 'number' ? [{ field, type }] : [],
  );
}

function isOdd(value: unknown, type: NumberType): boolean {
  return typeof value === 'string' && !writtenAs[type].test(value);
}

function oddNumber(field: string, type: NumberType): ApiError {
  return new ApiError('ERR_BAD_REQUEST', { details: { [field]: [`Must be ${article(type)}.`] } });
}

/** A list of a million mistakes helps nobody, and its answer would be larger than the request. */
const fieldsMax = 100;

/** A field of the caller and a sentence that says what to mend: never the schema's own words. */
function toDetails(errors: readonly ErrorObject[], part: string): ErrorDetails {
  // A caller's field may be called like something that every object has, such as "constructor".
  const details = new Map<string, string[]>();
  for (const error of mistakesIn(errors)) {
    const [field, sentence] = explain(error, part === 'querystring' ? 'query' : part);
    const sentences = details.get(field);
    if (sentences === undefined) {
      if (details.size === fieldsMax) break;
      details.set(field, [sentence]);
    } else if (!sentences.includes(sentence)) sentences.push(sentence);
  }
  return Object.fromEntries(details);
}

function explain(error: ErrorObject, part: string): [string, string] {
  const field = shorten(error.instancePath.slice(1).replaceAll('/', '.')) || part;
  const limit = String(error.params.limit ?? '');
  switch (error.keyword) {
    case 'required': {
      const missing = String(error.params.missingProperty);
      return [field === part ? missing : `${field}.${missing}`, 'This field is required.'];
    }
    case 'additionalProperties': {
      // A name that nobody gave may be a secret in the wrong place.
      const extra = shorten(String(error.params.additionalProperty), 40);
      return [
        field === part ? extra : `${field}.${extra}`,
        'This field is not known here. Remove it or check its spelling.',
      ];
    }
    case 'type':
      return [field, `Must be ${article(String(error.params.type))}.`];
    case 'const':
    case 'enum':
      return [field, `Must be one of: ${[error.params.allowedValues ?? error.params.allowedValue].flat().join(', ')}.`];
    case 'minLength':
      return [field, limit === '1' ? 'Must not be empty.' : `Must have at least ${limit} characters.`];
    case 'maxLength':
      return [field, `Must have at most ${limit} characters.`];
    case 'minimum':
      return [field, `Must be ${limit} or more.`];
    case 'maximum':
      return [field, `Must be ${limit} or less.`];
    case 'minItems':
      return [field, `Must have at least ${limit} ${limit === '1' ? 'entry' : 'entries'}.`];
    case 'maxItems':
      return [field, `Must have at most ${limit} entries.`];
    case 'uniqueItems':
      return [field, 'Must not hold the same entry twice.'];
    case 'minProperties':
      return [field, `Must have at least ${limit} ${limit === '1' ? 'field' : 'fields'}.`];
    case 'maxProperties':
      return [field, `Must have at most ${limit} fields.`];
    case 'pattern':
      return [field, patternSentence(error)];
    case 'anyOf':
      return [field, `Must be ${[...new Set(formsOf(error.parentSchema))].join(' or ')}.`];
    default:
      return [field, `${(error.message ?? 'is not valid').replace(/^\w/, (letter) => letter.toUpperCase())}.`];
  }
}

function shorten(field: string, lengthMax = 200): string {
  return field.length > lengthMax ? `${field.slice(0, lengthMax)}…` : field;
}

/** A schema with a pattern says in `description` what the pattern means. */
function patternSentence(error: ErrorObject): string {
  const { description } = (error.parentSchema ?? {}) as { description?: string };
  return description === undefined ? 'Does not have the right form.' : `Does not have the right form: ${description}`;
}

/** The types of a choice; a form of it may be a choice again. */
function formsOf(schema: unknown): string[] {
  const { type, anyOf } = (schema ?? {}) as { type?: string; anyOf?: unknown[] };
  return anyOf === undefined ? [article(type ?? 'value')] : anyOf.flatMap(formsOf);
}

function article(type: string): string {
  if (type.includes(',')) return type.split(',').join(' or ');
  if (type === 'null') return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
