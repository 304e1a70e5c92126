// Words and messages of the benchmark, made from a seed: the same in every run and for every peer.
import { drawWord } from './vocabulary.mjs';

/** A small generator of pseudo-random numbers (mulberry32). */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const ONSETS = [
  'b',
  'bl',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'kl',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'sk',
  'sl',
  'st',
  't',
  'tr',
  'v',
  'w',
  'z',
];
const NUCLEI = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ee', 'ou', 'oa'];
const CODAS = ['', 'b', 'ck', 'd', 'ft', 'g', 'l', 'lt', 'm', 'n', 'nd', 'ng', 'p', 'r', 'rk', 's', 'sh', 't', 'x'];

/** Distinct made-up words of two to four syllables: none is a word of the messages. */
export function makeWords(count, seed = 7) {
  const next = random(seed);
  const pick = (from) => from[Math.floor(next() * from.length)];
  const words = new Set();
  while (words.size < count) {
    const syllables = 2 + Math.floor(next() * (count > 200_000 ? 3 : 2));
    let word = '';
    for (let i = 0; i < syllables; i++) word += pick(ONSETS) + pick(NUCLEI) + pick(CODAS);
    words.add(word);
  }
  return [...words];
}

const OTHER = [
  ...'été garçon où déjà très français señor mañana niño años cómo está größe straße schön für über können être naïve café'.split(
    ' ',
  ),
  ...'привет как дела сегодня хорошо спасибо завтра встреча проект работа нормально давай'.split(' '),
  ...'γεια σου καλημέρα ευχαριστώ παρακαλώ σήμερα'.split(' '),
  ...'مرحبا كيف حالك شكرا اليوم غدا صباح الخير'.split(' '),
  ...'नमस्ते आप कैसे हैं धन्यवाद आज कल'.split(' '),
  ...'안녕하세요 오늘 내일 감사합니다 회의 좋아요'.split(' '),
];
const CJK = [
  '今天天气真好我们去公园吧',
  '明天下午三点开会请准时参加',
  '谢谢你的帮助',
  '今日はいい天気ですね',
  'また明日会いましょう',
  'ありがとうございます',
  'プロジェクトの進捗を教えてください',
  '這個週末一起吃飯',
  'สวัสดีครับวันนี้เป็นอย่างไรบ้าง',
];
const EMOJI = ['😀', '😂', '🔥', '👍', '❤️', '🎉', '😅', '🙏', '✨', '👀'];
const PUNCTUATION = [',', '.', ',', '.', '!', '?', '...', ':'];

/** What people type and subtitles do not hold. */
const CHAT =
  'lol lmao omg btw idk tbh imo brb gg wp thx pls ur u r gonna wanna kinda np ty haha hahaha yup nope ikr smh afk irl fyi dm pic pics selfie app wifi emoji meme stream discord server update link bday tmrw asap'.split(
    ' ',
  );

/** What a message may hold besides the vocabulary. */
export const OTHER_WORDS = [...OTHER, ...CJK, ...CHAT];

/** Whether a term of the list is put into this one of the messages. */
export const hasTerm = (i) => i % 100 === 50;

/**
 * Messages of 20 to 500 characters (most are short): English words as often as people say them, chat words, numbers,
 * emoji, and other languages and scripts in three of ten messages; one in a hundred holds a term of the list.
 */
export function makeMessages(count, terms, seed = 11) {
  const next = random(seed);
  const pick = (from) => from[Math.floor(next() * from.length)];
  const messages = [];
  for (let i = 0; i < count; i++) {
    const size = 20 + Math.floor(480 * next() ** 4);
    const kind = next();
    let text = '';
    while (text.length < size) {
      const draw = next();
      let word = drawWord(next());
      if (kind > 0.95 || (kind > 0.7 && draw > 0.9)) word = kind > 0.95 ? pick(CJK) : pick(OTHER);
      else if (kind > 0.85) word = draw > 0.3 ? pick(OTHER) : word;
      else if (draw > 0.99) word = pick(EMOJI);
      else if (draw > 0.97) word = String(Math.floor(next() * 3000));
      else if (draw > 0.92) word = pick(CHAT);
      if (text === '' || next() > 0.95) word = word.charAt(0).toUpperCase() + word.slice(1);
      text += `${text === '' ? '' : ' '}${word}${next() > 0.87 ? pick(PUNCTUATION) : ''}`;
    }
    if (hasTerm(i)) {
      const at = text.indexOf(' ') + 1;
      text = `${text.slice(0, at)}${pick(terms)} ${text.slice(at)}`;
    }
    messages.push(text);
  }
  // Flat strings, as they come off the wire, not the ropes that concatenation leaves.
  return JSON.parse(JSON.stringify(messages));
}
