import type { ErrorObject } from 'ajv';

/**
 * The mistakes worth telling. Where a field may have several forms and none fits, ajv tells the mistakes of every form, which
 * contradict each other, and then that none fitted. Told are those of the form that was meant: the one whose type was sent.
 */
export function mistakesIn(errors: readonly ErrorObject[]): ErrorObject[] {
  const told: ErrorObject[] = [];
  // From behind: an error of a choice stands right after the errors of its forms.
  for (let end = errors.length; end > 0; ) {
    const error = errors[--end];
    if (error === undefined) continue;
    if (error.keyword !== 'anyOf') {
      told.push(error);
      continue;
    }
    const choiceAt = end;
    while (end > 0 && isInside(errors[end - 1], error)) end--;
    for (const mistake of meant(error, errors.slice(end, choiceAt)).reverse()) told.push(mistake);
  }
  return told.reverse();
}

function isInside(error: ErrorObject | undefined, { schemaPath, instancePath }: ErrorObject): boolean {
  if (error === undefined || !error.schemaPath.startsWith(`${schemaPath}/`)) return false;
  return error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`);
}

function meant(choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const forms: readonly unknown[] = Array.isArray(choice.schema) ? choice.schema : [];
  const ofTheType = forms
    .map((_, i) => mistakesIn(errors.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/${i}/`))))
    .filter(
      (mistakes) => !mistakes.some((mistake) => isOfType(mistake) && mistake.instancePath === choice.instancePath),
    );
  const [only, ...others] = ofTheType;
  if (only !== undefined && others.length === 0) return only;
  const words = ofTheType.flat();
  // A choice of words, each a form of its own: one sentence names them all.
  if (words.length > 0 && words.every(isOfWords)) return [oneOfWords(choice, words)];
  return [choice];
}

function isOfType({ keyword }: ErrorObject): boolean {
  return keyword === 'type' || keyword === 'anyOf';
}

function isOfWords({ keyword }: ErrorObject): boolean {
  return keyword === 'const' || keyword === 'enum';
}

function oneOfWords(choice: ErrorObject, words: readonly ErrorObject[]): ErrorObject {
  const allowedValues = words.flatMap(({ params }) => params.allowedValues ?? params.allowedValue);
  return { ...choice, keyword: 'enum', params: { allowedValues } };
}
