/** What the page says and keeps when the service is away, the session has ended, or an answer fails. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { axeInBoth, becomeOwner, launchBrowser, newPage, password } from './browser.ts';
import { seed } from './seed.ts';

describe('the dashboard in trouble', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([startGatehouse('sqlite'), launchBrowser()]);
    await seed(gatehouse);
    ({ page } = await newPage(browser, gatehouse.url));
    await becomeOwner(gatehouse, page);
  });
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
  });

  const at = (path: string) => page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);
  const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name });

  it('says when a part of the page cannot be loaded, goes back, and tries again', async () => {
    await at('overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route(/\/audit-[^/]*\.js$/, (route) => route.abort());
    await menu('Audit').click();
    await page.getByText('This part of the page could not be loaded').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await menu('Audit').click();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
  });

  it('asks for a next page that fails once, says why, and asks again by hand', async () => {
    let failed = 0;
    await page.route(/\/push\/v1\/tokens\?/, async (route) => {
      if (route.request().url().includes('cursor=')) {
        failed++;
        return route.fulfill({ status: 400, json: { error: { code: 'ERR_BAD_REQUEST', message: 'Not this one.' } } });
      }
      const response = await route.fetch();
      const answer = await response.json();
      return route.fulfill({ response, json: { ...answer, meta: { ...answer.meta, next: { cursor: 'next' } } } });
    });
    await at('tokens');
    await page.getByRole('table', { name: 'Push tokens' }).getByText('grace').waitFor();
    await page.getByText('The rest could not be read').waitFor();
    // Long enough for a page that asks on and on to show it.
    await page.waitForTimeout(1000);
    expect(failed).toBe(1);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect.poll(() => failed).toBe(2);
  });

  it('says in Review that the rest could not be read, and asks again by hand', async () => {
    let failed = 0;
    await page.route(/\/blocked-messages\?/, async (route) => {
      if (route.request().url().includes('cursor=')) {
        failed++;
        return route.fulfill({ status: 400, json: { error: { code: 'ERR_BAD_REQUEST', message: 'Not this one.' } } });
      }
      const response = await route.fetch();
      const answer = await response.json();
      return route.fulfill({ response, json: { ...answer, meta: { ...answer.meta, next: { cursor: 'next' } } } });
    });
    await at('review/blocked');
    await page.getByText('The rest could not be read').waitFor();
    expect(await axeInBoth(page)).toEqual([]);
    expect(failed).toBe(1);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect.poll(() => failed).toBe(2);
  });

  it('asks to sign in again over the page when the session has ended, and keeps what was written', async () => {
    await at('notifications/compose');
    await page.getByLabel('User ids').fill('nobody');
    await page.getByLabel('Title', { exact: true }).fill('A long thought');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('Your session has ended.').waitFor();
    expect(await page.getByText('apikey').count()).toBe(0);
    expect(await axeInBoth(page)).toEqual([]);
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('ada@example.org');
    expect(await dialog.getByLabel(/^Password/).evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.getByLabel(/^Password/).fill('a wrong password');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('do not belong together').waitFor();
    await dialog.getByLabel(/^Password/).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('A long thought');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('region', { name: 'What became of it' }).waitFor();
  });

  it('keeps the dialog beneath when Escape is pressed while one signs in again', async () => {
    await at('providers');
    await page.getByRole('button', { name: 'Change apns-main' }).click();
    await page.getByLabel('Bundle id').fill('org.example.typed');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel(/^Password/).fill(password);
    await page.keyboard.press('Escape');
    await dialog.getByText('Your session has ended.').click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Bundle id').inputValue()).toBe('org.example.typed');
    await page.keyboard.press('Escape');
    await page.getByLabel('Bundle id').waitFor({ state: 'detached' });
  });

  it('keeps nothing for somebody else who signs in at the same page', async () => {
    await at('notifications/compose');
    await page.getByLabel('Title', { exact: true }).fill('A thought of Ada');
    await page.context().clearCookies();
    await page.getByLabel('User ids').fill('nobody');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel(/^Password/).fill(password);
    await page.route(/\/session$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const { data } = await response.json();
      return route.fulfill({ response, json: { data: { ...data, id: 'another', name: 'Grace' } } });
    });
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'You are Grace' }).waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('');
  });

  it('says that what it shows is old while the service is away, and goes on when it is back', async () => {
    await at('settings/service');
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.route(/\/(v3|readyz|apps|service|session|overview)/, (route) =>
      route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
    );
    const notice = page.getByRole('alert').filter({ hasText: 'The service does not answer.' });
    await notice.waitFor({ timeout: 40_000 });
    await page.getByText('Not ready', { exact: true }).waitFor({ timeout: 40_000 });
    expect(await axeInBoth(page)).toEqual([]);
    await page.unrouteAll();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByText('Ready', { exact: true }).waitFor();
  });

  it('can be opened again when the service was away at first', async () => {
    await page.route(/\/session/, (route) => route.abort());
    await at('audit');
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
  });
});
