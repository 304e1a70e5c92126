import type { Scores } from './classifier.ts';

/** What the bundled model says: five classes that exclude each other, Drawing and Neutral among them. */
export interface ClassScore {
  className: string;
  probability: number;
}

/** What its classes are called in the interface. It sees nothing else: no violence, no symbols, no drugs. */
const labelsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['Porn', ['Explicit Nudity']],
  ['Hentai', ['Explicit Nudity']],
  ['Sexy', ['Non-Explicit Nudity', 'Swimwear or underwear']],
]);

export const bundledLabels: readonly string[] = [...new Set([...labelsOf.values()].flat())];

/** Since the classes exclude each other, the confidence in a label is the sum of its classes. */
export function toScores(classes: readonly ClassScore[]): Scores {
  const scores = Object.fromEntries(bundledLabels.map((label) => [label, 0]));
  for (const { className, probability } of classes)
    for (const label of labelsOf.get(className) ?? []) scores[label] = (scores[label] ?? 0) + probability * 100;
  return Object.fromEntries(
    Object.entries(scores).map(([label, score]) => [label, Math.min(100, Math.round(score * 100) / 100)]),
  );
}
