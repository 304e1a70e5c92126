/**
 * npm run bench:dashboard: how long after a keystroke try-it shows its answer, in a real browser, at 10,000 keywords; beside
 * it a bare round trip of the same page to the same server in the same run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { round } from '../load.mjs';
import { startService } from '../moderation/service.mjs';
import { writeSection } from '../results.mjs';

const keystrokes = Number(process.env.KEYSTROKES ?? 100);
const keywords = 10_000;
const root = join(import.meta.dirname, '../..');
if (!existsSync('/usr/bin/chromium')) execFileSync('sh', [join(root, 'scripts/install-debian.sh'), 'chromium']);

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const service = await startService(join(folder, 'data'));

async function ask(path, body) {
  const response = await fetch(`${service.baseUrl}/v3/moderation${path}`, {
    method: 'POST',
    headers: { apikey: service.apiKeys.fullAccess, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}

const list = { operand: 'text', category: 'word', isKeywordsReferencePresent: true, value: ['many'] };
const searchTerms = Array.from({ length: keywords }, (_, i) => `w${(i * 7919).toString(36)}x${i}`);
await ask('/keywords', { id: 'many', name: 'Many', searchTerms });
await ask('/rules', { id: 'many', name: 'Many words', action: ['blockMessage'], conditions: [list] });

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await (await browser.newContext()).newPage();
await page.goto(service.signInUrl);
await page.getByLabel('Your name').fill('Ada');
await page.getByLabel('E-mail address').fill('ada@example.org');
await page.getByLabel(/^Password/).fill('correct horse battery');
await page.getByRole('button', { name: 'Choose this password' }).click();
await page.getByRole('heading', { name: 'Overview' }).waitFor();

/** From the key's own event to the frame that shows the verdict on the text with this letter in it. */
async function keystroke(box, letter, text) {
  const shown = page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        let began = 0;
        addEventListener('keydown', (event) => (began = event.timeStamp), { capture: true, once: true });
        const live = document.querySelector('[aria-live=polite]');
        const observer = new MutationObserver(() => {
          if (!live.textContent.includes(wanted)) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - began));
        });
        observer.observe(live, { childList: true, subtree: true, characterData: true });
      }),
    text,
  );
  await box.press(letter);
  return shown;
}

async function type(path) {
  await page.goto(`${service.dashboardUrl}/${service.appId}/${path}`);
  const box = page.getByLabel('A message');
  let text = 'mind ';
  await box.fill(text);
  await page.locator('[data-verdict]').waitFor();
  // One word of the list after the other, letter by letter.
  const letters = [...searchTerms.slice(5000, 5000 + keystrokes).join(' ')].slice(0, keystrokes + 10);
  const times = [];
  for (const letter of letters) {
    text += letter;
    const ms = await keystroke(box, letter === ' ' ? 'Space' : letter, text.trimEnd());
    if (letter !== ' ') times.push(ms);
  }
  // The first ones find the page and the service still warming up.
  return times.slice(10);
}

const bareTrip = () =>
  page.evaluate(async () => {
    const began = performance.now();
    await (await fetch('/livez')).text();
    return performance.now() - began;
  });

const loadBefore = loadavg()[0];
const bare = [];
for (let i = 0; i < keystrokes; i++) bare.push(await bareTrip());
const stored = await type('rules');
const tried = await type('rules/many');
await browser.close();
await service.stop();
rmSync(folder, { recursive: true, force: true });

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];
const row = (what, times) => `| ${what} | ${round(at(times, 0.5), 1)} | ${round(at(times, 0.95), 1)} |`;
const lines = [
  `\`npm run bench:dashboard\`: Debian's chromium, ${keystrokes} keystrokes one after the other, ${keywords.toLocaleString('en')} keywords. From the key's`,
  'own event to the frame that shows the verdict with its marks; 20 ms of it are waited for further letters. Browser, service and',
  `everything else share two cores; load average while measuring: ${round(Math.max(loadBefore, loadavg()[0]), 1)}. Budget: 100 ms.`,
  '',
  '| milliseconds | median | p95 |',
  '|---|---|---|',
  row('a bare round trip: fetch of /livez by the same page', bare),
  row('try-it by the stored rules', stored),
  row('try-it by a rule as it stands in the form, compiled for the question', tried),
];
writeSection('Dashboard', lines);
console.log(lines.join('\n'));
