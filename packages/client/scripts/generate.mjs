/**
 * Writes src/generated from openapi.json: a type for everything sent and answered, and a class with a method for every
 * operation. With --check it writes nothing and fails when what is there is not what it would write.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodesOf, operationsOf } from './operations.mjs';
import { doc, typeOf } from './schema-type.mjs';

const root = join(import.meta.dirname, '../../..');
const folder = join(import.meta.dirname, '../src/generated');
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
const operations = operationsOf(document);

const files = { 'types.ts': typesFile(), 'operations.ts': operationsFile(), 'methods.ts': methodsFile() };
if (process.argv.includes('--check')) check();
else write();

function write() {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  process.stdout.write(`${operations.length} operations written to packages/client/src/generated\n`);
}

function check() {
  const stale = Object.entries(files).filter(([name, text]) => read(join(folder, name)) !== text);
  if (stale.length === 0) return;
  process.stderr.write(`${stale.map(([name]) => name).join(', ')} is not what openapi.json says: run npm run client\n`);
  process.exitCode = 1;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function typesFile() {
  const seen = new Map();
  const lines = [head()];
  // What two operations share is written once; the second name stands for the first.
  const add = (name, type, text) => {
    const first = seen.get(type);
    if (first === undefined && type.length > 40) seen.set(type, name);
    lines.push(`${doc(text, '')}export type ${name} = ${first ?? type};\n`);
  };
  for (const op of operations) {
    const name = pascal(op.id);
    if (hasInput(op)) {
      if (op.bodySchema !== undefined) add(`${name}Body`, typeOf(op.bodySchema, { sent: true }), undefined);
      add(`${name}Input`, inputType(op), `What ${op.id} takes.`);
    }
    if (op.answerSchema !== undefined) add(`${name}Answer`, typeOf(op.answerSchema), `What ${op.id} answers.`);
    if (op.items !== undefined)
      add(`${name}Item`, `${name}Answer${op.items.map((key) => `['${key}']`).join('')}[number]`, undefined);
  }
  lines.push(
    `/** The codes of errors that the document names. */\nexport type ErrorCode =\n${errorCodesOf(document)
      .map((code) => `  | '${code}'`)
      .join('\n')};\n`,
  );
  return lines.join('\n');
}

function hasInput(op) {
  return op.pathParams.length > 0 || op.query.length > 0 || op.bodySchema !== undefined;
}

/** The app of a management path may come from the client's own settings, unless the operation is about the app itself. */
function isAppOptional(op, name) {
  return name === 'appId' && op.path.startsWith('/apps/{appId}/');
}

function inputType(op) {
  const fields = [];
  for (const { name, description } of op.pathParams) {
    const optional = isAppOptional(op, name);
    const text = optional ? 'The app; without it the one that the client was made for.' : description;
    fields.push(`${doc(text, '  ')}  ${name}${optional ? '?' : ''}: string${optional ? ' | undefined' : ''};\n`);
  }
  for (const { name, required, schema, description } of op.query) {
    const optional = !required || schema.default !== undefined;
    const type = typeOf(schema, { sent: true, indent: '  ' });
    fields.push(
      `${doc(description, '  ')}  ${name}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};\n`,
    );
  }
  if (op.bodySchema !== undefined) {
    const type = `${pascal(op.id)}Body${op.takesForm ? ' | FormData' : ''}`;
    fields.push(op.bodyRequired ? `  body: ${type};\n` : `  body?: ${type} | undefined;\n`);
  }
  return `{\n${fields.join('')}}`;
}

function isInputOptional(op) {
  const needsPath = op.pathParams.some(({ name }) => !isAppOptional(op, name));
  const needsQuery = op.query.some(({ required, schema }) => required && schema.default === undefined);
  return !needsPath && !needsQuery && !(op.bodySchema !== undefined && op.bodyRequired);
}

function operationsFile() {
  const entries = operations.map((op) => {
    const fields = [`method: '${op.method}'`, `path: '${op.path}'`];
    if (op.query.length > 0) fields.push(`query: [${op.query.map(({ name }) => `'${name}'`).join(', ')}]`);
    if (op.once) fields.push('once: true');
    if (op.items !== undefined) fields.push(`items: [${op.items.map((name) => `'${name}'`).join(', ')}]`);
    return `  ${op.id}: { ${fields.join(', ')} },\n`;
  });
  return `${head()}import type { Operation } from '../operation.ts';\n\nexport const operations = {\n${entries.join('')}} as const satisfies Record<string, Operation>;\n\nexport type OperationId = keyof typeof operations;\n`;
}

function methodsFile() {
  const methods = operations.map(methodText);
  const pages = operations.filter(({ items }) => items !== undefined);
  const paged = pages.map((op) => `  ${op.id}: { input: ${pascal(op.id)}Input; item: ${pascal(op.id)}Item };\n`);
  const types = operations.flatMap((op) => [
    ...(hasInput(op) ? [`${pascal(op.id)}Input`] : []),
    ...(op.answerSchema === undefined ? [] : [`${pascal(op.id)}Answer`]),
    ...(op.items === undefined ? [] : [`${pascal(op.id)}Item`]),
  ]);
  return `${head()}import { type RequestOptions, Transport } from '../transport.ts';
import { operations } from './operations.ts';
import type {
${types
  .sort()
  .map((type) => `  ${type},\n`)
  .join('')}} from './types.ts';

/** The listings that come in pages, for \`all\`. */
export interface Paged {
${paged.join('')}}

/** Every operation of the service, by its name in the reference. */
export class Methods extends Transport {
${methods.join('\n')}}
`;
}

function methodText(op) {
  const name = pascal(op.id);
  const answer = op.isRaw ? 'Response' : op.answerSchema === undefined ? 'void' : `${name}Answer`;
  const send = op.isRaw ? 'sendRaw' : 'send';
  const input = hasInput(op) ? `input: ${name}Input${isInputOptional(op) ? ' = {}' : ''}, ` : '';
  return `${doc(`${op.summary} (\`${op.method} ${op.path}\`)`, '  ')}  ${op.id}(${input}options: RequestOptions = {}): Promise<${answer}> {
    return this.${send}(operations.${op.id}, ${hasInput(op) ? 'input' : '{}'}, options);
  }
`;
}

function pascal(id) {
  return id[0].toUpperCase() + id.slice(1);
}

function head() {
  return '// Written by npm run client from openapi.json. Do not edit.\n';
}
