/** Reads what the client needs to know of each operation from the OpenAPI document. */

export function operationsOf(document) {
  const operations = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === undefined) throw new Error(`${method} ${path} has no operationId.`);
      operations.push(describe(path, method.toUpperCase(), operation));
    }
  }
  return operations.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function describe(path, method, operation) {
  const content = operation.requestBody?.content ?? {};
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = success?.content?.['application/json']?.schema;
  const otherAnswers = Object.keys(success?.content ?? {}).filter((type) => type !== 'application/json');
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    pathParams: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, ...paramOf(operation, name) })),
    query,
    bodySchema: content['application/json']?.schema,
    takesForm: content['multipart/form-data'] !== undefined,
    bodyRequired: operation.requestBody?.required !== false && !mayBeEmpty(content['application/json']?.schema),
    answerSchema: answer,
    isRaw: answer === undefined && otherAnswers.length > 0,
    once: JSON.stringify(operation.responses['422'] ?? '').includes('ERR_IDEMPOTENCY_KEY_REUSED'),
    items: query.some(({ name }) => name === 'cursor') ? itemsOf(answer) : undefined,
  };
}

function paramOf(operation, name) {
  const found = operation.parameters?.find((parameter) => parameter.in === 'path' && parameter.name === name);
  return { description: found?.description, schema: found?.schema };
}

/** An object whose every field may be left out is an object that may be left out. */
function mayBeEmpty(schema) {
  if (schema === undefined) return true;
  if (schema.type !== 'object') return false;
  return (schema.required ?? []).every((name) => schema.properties?.[name]?.default !== undefined);
}

/** Where a page keeps its records: in `data`, or in the one array inside `data`. */
function itemsOf(answer) {
  const data = answer?.properties?.data;
  if (data?.type === 'array') return ['data'];
  const arrays = Object.entries(data?.properties ?? {}).filter(([, field]) => field.type === 'array');
  return arrays.length === 1 ? ['data', arrays[0][0]] : undefined;
}

/** Every error code that the document names, each `CODE: sentence` in a response's description. */
export function errorCodesOf(document) {
  const codes = new Set();
  for (const methods of Object.values(document.paths))
    for (const { responses } of Object.values(methods))
      for (const { description } of Object.values(responses))
        for (const [, code] of (description ?? '').matchAll(/^([A-Z][A-Z0-9_]+): /gm)) codes.add(code);
  return [...codes].sort();
}
