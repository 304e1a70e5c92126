/** Debian's chromium on a dashboard, with everything watched that a page must not do. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { createOwnerLink } from '../../src/apps/sign-in-links.ts';
import type { Gatehouse } from '../gatehouse.ts';

export const root = resolve(import.meta.dirname, '../../../..');
export const password = 'correct horse battery';

export async function launchBrowser(): Promise<Browser> {
  if (!existsSync('/usr/bin/chromium')) execFileSync('sh', [join(root, 'scripts/install-debian.sh'), 'chromium']);
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

export interface Watched {
  context: BrowserContext;
  page: Page;
  /** Requests to any other origin, refusals of the page's policy, errors in the console. Must stay empty. */
  wrongs: string[];
}

export interface PageOptions {
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** Answers that are meant to fail, by a piece of their address. */
  expectFailures?: readonly string[];
}

export async function newPage(browser: Browser, url: string, options: PageOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    colorScheme: options.theme ?? 'light',
    viewport: { width: options.width ?? 1280, height: options.height ?? 860 },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  });
  const wrongs: string[] = [];
  const expected = options.expectFailures ?? [];
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !asked.startsWith('data:') && !asked.startsWith('blob:'))
      wrongs.push(`request to ${asked}`);
  });
  page.on('pageerror', (error) => wrongs.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const said = `${message.text()} ${message.location().url}`;
    // Signed out is an answer, not an error; the browser writes it down all the same.
    if (said.includes('401') && said.includes('/session')) return;
    if (!expected.some((piece) => said.includes(piece))) wrongs.push(`console: ${said}`);
  });
  return { context, page, wrongs };
}

/** Makes the first owner, by a link as the first start prints it, and signs in with it. */
export async function becomeOwner(gatehouse: Gatehouse, page: Page): Promise<void> {
  const { token } = await gatehouse.app.store.change(createOwnerLink, { accountId: gatehouse.accountId });
  await page.goto(`${gatehouse.url}/dashboard/welcome#${token}`);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Choose this password' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

export async function signIn(gatehouse: Gatehouse, page: Page, email: string): Promise<void> {
  await page.goto(`${gatehouse.url}/dashboard`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** Everything axe finds, in words; nothing when all is well. */
export async function axe(page: Page): Promise<string[]> {
  // Past the page's policy, which forbids scripts from elsewhere: by the debugger, as a developer's tools do.
  await page.evaluate(axeSource);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 300)}\n  ${failureSummary ?? ''}`),
  );
}

/** In the dark, then in the light, where the page stays. */
export async function axeInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    found.push(...(await axe(page)));
  }
  return found;
}
