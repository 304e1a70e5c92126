/** Requests made from the OpenAPI document: valid ones, damaged ones, and everything between. */
import fc from 'fast-check';

export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

export interface Described {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Document {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, unknown>;
}

export interface Target extends Described {
  method: string;
  path: string;
}

export interface Made {
  path: string;
  body: unknown;
}

/** Ids that are there, by the name of the parameter; what is not in here is made up. */
export type Known = Record<string, readonly string[]>;

export function targetsOf(document: Document): Target[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** `known`: about what is there and nothing else. */
export type Manner = 'known' | 'valid' | 'damaged';

export function requestOf(target: Target, known: Known, manner: Manner): fc.Arbitrary<Made> {
  const damage = manner === 'damaged';
  const names = [...target.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const place = (name: string) => {
    const schema = target.parameters?.find((parameter) => parameter.name === name)?.schema ?? { type: 'string' };
    const made = damage
      ? fc.oneof(arbitraryOf(schema), fc.string({ unit: 'binary', maxLength: 40 }))
      : arbitraryOf(schema);
    const there = known[name];
    if (there === undefined) return made;
    const found = fc.constantFrom(...there);
    return manner === 'known' ? found : fc.oneof({ weight: damage ? 1 : 4, arbitrary: found }, made);
  };
  const queries = (target.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const body = target.requestBody?.content['application/json']?.schema;
  return fc
    .record({
      params: fc.tuple(...names.map(place)),
      query: fc.record(
        Object.fromEntries(
          queries.map(({ name, schema }) => [
            name,
            damage ? fc.oneof(arbitraryOf(schema), oddities) : arbitraryOf(schema),
          ]),
        ),
        { requiredKeys: [] },
      ),
      body: body === undefined ? fc.constant(undefined) : damage ? damaged(arbitraryOf(body)) : arbitraryOf(body),
    })
    .map(({ params, query, body: sent }) => ({ path: pathOf(target.path, params, query), body: sent }));
}

function pathOf(path: string, params: readonly unknown[], query: Record<string, unknown>): string {
  let i = 0;
  const filled = path.replaceAll(
    /\{\w+\}/g,
    () => encodeURIComponent(whole(String(params[i++]))).replaceAll('.', '%2E') || '%20',
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, whole(String(value))]),
  );
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** Half a surrogate pair cannot travel in an address. */
function whole(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '?');
}

const oddities: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'null',
    '-1',
    '0',
    '1e9',
    '99999999999999999999',
    'true',
    '[]',
    '{}',
    '%00',
    "' OR 1=1 --",
    '../..',
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

const anything: fc.Arbitrary<unknown> = fc.oneof(
  oddities,
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    [],
    {},
    [[]],
    { constructor: 1 },
    { toString: null },
    'x'.repeat(5000),
  ),
  fc.jsonValue({ maxDepth: 3, noUnicodeString: false }),
);

/** One field lost, changed, or too many; or something else altogether. */
function damaged(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    anything,
    fc.tuple(valid, fc.nat(), anything, fc.constantFrom('drop', 'change', 'add')).map(([value, pick, odd, how]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return odd;
      const entries = Object.entries(value);
      if (how === 'add') return { ...value, [JSON.stringify(odd).slice(0, 50)]: odd };
      if (entries.length === 0) return odd;
      const at = pick % entries.length;
      return Object.fromEntries(
        how === 'drop'
          ? entries.filter((_, i) => i !== at)
          : entries.map(([name, old], i) => [name, i === at ? odd : old]),
      );
    }),
  );
}

/** Values that a schema allows, with the bounds kept small. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return fc.oneof(...variants.map(arbitraryOf));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 2 ** 31, 2 ** 31) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? { type: 'string' }), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > 0)
    return fc.record(Object.fromEntries(properties.map(([name, field]) => [name, fieldOf(name, field)])), {
      requiredKeys: schema.required ?? [],
    });
  const rest = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0];
  return fc.dictionary(
    fc.string({ minLength: 1, maxLength: 10 }),
    typeof rest === 'object' ? arbitraryOf(rest) : fc.jsonValue({ maxDepth: 2 }),
    {
      maxKeys: 3,
    },
  );
}

/** Addresses lead nowhere but to this machine, where nobody listens. */
function fieldOf(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (/url$|endpoint$/i.test(name) && schema.type === 'string')
    return fc.constantFrom(
      'https://127.0.0.1:9/',
      'https://[::1]:9/hook',
      'http://127.0.0.1:9/',
      'https://localhost:9/',
    );
  return arbitraryOf(schema);
}

function textOf({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): fc.Arbitrary<unknown> {
  if (pattern === undefined)
    return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)), unit: 'grapheme' });
  return fc
    .stringMatching(new RegExp(pattern), { size: '-1' })
    .filter((text) => text.length >= minLength && text.length <= maxLength);
}
