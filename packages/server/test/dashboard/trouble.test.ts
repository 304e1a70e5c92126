/** What the page says and keeps when the service is away, the session has ended, or an answer fails. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { becomeOwner, launchBrowser, newPage } from './browser.ts';
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
});
