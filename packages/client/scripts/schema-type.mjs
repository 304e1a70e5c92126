/** Writes a JSON Schema as a TypeScript type. Knows what our OpenAPI document uses, and says so when it meets more. */

const known = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'enum', 'const'],
  ...['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'default', 'description', 'title', 'example', 'examples'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['format', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'propertyNames', 'deprecated'],
  ...['contentMediaType', 'contentEncoding', '$id', 'readOnly', 'writeOnly', 'nullable', 'prefixItems'],
]);

/**
 * `sent` is true for what callers send: a field with a default may be left out there, and one that is undefined counts
 * as left out.
 */
export function typeOf(schema, { sent = false, indent = '' } = {}) {
  if (schema === true || schema === undefined || Object.keys(schema).length === 0) return 'unknown';
  const unknown = Object.keys(schema).find((key) => !known.has(key) && !key.startsWith('x-'));
  if (unknown !== undefined) throw new Error(`The generator does not know the schema keyword ${unknown}. Teach it.`);
  const at = { sent, indent };
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return [...new Set(variants.map((one) => typeOf(one, at)))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => wrapped(typeOf(one, at))).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, at)).join(' | ');
  return typed(schema, at);
}

function typed(schema, at) {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array':
      return `${wrapped(typeOf(schema.items, at))}[]`;
    case 'object':
      return objectType(schema, at);
    default:
      return 'unknown';
  }
}

function objectType(schema, { sent, indent }) {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = !required.has(name) || (sent && field.default !== undefined);
    const type = typeOf(field, { sent, indent: inner });
    return `${doc(field.description, inner)}${inner}${key(name)}${optional ? '?' : ''}: ${type}${optional && sent ? ' | undefined' : ''};\n`;
  });
  const rest = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0];
  if (fields.length === 0) return `Record<string, ${rest === false ? 'never' : typeOf(rest, { sent, indent })}>`;
  return `{\n${fields.join('')}${indent}}`;
}

/** A comment that editors show, or nothing. */
export function doc(text, indent) {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').trim().split('\n');
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function key(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function wrapped(type) {
  return /[|&]/.test(type) && !/^[{(]/.test(type) ? `(${type})` : type.includes('} | ') ? `(${type})` : type;
}
