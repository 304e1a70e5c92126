// Writes the three files of the quality set beside it, the same on every run. The disguises here are drawn from what
// people do, not from the engine's tables: this file knows nothing of the engine.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: make.mjs <data folder with english/words_alpha.txt>');

let state = 20240611;
function next() {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return state / 0x7fffffff;
}
const pick = (from) => from[Math.floor(next() * from.length)];
const each = (word, change) => [...word].map(change).join('');
const vowel = /[aeiou]/;
const range =
  (first, skip = {}) =>
  (ch) =>
    skip[ch] ?? (/[a-z]/.test(ch) ? String.fromCodePoint(first + ch.charCodeAt(0) - 97) : ch);
const swap = (table) => (word) => each(word, (ch) => table[ch] ?? ch);
const between = (sep) => (word) => [...word].join(sep);
const inside = (sep) => (word) => {
  const at = 1 + Math.floor(next() * (word.length - 1));
  return word.slice(0, at) + sep + word.slice(at);
};
const stretch = (count) => (word) => {
  const at = Math.floor(next() * word.length);
  return word.slice(0, at) + word.charAt(at).repeat(count) + word.slice(at + 1);
};
const firstOf = (table) => (word) => {
  const at = [...word].findIndex((ch) => table[ch] !== undefined);
  return at < 0 ? undefined : word.slice(0, at) + table[word.charAt(at)] + word.slice(at + 1);
};

