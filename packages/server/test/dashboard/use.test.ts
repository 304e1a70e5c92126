/** How the dashboard is used: by role, by keyboard, by address, with texts that mean harm, and with many rows. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { becomeOwner, launchBrowser, newPage, password, signIn, type Watched } from './browser.ts';
import { say, seed } from './seed.ts';

describe('the dashboard in use', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let owner: Watched;
  let page: Page;
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([startGatehouse('sqlite'), launchBrowser()]);
    await seed(gatehouse);
    owner = await newPage(browser, gatehouse.url);
    page = owner.page;
    await becomeOwner(gatehouse, page);
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
  });

  const at = (path: string, on = page) => on.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);

  /** Invites somebody in the page and lets them choose their password in a browser of their own. */
  async function invite(role: string): Promise<Watched> {
    await at('keys/people');
    await page.getByLabel(/^Name/).fill(role);
    await page.getByLabel('E-mail address').fill(`${role}@example.org`);
    await page.getByLabel('Role', { exact: true }).selectOption(role);
    await page.getByRole('button', { name: 'Invite' }).click();
    const link = await page.getByRole('dialog').getByLabel('Link, works once, for a day', { exact: true }).innerText();
    await page.getByRole('button', { name: 'I have it' }).click();
    const theirs = await newPage(browser, gatehouse.url);
    await theirs.page.goto(link);
    await theirs.page.getByLabel(/^Password/).fill(password);
    await theirs.page.getByRole('button', { name: 'Choose this password' }).click();
    await theirs.page.getByRole('heading', { name: 'Overview' }).waitFor();
    return theirs;
  }

  it('shows a viewer everything and nothing to change, a moderator what can be decided', async () => {
    const viewer = await invite('viewer');
    await at('rules', viewer.page);
    await viewer.page.getByText('No spoilers').first().waitFor();
    expect(await viewer.page.getByRole('link', { name: 'New rule' }).count()).toBe(0);
    expect(await viewer.page.getByRole('switch', { name: 'No spoilers' }).isDisabled()).toBe(true);
    await at('review/blocked', viewer.page);
    await viewer.page.getByRole('heading', { name: 'Message of' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await viewer.page.keyboard.press('a');
    await at('keys/people', viewer.page);
    await viewer.page.getByRole('cell', { name: 'ada@example.org' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Invite' }).count()).toBe(0);

    const moderator = await invite('moderator');
    await at('review/flagged', moderator.page);
    await moderator.page.getByRole('button', { name: 'Reject', exact: true }).click();
    await moderator.page.getByText('1 message is rejected.').waitFor();
    await at('providers', moderator.page);
    await moderator.page.getByRole('heading', { name: 'apns-main' }).waitFor();
    expect(await moderator.page.getByRole('button', { name: 'Add a provider' }).count()).toBe(0);

    // A role that is taken away is gone with the next click.
    await at('keys/people');
    await page.getByLabel('Role of moderator').selectOption('viewer');
    await page.getByText('moderator is viewer now.').waitFor();
    await at('review/flagged', moderator.page);
    await moderator.page.getByRole('heading', { name: 'Message of' }).waitFor();
    expect(await moderator.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect([...viewer.wrongs, ...moderator.wrongs]).toEqual([]);
    await viewer.context.close();
    await moderator.context.close();
  });

  it('signs out, asks to sign in again, and comes back to the same place', async () => {
    const second = await newPage(browser, gatehouse.url, { expectFailures: ['401'] });
    await signIn(gatehouse, second.page, 'viewer@example.org');
    await at('lists/spoilers?search=twin', second.page);
    await second.page.getByText('the twin did it').waitFor();
    await second.page.getByRole('button', { name: /You are/ }).click();
    await second.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await second.page.getByLabel('E-mail address').fill('viewer@example.org');
    await second.page.getByLabel(/^Password/).fill('a wrong password');
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await second.page.getByText('do not belong together').waitFor();
    await second.page.getByLabel(/^Password/).fill(password);
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await second.page.getByText('the twin did it').waitFor();
    expect(second.page.url()).toContain('/lists/spoilers?search=twin');
    await second.context.close();
  });

  it('keeps the place over a reload, and goes back where one came from', async () => {
    await at('review/blocked');
    await page.getByLabel('Sender').fill('dennis');
    await page.waitForURL(/sender=dennis/);
    await page.getByRole('heading', { name: 'Message of dennis' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Message of dennis' }).waitFor();
    expect(await page.getByLabel('Sender').inputValue()).toBe('dennis');
    await page.getByRole('tab', { name: 'Flagged' }).click();
    await page.waitForURL(/review\/flagged/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Message of dennis' }).waitFor();
  });

  it('makes, tries and saves a rule with nothing but the keyboard', async () => {
    await at('rules');
    await page.getByRole('link', { name: 'New rule' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New rule', level: 1 }).waitFor();
    await page.getByLabel(/^Name/).focus();
    await page.keyboard.type('No tea');
    await tabTo(page, 'Words, one a line');
    await page.keyboard.type('tea');
    await tabTo(page, 'Drop');
    await page.keyboard.press('Space');
    await tabTo(page, 'A message');
    await page.keyboard.type('a cup of t e a please');
    await page.locator('[data-verdict=drop]').waitFor();
    await page.getByRole('button', { name: 'Make this rule' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('is saved and acts').waitFor();
    await page.getByText('Revision 1 (now)').waitFor();
  });

  it('decides in Review with j, k, a, r and x', async () => {
    for (const sender of ['one', 'two', 'three', 'four']) await say(gatehouse, 'the butler again', { sender });
    await at('review/blocked?text=again');
    const current = page.locator('li[data-current=true]');
    await current.getByText('four').waitFor();
    await page.keyboard.press('j');
    await current.getByText('three').waitFor();
    await page.keyboard.press('k');
    await current.getByText('four').waitFor();
    await page.keyboard.press('a');
    await page.getByText('1 message is approved.').waitFor();
    await current.getByText('three').waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 messages marked').waitFor();
    await page.keyboard.press('r');
    await page.getByText('2 messages are rejected.').waitFor();
    await current.getByText('one').waitFor();
  });

  it('shows texts that mean harm as texts, and keeps its shape', async () => {
    const line = 'x'.repeat(999_993);
    const texts = [
      '<script>window.broken = true</script><img src=x onerror="window.broken = true"> butler',
      '\u202Eevil \u2067txet\u2069 butler \u0645\u0631\u062D\u0628\u0627',
      `${'😀'.repeat(10_000)} butler`,
      `butler ${line}`,
    ];
    for (const [i, text] of texts.entries()) await say(gatehouse, text, { sender: `harm-${i}` });
    for (const [i, text] of texts.entries()) {
      await at(`review/blocked?sender=harm-${i}`);
      await page.getByRole('heading', { name: `Message of harm-${i}` }).waitFor();
      const shown = await page.getByRole('region', { name: 'The message' }).innerText();
      expect(shown).toContain(text.slice(0, 20));
      await page.locator('mark', { hasText: 'butler' }).first().waitFor();
      expect(
        await page.evaluate("[document.documentElement.scrollWidth <= window.innerWidth, 'broken' in window]"),
      ).toEqual([true, false]);
    }
    await page.getByRole('button', { name: 'Show all 1,000,000 characters' }).click();
    await page.getByRole('heading', { name: 'Message of harm-3' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(owner.wrongs).toEqual([]);
  });

  it('draws ten thousand entries as a few rows, also after scrolling to the end', async () => {
    const searchTerms = Array.from({ length: 10_000 }, (_, i) => `word${i}`);
    await gatehouse.asManager('/moderation/keywords', { body: { id: 'many', name: 'Many', searchTerms } });
    await at('lists/many');
    const table = page.getByRole('table', { name: 'Words of the list' });
    await table.getByText('word0', { exact: true }).waitFor();
    const box = page.locator('section:has(> [role=table])');
    for (let i = 0; i < 10; i++) {
      await box.evaluate((one) => one.scrollBy(0, one.scrollHeight / 9));
      expect(await table.getByRole('row').count()).toBeLessThan(80);
    }
    await table.getByText('word9999', { exact: true }).waitFor();
  });

  /** Presses Tab until the field of this label has the focus: every field must be reachable so. */
  async function tabTo(on: Page, label: string): Promise<void> {
    const wanted = on.getByLabel(label, { exact: true });
    for (let i = 0; i < 40; i++) {
      await on.keyboard.press('Tab');
      if (await wanted.evaluate((one) => one.matches(':focus'))) return;
    }
    throw new Error(`Tab does not reach "${label}".`);
  }
});
