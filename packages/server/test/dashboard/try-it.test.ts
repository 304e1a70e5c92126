/**
 * Try-it while one types: what is asked, when, and what is shown. How long it takes is measured by npm run bench:dashboard;
 * here the page's clock stands still where time would matter.
 */
import type { Browser, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { becomeOwner, launchBrowser, newPage, type Watched } from './browser.ts';

const words = Array.from({ length: 10_000 }, (_, i) => `word${i}`);

describe('try-it at ten thousand keywords', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let owner: Watched;
  let page: Page;
  let asked: string[];
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([startGatehouse('sqlite'), launchBrowser()]);
    await gatehouse.asManager('/moderation/keywords', { body: { id: 'many', name: 'Many', searchTerms: words } });
    const condition = { entity: 'message', operand: 'text', category: 'word', operator: 'contains' };
    await gatehouse.asManager('/moderation/rules', {
      body: {
        id: 'many-words',
        name: 'Many words',
        conditions: [{ ...condition, isKeywordsReferencePresent: true, value: ['many'] }],
        action: ['blockMessage'],
      },
    });
    owner = await newPage(browser, gatehouse.url, { expectFailures: ['ERR_ABORTED'] });
    await becomeOwner(gatehouse, owner.page);
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
  });
  beforeEach(async () => {
    await page?.close();
    page = await owner.context.newPage();
    asked = [];
    page.on('request', (request) => {
      if (isCheck(request)) asked.push(textOf(request));
    });
  });

  const isCheck = (request: Request) => request.url().endsWith('/moderation/check');
  const textOf = (request: Request): string => request.postDataJSON().data.text;
  const open = async (path: string) => {
    await page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);
    const box = page.getByLabel('A message');
    await box.waitFor();
    return box;
  };
  const verdict = (name: string) => page.locator(`[data-verdict=${name}]`);

  it.each([
    ['the stored rules', 'rules'],
    ['a rule as it stands in the form', 'rules/many-words'],
  ])('shows the verdict and marks the words, by %s', async (_by, path) => {
    const box = await open(path);
    await box.fill('nothing to see');
    await verdict('allow').waitFor();
    await box.fill('it holds word4711 and w.o.r.d.9.9.9.9');
    await verdict('block').waitFor();
    expect(await page.locator('mark').allInnerTexts()).toEqual(['word4711', 'w.o.r.d.9.9.9.9']);
    await box.fill('');
    await verdict('block').waitFor({ state: 'detached' });
  });

  it('asks once for what is typed in one go, and not again for what it has just asked', async () => {
    const box = await open('rules');
    // From here on no time passes in the page unless it is said so.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box.pressSequentially('it holds word4711');
    await page.clock.runFor(19);
    expect(asked).toEqual([]);
    const request = page.waitForRequest(isCheck);
    await page.clock.runFor(1);
    await request;
    await page.clock.resume();
    await verdict('block').waitFor();
    expect(asked).toEqual(['it holds word4711']);
    await box.press('x');
    await box.press('Backspace');
    await box.press('End');
    await page.locator('mark', { hasText: /^word4711$/ }).waitFor();
    expect(asked.filter((text) => text === 'it holds word4711')).toHaveLength(1);
  });

  it('calls off the question before when one types on, and never shows its answer', async () => {
    const box = await open('rules');
    const held: Route[] = [];
    await page.route('**/moderation/check', async (route, request) => {
      if (textOf(request).includes('slow')) held.push(route);
      else await route.continue();
    });
    await box.fill('slow word1');
    await expect.poll(() => held.length).toBe(1);
    const calledOff = page.waitForEvent('requestfailed', isCheck);
    await box.fill('quick and harmless');
    await verdict('allow').waitFor();
    expect(textOf(await calledOff)).toBe('slow word1');
    const late = { verdict: 'drop', actions: ['dropMessage'], matches: [], shadow: [] };
    await held[0]?.fulfill({ json: { data: late } }).catch(() => {});
    await box.fill('quick and harmless still');
    await page.getByText('quick and harmless still').last().waitFor();
    await verdict('allow').waitFor();
    expect(await verdict('drop').count()).toBe(0);
  });

  it('keeps the last answer with the text it is about until the next one is there, and says that it waits', async () => {
    const box = await open('rules');
    await box.fill('it holds word1');
    await verdict('block').waitFor();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/moderation/check', async (route) => {
      await released;
      await route.continue();
    });
    await box.fill('it holds nothing');
    const answer = page.locator('[aria-live=polite][aria-busy=true]');
    await answer.waitFor();
    expect(await answer.innerText()).toContain('it holds word1');
    release();
    await verdict('allow').waitFor();
    await page.locator('[aria-live=polite][aria-busy=false]').waitFor();
  });
});