const LEET = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
const SIGNS = { a: '@', i: '!', s: '$' };
const CYRILLIC = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у', i: 'і', s: 'ѕ', k: 'к', h: 'һ', t: 'т' };
const GREEK = { a: 'α', e: 'ε', i: 'ι', o: 'ο', u: 'υ', k: 'κ', n: 'η', p: 'ρ', t: 'τ', x: 'χ', w: 'ω' };
const ACCENTS = { a: 'á', c: 'ç', e: 'ê', i: 'ï', o: 'ö', u: 'ü', n: 'ń', s: 'š', y: 'ý' };
const SMALL = Object.fromEntries(
  [...'abcdefghijklmnoprstuvwyz'].map((ch, i) => [ch, [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'][i]]),
);
const TURNED = Object.fromEntries(
  [...'abcdefghijklmnopqrstuvwxyz'].map((ch, i) => [ch, [...'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz'][i]]),
);
const SUPER = Object.fromEntries(
  [...'abcdefghijklmnoprstuvwxyz'].map((ch, i) => [ch, [...'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ'][i]]),
);
const MONEY = { a: '₳', c: '¢', e: '€', l: '£', n: '₦', s: '$', t: '₮', w: '₩', y: '¥', b: '฿' };
const STROKED = { a: 'ⱥ', b: 'ƀ', d: 'đ', h: 'ħ', i: 'ɨ', l: 'ł', o: 'ø', t: 'ŧ', g: 'ǥ', r: 'ɍ' };

const KINDS = {
  plain: (word) => word,
  upper: (word) => word.toUpperCase(),
  alternating: (word) => [...word].map((ch, i) => (i % 2 ? ch.toUpperCase() : ch)).join(''),
  'leet digits': swap(LEET),
  'one leet digit': firstOf(LEET),
  'leet signs': swap(SIGNS),
  'full width': (word) => each(word, range(0xff41)),
  circled: (word) => each(word, range(0x24d0)),
  'circled dark': (word) => each(word, range(0x1f150)),
  'squared dark': (word) => each(word, range(0x1f170)),
  squared: (word) => each(word, range(0x1f130)),
  'flag letters': (word) => [...word].map(range(0x1f1e6)).join('\u200b'),
  'math bold': (word) => each(word, range(0x1d41a)),
  'math script': (word) => each(word, range(0x1d4ea)),
  fraktur: (word) => each(word, range(0x1d586)),
  monospace: (word) => each(word, range(0x1d68a)),
  'small capitals': swap(SMALL),
  superscript: swap(SUPER),
  'upside down': (word) =>
    [...word]
      .map((ch) => TURNED[ch] ?? ch)
      .reverse()
      .join(''),
  cyrillic: swap(CYRILLIC),
  'one cyrillic': firstOf(CYRILLIC),
  greek: swap(GREEK),
  accents: swap(ACCENTS),
  stroked: swap(STROKED),
  currency: swap(MONEY),
  'combining marks': (word) => each(word, (ch) => `${ch}\u0336`),
  zalgo: (word) => each(word, (ch) => `${ch}\u0301\u0323\u035c`),
  'zero width': between('\u200b'),
  'zero width joiner': inside('\u200d'),
  'soft hyphen': inside('\u00ad'),
  'word joiner': between('\u2060'),
  'bidi control': inside('\u202c'),
  'right-to-left override': (word) => `\u202e${[...word].reverse().join('')}\u202c`,
  'variation selector': between('\ufe0f'),
  'three letters': stretch(3),
  'six letters': stretch(6),
  'every letter thrice': (word) => each(word, (ch) => ch.repeat(3)),
  spaced: between(' '),
  'spaced wide': between('   '),
  dotted: between('.'),
  dashed: between('-'),
  underscored: between('_'),
  starred: between('*'),
  slashed: between('/'),
  'one dot': inside('.'),
  'one dash': inside('-'),
  'one underscore': inside('_'),
  emoji: between('🔥'),
  tilde: between('~'),
  'middle dot': between('·'),
  'bracketed letter': (word) => `${word.charAt(0)}(${word.charAt(1)})${word.slice(2)}`,
  'trailing digits': (word) => `${word}${10 + Math.floor(next() * 89)}`,
  quoted: (word) => `"${word}"`,
  'html entity': (word) => `${word.charAt(0)}&#${word.charCodeAt(1)};${word.slice(2)}`,
  'html tag': (word) => `${word.charAt(0)}<b>${word.charAt(1)}</b>${word.slice(2)}`,
  'masked vowel': (word) =>
    vowel.test(word.slice(1)) && word.length > 3 ? word.charAt(0) + word.slice(1).replace(vowel, '*') : undefined,
};
const MIXES = [
  ['upper', 'dotted'],
  ['leet digits', 'spaced'],
  ['leet digits', 'three letters'],
  ['cyrillic', 'zero width'],
  ['full width', 'dashed'],
  ['accents', 'three letters'],
  ['one cyrillic', 'spaced'],
  ['leet signs', 'upper'],
  ['circled', 'spaced'],
  ['math bold', 'zero width'],
  ['cyrillic', 'three letters'],
  ['one leet digit', 'combining marks'],
  ['alternating', 'underscored'],
  ['greek', 'soft hyphen'],
  ['full width', 'six letters'],
  ['small capitals', 'dotted'],
  ['one leet digit', 'emoji'],
  ['accents', 'dashed'],
  ['upper', 'variation selector'],
];

// A third of a list's roots; the rest of English profanity is spelled from the same letters.
const WORDS =
  'fuck shit bitch asshole cunt dickhead bastard whore slut wanker twat faggot nigger motherfucker bullshit cocksucker retard pussy douchebag fucking'.split(
    ' ',
  );
const FRAMES = [
  '%',
  'you are such a %',
  '% off',
  'what the % is this',
  'hey % stop it',
  'lol % no',
  'go away, %!',
  'this is % honestly',
  'oh % again',
  'total % move',
];

function mustMatch() {
  const lines = [];
  const add = (kind, word, disguise) => {
    if (disguise !== undefined && (disguise !== word || kind === 'plain'))
      lines.push(`${kind}\t${word}\t${pick(FRAMES).replace('%', () => disguise)}`);
  };
  for (const [kind, change] of Object.entries(KINDS)) for (const word of WORDS) add(kind, word, change(word));
  for (const mix of MIXES) {
    for (const word of WORDS) {
      const disguise = mix.reduce((text, kind) => (text === undefined ? undefined : KINDS[kind](text)), word);
      add(mix.join(' + '), word, disguise);
    }
  }
  return lines;
}

const BAD_INSIDE =
  /(fuck|shit|cunt|cock|dick|tit|ass|arse|cum|slut|whore|piss|prick|twat|wank|fag|spic|coon|chink|homo|anal|rape|sex|porn|hell|crap|nig|paki|retard|bastard|boob|butt|puss|damn)/;
const PROFANE =
  /(fuck|shit(?!ake|tim)|cunt|nigg|fagg|fagot|bastard|whore|slut|arsehole|asshole|pissed|pisser|pissing|pisses|wank|twat|retard|bitch|bugger|porn|boob|titty|titties|^(tit|tits|ass|asses|arse|arses|piss|cock|cocks|dick|dicks|prick|pricks|cum|cums|fag|fags|coon|coons|spic|spics|chink|chinks|paki|pakis|pussy|pussies|skank|horny|jackass|jackasses|wetback|kike|gook|milf|bollock|bollocks|badass)$)/;
const NAMES =
  'Scunthorpe|Penistone|Cockermouth|Clitheroe|Lightwater|Essex|Middlesex|Sussex|Wessex|Shitterton|Dickens|Hancock|Hitchcock|Babcock|Peacock|Alcock|Woodcock|Cockburn|Dickinson|Assisi|Hassan|Cassandra|Matsushita|Mishit|Arsenal|Cummings|Cumberland|Cumbria|Titan|Titus|Titanic|Niger|Nigeria|Analytica|Bassett|Cassidy|Passau|Fagin|Swasti|Kumquat|Vasse|Titicaca|Massachusetts|Hellmann|Uranus|Dikembe|Fukuoka|Fukushima|Shiite|Sextus|Hassle|Assange|Bassist|Wanaka|Twatt|Pissarro|Fanny Price'
    .split('|')
    .filter((name) => !/Twatt|Mishit|Shitterton/.test(name));
const QUOTES = [
  'Dick Cheney was vice president',
  'we read Moby Dick at school',
  'tit for tat never ends well',
  'a blue tit sat on the fence',
  'she graduated summa cum laude',
  'there is a chink in the armour',
  'our Maine Coon is asleep',
  'the pussy willow is in bloom',
  'the nurse did a finger prick test',
  "he'll be late and she'll be early",
  "who're you meeting and what're you eating",
  "it's hit the wall",
  "let's hit the road",
  'my pen is on the desk',
  'press it, push it, pull it',
  'I had a Samsung A55 before',
  'the S10 and the A55 cost the same',
  'add 455 grams of flour',
  'room 8008 on floor 4',
  'he scored 5 in a row',
  'as I said, as is',
  'a s far as I know',
  'u r a star',
  'b a s s guitar',
  'the U.S.A. and the U.K.',
  'e.g. this, i.e. that',
  'a.k.a. the boss',
  'M.A.S.H. reruns',
  'c l a s s of 99',
  'is he a b or a c student',
  'I am a DJ',
  'x, y and z',
  'version 1.4.55 is out',
  'see https://example.com/assets/class?id=5',
  'mail me at cassie@example.org',
  'the #hit song of the year',
  'email: bass@example.com',
  '5th, 6th and 7th street',
  'he said "pass it"',
  'it was a 4-3 win',
  '$5 or 5$ both work',
  'T-shirt and jeans',
  'wait... what?!',
  'soooo good',
  'hellooooo there',
  'yessss',
  'nooooo way',
  'hahahahaha',
  'zzzzz',
  'aaaaand done',
  'coool stuff',
  'grrrr',
  'shhhhh quiet',
  'assssembly required? no, assembly',
  'massss appeal',
  'passss me that',
];
const OTHER = [
  'das ist eine schöne Straße',
  'wir fahren nach Dickicht im Wald',
  'ich habe die Klasse verpasst',
  'dicke Bücher sind schwer',
  'le cassoulet est très bon',
  'je passe à la classe suivante',
  'il faut que je fasse attention',
  'la grâce et la classe',
  'este año es muy bonito',
  'el niño come una manzana',
  'vamos a la playa mañana',
  'que assim seja',
  'você pode passar amanhã',
  'la cassa è chiusa',
  'che fico questo assetto',
  'привет, как дела сегодня',
  'мы поедем на дачу завтра',
  'это очень хорошая идея',
  'рассказ о классе',
  'сосед пришёл поздно',
  'καλημέρα σε όλους',
  'το σπίτι είναι μεγάλο',
  'مرحبا كيف حالك اليوم',
  'شكرا جزيلا على المساعدة',
  'שלום מה שלומך',
  'תודה רבה לך',
  'नमस्ते आप कैसे हैं',
  'आज मौसम अच्छा है',
  '오늘 날씨가 좋네요',
  '내일 회의가 있어요',
  '今天天气很好',
  '我们明天去公园',
  'バカンスに行きたい',
  'そればかり食べている',
  '今日はいい天気ですね',
  'カバンを買いました',
  'วันนี้อากาศดีมาก',
  'ขอบคุณมากครับ',
  'hôm nay trời đẹp',
  'cảm ơn bạn rất nhiều',
  'dziękuję bardzo',
  'idę do klasy',
  'bugün hava çok güzel',
  'kasım ayında sınıf',
  'jag fick ett bra betyg',
  'den store båten',
  'hyvää huomenta kaikille',
  'dobrý den',
  'jó reggelt',
  'selamat pagi semua',
  'habari ya asubuhi',
  'ang ganda ng umaga',
];

function mustNotMatch() {
  const words = readFileSync(join(folder, 'english', 'words_alpha.txt'), 'utf8').split(/\r?\n/);
  const inner = words.filter(
    (word) => BAD_INSIDE.test(word) && !PROFANE.test(word) && word.length > 3 && word.length < 14,
  );
  const lines = [];
  const frames = ['the % here', '%', 'about %, yes', 'a % of note', 'we saw "%" today'];
  for (let i = 0; i < 700; i++)
    lines.push(`word\t${pick(frames).replace('%', inner[Math.floor((i + next()) * (inner.length / 700))] ?? 'class')}`);
  for (const name of NAMES)
    lines.push(`name\t${pick(['I live in %', '% is here', 'ask % about it', 'we love %']).replace('%', name)}`);
  for (const quote of QUOTES) lines.push(`quotation\t${quote}`);
  for (const text of OTHER) lines.push(`other language\t${text}`);
  return lines;
}

const WHO = ['I', 'we', 'they', 'my sister', 'the team', 'everyone', 'mum', 'our coach', 'u', 'he'];
const DID = [
  'can meet',
  "won't make it",
  'will be there',
  'just finished',
  'really liked the game',
  'need a ride',
  'lost the keys again',
  'got the tickets',
  "can't find the link",
  'baked a cake',
  'passed the class',
  'missed the bus',
];
const WHEN = [
  'at 5:30',
  'tomorrow',
  'after lunch',
  'in a bit',
  'on Friday',
  'next week',
  'tonight',
  'asap',
  'around 10ish',
  'by the 3rd',
  'in 20 min',
  'later',
];
const TAIL = [
  '',
  '!',
  ' :)',
  ' 😂',
  ' lol',
  '...',
  ' ok?',
  ' 👍👍',
  ' haha',
  ' tbh',
  ' (finally)',
  '!!!',
  ' <3',
  ' ;)',
  ' xD',
  ' — promise',
];
const SHORT = [
  'ok',
  'k',
  'lol',
  'brb',
  'omw',
  'ty!',
  'np',
  'gg wp',
  'same here',
  'so true',
  'no way!!',
  'u there?',
  'hbu?',
  'cya',
  'gn all',
  'gm ☀️',
  'yep yep',
  'nah im good',
  'idk tbh',
  'what time?',
  'send pics of the dog',
  'r u coming or no',
  'c u at 8',
  'wait 4 me',
  'b there in 5',
  'that was gr8',
  'happy bday!!! 🎂🎉',
  'p.s. bring snacks',
  'f.y.i. it moved to 6',
  "it's a-ok",
  'rock n roll',
  'a b c easy as 1 2 3',
];

function chat() {
  const lines = [...SHORT];
  while (lines.length < 600) {
    const line = `${pick(WHO)} ${pick(DID)} ${pick(WHEN)}${pick(TAIL)}`;
    if (!lines.includes(line)) lines.push(line);
  }
  return lines;
}

const write = (name, lines) => {
  writeFileSync(new URL(name, import.meta.url), `${lines.join('\n')}\n`);
  console.log(name, lines.length);
};
write('must-match.tsv', mustMatch());
write('must-not-match.tsv', mustNotMatch());
write('chat.txt', chat());
