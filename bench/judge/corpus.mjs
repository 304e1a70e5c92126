// Words and messages of the benchmark, made from a seed: the same in every run and for every peer.
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

const ENGLISH =
  `the be to of and a in that have I it for not on with he as you do at this but his by from they we say her she or an will my one all would there their what so up out if about who get which go me when make can like time no just him know take people into year your good some could them see other than then now look only come its over think also back after use two how our work first well way even new want because any these give day most us thanks lol okay really meeting tomorrow coffee great sure maybe tonight dinner game stream play server update link photo video call later soon morning weekend project team report friend family happy birthday awesome amazing cool nice wait why where been going doing right thing still should never always something nothing everyone please sorry love hate miss need help let's don't can't won't it's I'm you're that's what's we'll`.split(
    /\s+/,
  );
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
/**
 * Distinct words of four to twelve letters that run on as the words of the messages do, by chains of two letters: what a list of
 * a community's own language looks like to a matcher. Many begin or end like words of the messages; none is in one.
 */
export function makeLikeWords(count, seed = 5) {
  const next = random(seed);
  const follow = new Map();
  for (const word of ENGLISH) {
    const text = `^^${word.toLowerCase().replace(/[^a-z]/g, '')}`;
    for (let i = 2; i < text.length; i++) {
      const known = follow.get(text.slice(i - 2, i)) ?? [];
      known.push(text[i]);
      follow.set(text.slice(i - 2, i), known);
    }
  }
  const letters = 'etaoinshrdlucmfwypvbgkjqxz';
  const plain = [...ENGLISH, ...OTHER].join(' ').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  // As they are and without doubled letters: ours would read "meeting" as "meting".
  const usual = `${plain} ${plain.replace(/(.)\1/gu, '$1')}`;
  const words = new Set();
  while (words.size < count) {
    let word = '';
    const length = 4 + Math.floor(next() * 9);
    while (word.length < length) {
      const known = follow.get(`^^${word}`.slice(-2));
      // Now and then another letter, else a chain of few words soon has no more to say.
      const chain = known !== undefined && next() < 0.8 ? known : letters;
      word += chain[Math.floor(next() ** (chain === letters ? 2 : 1) * chain.length)];
    }
    if (!usual.includes(word)) words.add(word);
  }
  return [...words];
}

const EMOJI = ['😀', '😂', '🔥', '👍', '❤️', '🎉', '😅', '🙏', '✨', '👀'];
const PUNCTUATION = ['', '', '', '', '', '', ',', '.', '!', '?', '...', ':'];

/** Messages of 20 to 500 characters (most are short), mixed scripts; one in a hundred holds a word of the list. */
export function makeMessages(count, words, seed = 11) {
  const next = random(seed);
  const pick = (from) => from[Math.floor(next() * from.length)];
  const messages = [];
  for (let i = 0; i < count; i++) {
    const size = 20 + Math.floor(480 * next() ** 4);
    const kind = next();
    let text = '';
    while (text.length < size) {
      const draw = next();
      let word = pick(ENGLISH);
      if (kind > 0.95 || (kind > 0.7 && draw > 0.9)) word = kind > 0.95 ? pick(CJK) : pick(OTHER);
      else if (kind > 0.85) word = draw > 0.3 ? pick(OTHER) : word;
      else if (draw > 0.97) word = pick(EMOJI);
      else if (draw > 0.95) word = String(Math.floor(next() * 3000));
      if (next() > 0.9) word = word.charAt(0).toUpperCase() + word.slice(1);
      text += `${text === '' ? '' : ' '}${word}${pick(PUNCTUATION)}`;
    }
    if (i % 100 === 50) {
      const at = text.indexOf(' ') + 1;
      text = `${text.slice(0, at)}${pick(words)} ${text.slice(at)}`;
    }
    messages.push(text);
  }
  // Flat strings, as they come off the wire, not the ropes that concatenation leaves.
  return JSON.parse(JSON.stringify(messages));
}
