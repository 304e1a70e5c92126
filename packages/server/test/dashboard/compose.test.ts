/** Composing a push: what is sent is what was meant, once, and to nobody else. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startVendors, type Vendors } from '../push/vendors.ts';
import { axeInBoth, becomeOwner, launchBrowser, newPage, type Watched } from './browser.ts';

describe('composing a push', () => {
  let gatehouse: Vendors;
  let browser: Browser;
  let owner: Watched;
  let page: Page;
  /** What the page asked the service to send, without what only counts. */
  let posted: { key: string | undefined; body: Record<string, unknown> }[];
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([startVendors('sqlite'), launchBrowser()]);
    await gatehouse.addApns();
    for (const uid of ['grace', 'barbara', 'ken']) await gatehouse.newIphone(uid);
    owner = await newPage(browser, gatehouse.url, { expectFailures: ['status of 400', 'ERR_FAILED'] });
    page = owner.page;
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/push/v1/notifications')) return;
      const body = request.postDataJSON();
      if (body.dryRun !== true) posted.push({ key: request.headers()['idempotency-key'], body });
    });
    await becomeOwner(gatehouse, page);
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
  });
  beforeEach(async () => {
    posted = [];
    await page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/notifications/compose`);
  });

  const title = () => page.getByLabel('Title', { exact: true });
  const send = () => page.getByRole('button', { name: 'Send', exact: true });
  const schedule = () => page.getByRole('button', { name: 'Schedule' });

  it('sends nothing "at a time" while the time is not complete or has passed', async () => {
    await page.getByLabel('User ids').fill('grace');
    await title().fill('Not yet');
    await page.getByLabel('When').selectOption('later');
    await schedule().click();
    await page.getByText('Choose the day and the hour.').waitFor();
    // The day alone: the browser's field is still empty to a page.
    await page.getByLabel(/^At/).focus();
    await page.keyboard.type('31122026');
    await schedule().click();
    await page.getByText('Choose the day and the hour.').waitFor();
    await page.getByLabel(/^At/).fill('2020-01-31T12:00');
    await schedule().click();
    await page.getByText('This time has passed.').waitFor();
    expect(posted).toEqual([]);
    const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel(/^At/).fill(at);
    await schedule().click();
    await page.getByRole('region', { name: 'What became of it' }).getByText('Scheduled').waitFor();
    expect(posted).toMatchObject([{ body: { to: { uids: ['grace'] }, sendAt: `${at}:00.000Z` } }]);
  });

  it('sends once, however often one clicks after an answer got lost', async () => {
    await page.getByLabel('User ids').fill('grace');
    await title().fill('Only once');
    let lost = 0;
    await page.route('**/push/v1/notifications', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      lost++;
      await route.fetch();
      await route.abort();
    });
    await send().click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    expect(lost).toBe(2);
    await page.unroute('**/push/v1/notifications');
    await send().click();
    await page.getByRole('region', { name: 'What became of it' }).waitFor();
    expect(new Set(posted.map(({ key }) => key)).size).toBe(1);
    const { body } = await gatehouse.asApp('/v3/notifications/push/v1/notifications');
    expect(body.data.filter((one: { title: string }) => one.title === 'Only once')).toHaveLength(1);
    // Another notification is another one, also with the same words.
    await page.getByRole('tab', { name: 'Compose' }).click();
    expect(await title().inputValue()).toBe('');
    await page.getByLabel('User ids').fill('grace');
    await title().fill('Only once');
    await send().click();
    await page.getByRole('region', { name: 'What became of it' }).waitFor();
    expect(new Set(posted.map(({ key }) => key)).size).toBe(2);
  });

  it('asks before it sends to everybody, with how many that are, also after Enter', async () => {
    await page.getByLabel('To', { exact: true }).selectOption('all');
    await title().fill('To all of you');
    await title().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'To every device of the app?' });
    await dialog.getByRole('button', { name: 'Send to 3 devices' }).waitFor();
    expect(await axeInBoth(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(posted).toEqual([]);
    await send().click();
    await dialog.getByRole('button', { name: 'Send to 3 devices' }).click();
    await page.getByRole('region', { name: 'What became of it' }).getByText('3 sent').waitFor();
    expect(posted).toMatchObject([{ body: { to: { all: true }, title: 'To all of you' } }]);
  });

  it('sends nothing without words or receivers, and says so at the fields', async () => {
    await send().click();
    await page.getByText('Write a title or a text.').waitFor();
    await page.getByText('Name at least one user.').waitFor();
    await page.getByLabel('User ids').fill('grace, Gräce');
    await page.getByText('Name at least one user.').waitFor({ state: 'detached' });
    await page.getByLabel('Text').fill('Hello');
    await send().click();
    // Which of them is wrong, and nothing of what only a programmer calls it.
    await page.getByText('“Gräce”:').waitFor();
    expect(await page.getByText('to.uids').count()).toBe(0);
    expect(await page.getByLabel('User ids').getAttribute('aria-invalid')).toBe('true');
    expect(posted).toHaveLength(1);
  });

  it('forgets what it counted and what was refused when the draft is another one', async () => {
    const count = page.getByRole('button', { name: 'Count the devices' });
    await count.click();
    await page.getByText('Name at least one user.').waitFor();
    await page.getByLabel('User ids').fill('grace');
    await count.click();
    await page.getByText('It would go to 1 device.').waitFor();
    await page.getByLabel('To', { exact: true }).selectOption('all');
    expect(await page.getByText('It would go to').count()).toBe(0);
    await count.click();
    await page.getByText('It would go to 3 devices.').waitFor();
    await page.getByLabel('To', { exact: true }).selectOption('uids');
    await title().fill('x');
    await page.getByLabel('When').selectOption('later');
    await page.getByLabel(/^At/).fill(new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 16));
    await schedule().click();
    await page.getByText('Must be within 365 days').waitFor();
    // The time that was typed belongs to "at a time" only.
    await page.getByLabel('When').selectOption('local');
    expect(await page.getByText('Must be within 365 days').count()).toBe(0);
    posted = [];
    await schedule().click();
    await page.getByRole('region', { name: 'What became of it' }).waitFor();
    expect(posted[0]?.body).toMatchObject({ localTime: '09:00' });
    expect(posted[0]?.body).not.toHaveProperty('sendAt');
  });

  it('keeps what was written while one looks at another tab', async () => {
    await page.getByLabel('User ids').fill('grace, ken');
    await title().fill('Half a thought');
    await page.getByRole('tab', { name: 'Sent and scheduled' }).click();
    await page.getByRole('table', { name: 'Notifications' }).waitFor();
    await page.getByRole('tab', { name: 'Compose' }).click();
    expect(await title().inputValue()).toBe('Half a thought');
    expect(await page.getByLabel('User ids').inputValue()).toBe('grace, ken');
  });

  it('keeps what is begun while the last one is on its way', async () => {
    await page.getByLabel('User ids').fill('grace');
    await title().fill('The first');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/push/v1/notifications', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await send().click();
    await title().fill('The second');
    release();
    await page.getByText('It is on its way.').waitFor();
    await expect.poll(() => send().isEnabled()).toBe(true);
    expect(await title().inputValue()).toBe('The second');
    await page.unroute('**/push/v1/notifications');
    await send().click();
    await page.getByRole('region', { name: 'What became of it' }).getByText('The second').waitFor();
    expect(posted.map(({ body }) => body.title)).toEqual(['The first', 'The second']);
    expect(new Set(posted.map(({ key }) => key)).size).toBe(2);
    await page.getByRole('tab', { name: 'Compose' }).click();
    expect(await title().inputValue()).toBe('');
  });

  it('did nothing that a page must not do', () => {
    expect(owner.wrongs).toEqual([]);
  });
});
