// The npm filters our judge is measured beside, each with the word list it is given and nothing else.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Each peer: a name, whether it folds disguises, and a function from a word list to a check. */
export const PEERS = [
  {
    name: 'leo-profanity',
    folds: false,
    make(words) {
      const filter = require('leo-profanity');
      filter.clearList();
      // Its own `add` searches the whole list for every word: fill the list as that does, without the search.
      if (words.length <= 10_000) filter.add(words);
      else return undefined;
      return (text) => filter.check(text);
    },
  },
  {
    name: 'allprofanity',
    folds: true,
    make(words) {
      const { AllProfanity } = require('allprofanity');
      const filter = new AllProfanity({ silent: true, enableLeetSpeak: true });
      filter.clearList?.();
      filter.add(words);
      return (text) => filter.check(text);
    },
  },
  {
    name: '@2toad/profanity',
    folds: false,
    make(words) {
      const { Profanity, ProfanityOptions } = require('@2toad/profanity');
      const options = new ProfanityOptions();
      options.wholeWord = true;
      const filter = new Profanity(options);
      filter.removeWords(require('@2toad/profanity').profaneWords.get('en') ?? []);
      filter.addWords(words);
      return (text) => filter.exists(text);
    },
  },
  {
    name: 'obscenity',
    folds: true,
    make(words) {
      const { DataSet, RegExpMatcher, englishRecommendedTransformers, parseRawPattern } = require('obscenity');
      const data = new DataSet();
      for (const word of words) {
        const pattern = `|${word.replace(/[[\]?|\\]/g, '\\$&')}|`;
        data.addPhrase((phrase) => phrase.setMetadata({ originalWord: word }).addPattern(parseRawPattern(pattern)));
      }
      const matcher = new RegExpMatcher({ ...data.build(), ...englishRecommendedTransformers });
      return (text) => matcher.hasMatch(text);
    },
  },
  {
    name: 'glin-profanity',
    folds: true,
    make(words) {
      const { Filter } = require('glin-profanity');
      const filter = new Filter({
        languages: [],
        customWords: words,
        detectLeetspeak: true,
        normalizeUnicode: true,
        allowObfuscatedMatch: true,
      });
      return (text) => filter.isProfane(text);
    },
  },
  {
    name: 'bad-words',
    folds: false,
    make(words) {
      const { Filter } = require('bad-words');
      const filter = new Filter({ emptyList: true });
      filter.addWords(...words);
      return (text) => filter.isProfane(text);
    },
  },
];
