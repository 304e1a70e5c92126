import type { Problems } from '../errors.ts';

/** What a template may speak of. */
export const templateWords = [
  'sender.uid',
  'sender.name',
  'receiver.uid',
  'receiver.name',
  'message.id',
  'message.text',
  'message.type',
  'message.reaction',
  'member.uid',
  'member.name',
  'member.scope',
] as const;
export type TemplateWord = (typeof templateWords)[number];
export type TemplateValues = Readonly<Record<TemplateWord, string>>;

const place = /\{\{([^{}]*)\}\}/g;

function isWord(word: string): word is TemplateWord {
  return templateWords.some((known) => known === word);
}

/** Found wrong when it is written, not when it is shown. */
export function checkTemplate(text: string, field: string, problems: Problems): void {
  for (const [, inside = ''] of text.matchAll(place)) {
    const word = inside.trim();
    if (!isWord(word))
      problems.add(field, `Does not know {{${word.slice(0, 50)}}}. It knows ${templateWords.join(', ')}.`);
  }
  const rest = text.replaceAll(place, '');
  if (rest.includes('{{') || rest.includes('}}')) problems.add(field, 'Has {{ or }} without its other half.');
}

export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replaceAll(place, (_, inside: string) => {
    const word = inside.trim();
    return isWord(word) ? values[word] : '';
  });
}
