/**
 * Every screen in both colours, by eye and by axe. With SCREENSHOTS=1 what is seen is kept in docs/guide, which is how the
 * pictures there are made: npm run screenshots.
 */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { axe, becomeOwner, launchBrowser, newPage, root, type Watched } from './browser.ts';
import { seed } from './seed.ts';

const keep = process.env.SCREENSHOTS === '1';
const desktop = { width: 1280, height: 860 };
const phone = { width: 375, height: 740 };
const onPhone = new Set(['overview', 'review', 'rules']);

const themeNow = 'document.documentElement.dataset.mantineColorScheme';
const fits = 'document.documentElement.scrollWidth <= window.innerWidth';
/** What sticks out of the window, if the page is wider than it. */
const widest = `${fits} ? [] : [...document.querySelectorAll('main *')]
  .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
  .map((one) => one.tagName + ' ' + one.className + ' ' + Math.round(one.getBoundingClientRect().right)).slice(0, 5)`;

/** The button that opens what the picture is of. */
const opens: Readonly<Record<string, string>> = {
  review: 'Show the conversation around it',
  'list-options': 'Options',
  'provider-change': 'Change apns-main',
  'webhook-change': 'Change chat-server',
};

/** What one types or opens there, so that there is something to see. */
async function fillIn(name: string, page: Page): Promise<void> {
  const button = opens[name];
  if (button !== undefined) await page.getByRole('button', { name: button }).click();
  if (name === 'review') await page.getByText('This message', { exact: true }).waitFor();
  else if (button !== undefined) await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor();
  if (name === 'rules' || name === 'rule') {
    await page.getByLabel('A message').fill('Do not tell me the b.u.t.l.e.r did it: https://example.org');
    await page.locator('mark').first().waitFor();
  }
  if (name === 'compose') {
    await page.getByLabel('User ids').fill('grace, barbara');
    await page.getByLabel('Title', { exact: true }).fill('Tonight at eight');
    await page.getByLabel('Text').fill('The director answers your questions. Bring some.');
  }
}

async function keepPicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(root, `docs/guide/screenshots/${name}.png`), animations: 'disabled' });
}

/** Address below the app, heading, and a text that is there when everything is loaded. */
const screens = [
  ['overview', 'overview', 'Overview', 'Messages caught'],
  ['rules', 'rules', 'Rules', 'No spoilers'],
  ['rule', 'rules/no-spoilers', 'No spoilers', 'Revision 1'],
  ['lists', 'lists', 'Lists', 'Spoilers'],
  ['list', 'lists/spoilers', 'Spoilers', 'butler'],
  ['list-options', 'lists/spoilers', 'Spoilers', 'butler'],
  ['review', 'review/blocked', 'Review', 'Caught by'],
  ['review-flagged', 'review/flagged', 'Review', 'Message of'],
  ['review-reviewed', 'review/reviewed', 'Review', 'Decided by'],
  ['providers', 'providers', 'Providers', 'apns-main'],
  ['provider-change', 'providers', 'Providers', 'apns-main'],
  ['tokens', 'tokens', 'Tokens', 'grace'],
  ['notifications', 'notifications/sent', 'Notifications', 'Tonight at eight'],
  ['compose', 'notifications/compose', 'Notifications', 'As it will look'],
  ['log', 'notifications/log', 'Notifications', 'No push was tried yet'],
  ['keys', 'keys/api', 'Keys and people', 'Back end'],
  ['pairs', 'keys/pairs', 'Keys and people', 'Ends with'],
  ['people', 'keys/people', 'Keys and people', 'ada@example.org'],
  ['you', 'keys/you', 'Keys and people', 'This one'],
  ['audit', 'audit', 'Audit', 'Create rule'],
  ['settings', 'settings/service', 'Settings', 'Version and health'],
  ['settings-moderation', 'settings/moderation', 'Settings', 'does not answer'],
  ['settings-reasons', 'settings/reasons', 'Settings', 'Harassment'],
  ['settings-push', 'settings/push', 'Settings', 'Templates'],
  ['settings-webhooks', 'settings/webhooks', 'Settings', 'chat-server'],
  ['webhook-change', 'settings/webhooks', 'Settings', 'chat-server'],
] as const;

describe('the screens of the dashboard', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let light: Watched;
  let dark: Watched;
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([startGatehouse('sqlite'), launchBrowser()]);
    await seed(gatehouse);
    light = await newPage(browser, gatehouse.url);
    await becomeOwner(gatehouse, light.page);
    dark = await newPage(browser, gatehouse.url, { theme: 'dark' });
    await dark.context.addCookies(await light.context.cookies());
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
  });

  describe.each(['light', 'dark'] as const)('in %s', (theme) => {
    it.each(screens)('%s has nothing that axe minds, and fits a phone', async (name, path, heading, sign) => {
      const { page, wrongs } = theme === 'light' ? light : dark;
      await page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.getByText(sign).first().waitFor();
      await fillIn(name, page);
      expect(await page.evaluate(themeNow)).toBe(theme);
      if (keep) await keepPicture(page, `${name}-${theme}`);
      expect(await axe(page)).toEqual([]);
      await page.setViewportSize(phone);
      // The menu slides away first.
      await expect.poll(() => page.evaluate(widest), { timeout: 5000, message: 'wider than a phone' }).toEqual([]);
      if (keep && onPhone.has(name)) await keepPicture(page, `${name}-phone-${theme}`);
      await page.setViewportSize(desktop);
      expect(wrongs).toEqual([]);
    });
  });

  it('shows forms and questions that axe does not mind either', async () => {
    const { page, wrongs } = dark;
    const at = (path: string) => page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);
    await at('providers');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    for (const tab of ['Apple', 'Google', 'Browsers', 'Your own server']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await axe(page)).toEqual([]);
    }
    await at('lists');
    await page.getByRole('button', { name: 'New list' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await axe(page)).toEqual([]);
    await at('rules/new');
    await page.getByRole('button', { name: 'Make this rule' }).click();
    await page.getByRole('button', { name: 'Add who it is about' }).click();
    expect(await axe(page)).toEqual([]);
    expect(wrongs.filter((wrong) => !wrong.includes('400'))).toEqual([]);
  });

  it('shows the form to sign in, which axe does not mind', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context } = await newPage(browser, gatehouse.url, { theme });
      await page.goto(gatehouse.url);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      if (keep) await keepPicture(page, `sign-in-${theme}`);
      expect(await axe(page)).toEqual([]);
      await context.close();
    }
  });
});
