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
});
