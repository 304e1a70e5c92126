export const categories = ['word', 'pattern', 'sentence-similarity'] as const;
export type Category = (typeof categories)[number];

export const categoryWords: Readonly<Record<string, string>> = {
  word: 'Words',
  pattern: 'Patterns',
  'sentence-similarity': 'Sentences',
};

export function categoryOf(named: string): Category {
  return categories.find((one) => one === named) ?? 'word';
}

/** What was typed one a line. */
export function linesOf(typed: string): string[] {
  return typed.split('\n').filter((line) => line.trim() !== '');
}

/** The disguises that a list of words sees through: in words, as they look on "butler", and whether it does unless told. */
export const folds = {
  case: { label: 'Capitals', disguised: 'BuTLeR', standard: true },
  marks: { label: 'Accents and other marks', disguised: 'bútlèr', standard: true },
  nfkc: { label: 'Letters in other shapes', disguised: 'ᵇᵘᵗˡᵉʳ', standard: true },
  zeroWidth: { label: 'Characters that nobody sees', disguised: 'but\u200bler', standard: true },
  confusables: { label: 'Letters of other alphabets that look the same', disguised: 'butlеr', standard: true },
  leet: { label: 'Digits and signs for letters', disguised: 'butl3r', standard: true },
  repeats: { label: 'Letters said again and again', disguised: 'buuuutler', standard: true },
  separators: { label: 'Letters pulled apart', disguised: 'b.u.t l-e-r', standard: true },
  emoji: { label: 'Letters as pictures', disguised: '🅱utler', standard: true },
  mask: { label: 'Letters hidden behind a sign', disguised: 'b*tler', standard: false },
} as const;
export type Fold = keyof typeof folds;
export const foldNames = Object.keys(folds) as Fold[];
