import type { List, Severity } from './types.ts';

/**
 * Our own English list: words that are abuse or obscenity in nearly every use. Words with an ordinary second life
 * (hell, damn, screw, nuts, queer) are left out on purpose; where a listed word has a well-known innocent use, the
 * allow list has it. Whole words only: every form is spelled out, so that nothing is hit by accident.
 */
function forms(root: string, endings: string): string[] {
  return endings.split(' ').map((ending) => root + (ending === '-' ? '' : ending));
}

const VERB = '- s ed er ers ing in';

const MILD: readonly string[] = [
  ...'arse arses arsehole arseholes ass asses asshat asshats asswipe asswipes badass dumbass dumbasses fatass jackass jackasses lardass smartass'.split(
    ' ',
  ),
  ...forms('bollock', '- s ed ing'),
  ...forms('piss', VERB),
  ...'pissoff boob boobs boobies titties titty tit tits knobhead knobheads bellend bellends tosser tossers'.split(' '),
  ...'porn porno pornhub milf milfs dildo dildos horny boner boners'.split(' '),
];

const STRONG: readonly string[] = [
  ...forms(
    'fuck',
    `${VERB} a as ah boy boys face faces head heads hole holes nut nuts off stick tard tards up ups wit wits you u ton able`,
  ),
  ...'fuk fukin fuking fukker fuker fck fcker fcking fkn fuq phuck phuk motherfucker motherfuckers motherfucking motherfuckin mofo mofos clusterfuck mindfuck fuckery unfuck'.split(
    ' ',
  ),
  ...'shit shits shitty shittier shittiest shitting shitted shitter shitters shite shites shithead shitheads shithole shitholes shitface shitfaced shitbag shitbags shitshow shitstorm bullshit bullshits bullshitter bullshitting horseshit dipshit dipshits apeshit batshit chickenshit'.split(
    ' ',
  ),
  ...forms('bitch', `- es ed ing in y ass`),
  ...'biatch bastard bastards asshole assholes assfuck assfucker buttfuck buttfucker butthole buttholes'.split(' '),
  ...'cock cocks cocksuck cocksucker cocksuckers cocksucking cockhead cockheads'.split(' '),
  ...'dick dicks dickhead dickheads dickface dickwad dickwads dickbag dickbags dickless dicksucker'.split(' '),
  ...'pussy pussies prick pricks twat twats wank wanks wanked wanker wankers wanking wanky minge bugger buggers buggered'.split(
    ' ',
  ),
  ...'slut sluts slutty whore whores whoring whorish skank skanks skanky douche douchebag douchebags'.split(' '),
  ...'cum cums cumming cumshot cumshots cumslut jizz blowjob blowjobs handjob handjobs rimjob rimjobs deepthroat gangbang gangbangs bukkake creampie jerkoff'.split(
    ' ',
  ),
  ...'retarded libtard libtards stfu gtfo'.split(' '),
  'jerk off',
  'jerking off',
  'suck my dick',
  'eat shit',
  '🖕',
];

const SEVERE: readonly string[] = [
  ...'cunt cunts cunty cunting nigger niggers nigga niggas niggaz nigguh faggot faggots fag fags faggy'.split(' '),
  ...'kike kikes spic spics chink chinks gook gooks wetback wetbacks beaner beaners coon coons raghead ragheads towelhead towelheads paki pakis'.split(
    ' ',
  ),
  ...'tranny trannies shemale shemales retard retards golliwog jigaboo porchmonkey sandnigger'.split(' '),
  ...'kys'.split(' '),
  'kill yourself',
  'kill urself',
  'go die',
  'hang yourself',
];

/** Innocent uses that contain a listed word. */
const ALLOW: readonly string[] = [
  ...[
    'dick cheney',
    'dick van dyke',
    'dick tracy',
    'dick clark',
    'dick grayson',
    'dick turpin',
    'dick wolf',
    'dick durbin',
    'moby dick',
  ],
  ...[
    'philip k dick',
    'spotted dick',
    "dick's sporting goods",
    'dick whittington',
    'tom dick and harry',
    'andy dick',
    'dick fosbury',
  ],
  ...['pussy willow', 'pussy willows', 'pussy cat', 'pussy riot', 'octo pussy', 'pussy galore'],
  ...[
    'cock robin',
    'cock a doodle doo',
    'cock and bull',
    'cock crow',
    'weather cock',
    'stop cock',
    'ball cock',
    'cock a leekie',
    'cock of the walk',
  ],
  ...[
    'tit for tat',
    'blue tit',
    'blue tits',
    'great tit',
    'great tits',
    'coal tit',
    'coal tits',
    'marsh tit',
    'willow tit',
    'crested tit',
    'long tailed tit',
    'tomtit',
  ],
  ...[
    'spic and span',
    'chink in the armor',
    'chink in the armour',
    'chink of light',
    'chinks in',
    'maine coon',
    'maine coons',
    'coon hound',
  ],
  ...[
    'pin prick',
    'finger prick',
    'pricks up',
    'prick up',
    'wild ass',
    'ass and foal',
    'the ox and the ass',
    'flame retard',
    'fire retard',
  ],
  ...[
    'summa cum laude',
    'magna cum laude',
    'cum laude',
    'kitchen cum dining',
    'cum dividend',
    'cum rights',
    'shih tzu',
  ],
  ...[
    'go die hard',
    'fag end',
    'fag ends',
    'bastard sword',
    'bastard swords',
    'bastard file',
    'shiite',
    'shiites',
    'pizz',
  ],
];

function severities(): Record<string, Severity> {
  const table: Record<string, Severity> = {};
  for (const term of MILD) table[term] = 1;
  for (const term of STRONG) table[term] = 2;
  for (const term of SEVERE) table[term] = 3;
  return table;
}

export const PROFANITY: List = {
  id: 'profanity-list',
  name: 'Profanity',
  category: 'word',
  terms: [...new Set([...MILD, ...STRONG, ...SEVERE])],
  allow: ALLOW,
  severity: severities(),
  fold: { mask: true },
};
