/** What was sent and what became of it, as the dashboard tells it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVendors, type Vendors } from '../push/vendors.ts';
import { axeInBoth, becomeOwner, launchBrowser, newPage, type Watched } from './browser.ts';

interface Shown {
  state: string;
  counts: Record<string, number>;
}

describe('the notifications of the dashboard', () => {
  let gatehouse: Vendors;
  let browser: Browser;
  let owner: Watched;
  let page: Page;
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([startVendors('sqlite'), launchBrowser()]);
    await gatehouse.addApns();
    for (const uid of ['grace', 'barbara', 'ken']) await gatehouse.newIphone(uid);
    owner = await newPage(browser, gatehouse.url, { expectFailures: ['status of 400'] });
    page = owner.page;
    await becomeOwner(gatehouse, page);
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
  });

  const at = (path: string) => page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);
  const tab = (name: string) => page.getByRole('tab', { name });

  /** Answers as the service would if the notifications had come this far. */
  async function pretend(change: (one: Shown) => Partial<Shown>): Promise<void> {
    await page.route(/\/push\/v1\/notifications(\?|\/|$)/, async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const changed = Array.isArray(data)
        ? data.map((one: Shown) => ({ ...one, ...change(one) }))
        : { ...data, ...change(data) };
      await route.fulfill({ response, json: { data: changed, ...rest } });
    });
  }

  it('counts a push to a device that is gone once', async () => {
    await gatehouse.send({ to: { all: true }, title: 'Tonight at eight', sendAt: Date.now() + 6 * 3_600_000 });
    await pretend(({ counts }) => ({
      state: 'finished',
      counts: { ...counts, queued: 0, sent: 3, failed: 5, droppedTokens: 5 },
    }));
    await at('notifications/sent');
    await page.getByText('3 sent, 5 failed').waitFor();
    await page.unrouteAll();
  });

  it('says what is still to come by the clock, what was called back, and names what is open', async () => {
    const sendAt = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1, 8, 30) - 86_400_000;
    const later = await gatehouse.send({ to: { all: true }, title: 'Next winter', sendAt });
    await gatehouse.send({ to: { all: true }, title: 'At nine', localTime: '09:00' });
    const gone = await gatehouse.send({ to: { all: true }, title: 'Never mind', sendAt: Date.now() + 3_600_000 });
    await gatehouse.asApp(`/v3/notifications/push/v1/notifications/${gone}`, { method: 'DELETE' });
    await at('notifications/sent');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Next winter').getByText('08:30 UTC').waitFor();
    await row('At nine').getByText("At 09:00 on each user's own clock").waitFor();
    expect(await row('Never mind').innerText()).toMatch(/Cancelled\s+Nothing was sent\s+Was called back/);
    const opener = page.getByRole('button', { name: 'Next winter' });
    await opener.click();
    const card = page.getByRole('region', { name: 'What became of it' });
    await card.getByText('Next winter').waitFor();
    await card.getByText('08:30 UTC').waitFor();
    expect(await card.locator('xpath=..').evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await axeInBoth(page)).toEqual([]);
    await card.getByRole('button', { name: 'Close' }).click();
    expect(await opener.evaluate((one) => one.matches(':focus'))).toBe(true);
    const { body } = await gatehouse.asApp(`/v3/notifications/push/v1/notifications/${later}`);
    expect(body.data.title).toBe('Next winter');
  });

  it('brings the list up to date while something is sent', async () => {
    let state = 'sending';
    await pretend(() => ({ state }));
    await at('notifications/sent');
    const row = page.getByRole('row').filter({ hasText: 'Next winter' });
    await row.getByText('Sending').waitFor();
    state = 'finished';
    await row.getByText('Finished').waitFor();
    await page.unrouteAll();
  });

  it('brings the list up to date also when its next page cannot be read', async () => {
    let state = 'sending';
    await page.route(/\/push\/v1\/notifications(\?|$)/, async (route) => {
      if (route.request().url().includes('cursor='))
        return route.fulfill({ status: 400, json: { error: { code: 'ERR_BAD_REQUEST', message: 'Not this one.' } } });
      const response = await route.fetch();
      const { data, meta } = await response.json();
      const json = { data: data.map((one: Shown) => ({ ...one, state })), meta: { ...meta, next: { cursor: 'next' } } };
      return route.fulfill({ response, json });
    });
    await at('notifications/sent');
    await page.getByText('The rest could not be read').waitFor();
    state = 'finished';
    await page.getByRole('row').filter({ hasText: 'Next winter' }).getByText('Finished').waitFor();
    await page.unrouteAll();
  });

  it('shows the attempts of one notification, says so, and has the service find them', async () => {
    const [id = '', other = ''] = await Promise.all(
      ['grace', 'ken'].map((uid) => gatehouse.send({ to: { uids: [uid] }, title: `For ${uid}` })),
    );
    await gatehouse.finished(id);
    await gatehouse.finished(other);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/logs')) asked.push(new URL(request.url()).search);
    });
    await at(`notifications/sent?open=${id}`);
    await page.getByRole('link', { name: 'Its attempts in the log' }).click();
    await page.getByText('Only the attempts of one notification are shown.').waitFor();
    const table = page.getByRole('table', { name: 'Attempts' });
    await table.getByText('grace').waitFor();
    expect(await table.getByText('ken').count()).toBe(0);
    expect(new Set(asked)).toEqual(new Set([`?notificationId=${id}&limit=100`]));
    await page.getByRole('button', { name: 'Show those of all' }).click();
    await table.getByText('ken').waitFor();
  });

  it('says in words why something did not arrive, and shows only the attempts of a while', async () => {
    const { token } = await gatehouse.newIphone('gone');
    gatehouse.simulator.apns.kill(token, Date.now() + 1000);
    const id = await gatehouse.send({ to: { uids: ['gone', 'nobody'] }, title: 'Anybody there?' });
    await gatehouse.finished(id);
    await at(`notifications/sent?open=${id}`);
    const card = page.getByRole('region', { name: 'What became of it' });
    await card.getByText('Failed because: The app is not on this device any more (1)').waitFor();
    await card.getByText('Skipped because: The user has no device (1)').waitFor();
    await card.getByRole('link', { name: 'Its attempts in the log' }).click();
    const table = page.getByRole('table', { name: 'Attempts' });
    await table.getByText('410 Unregistered').waitFor();
    await table.getByText('Device gone').waitFor();
    await page.getByLabel('From', { exact: true }).fill('2031-01-31T12:00');
    await page.getByText('No attempt fits these filters.').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(String(Date.UTC(2031, 0, 31, 12)));
    await page.reload();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2031-01-31T12:00');
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByLabel('Until', { exact: true }).fill('2031-01-31T12:00');
    await table.getByText('410 Unregistered').waitFor();
  });

  it('lets a moment be changed by keys, and asks for it once it is typed', async () => {
    await at(`notifications/log?from=${Date.UTC(2031, 0, 31, 12)}`);
    await page.getByText('No attempt fits these filters.').waitFor();
    const from = page.getByLabel('From', { exact: true });
    const placesBefore = await page.evaluate('history.length');
    await from.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2032', { delay: 20 });
    await page.waitForURL(new RegExp(`from=${Date.UTC(2032, 0, 31, 12)}$`));
    expect(await from.inputValue()).toBe('2032-01-31T12:00');
    expect(Number(await page.evaluate('history.length')) - Number(placesBefore)).toBe(1);
    // A year that is typed slowly is no year yet, and nothing is taken away meanwhile.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2');
    await page.waitForTimeout(600);
    expect(await from.inputValue()).toBe('0002-01-31T12:00');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => from.inputValue()).toBe('');
  });

  it('finds the filters of a tab as they were left, from the other tabs and from the menu', async () => {
    await at('notifications/log?success=false&receiver=ada');
    await page.getByText('No attempt fits these filters.').waitFor();
    await tab('Sent and scheduled').click();
    await page.getByRole('table', { name: 'Notifications' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await tab('Log of attempts').click();
    await page.waitForURL(/log\?success=false&receiver=ada$/);
    expect(await page.getByLabel('Outcome').inputValue()).toBe('false');
    expect(await page.getByLabel('Receiver').inputValue()).toBe('ada');
    const menu = page.getByRole('navigation');
    await menu.getByRole('link', { name: 'Providers' }).click();
    await page.getByRole('heading', { name: 'Providers' }).waitFor();
    await menu.getByRole('link', { name: 'Notifications' }).click();
    await tab('Log of attempts').click();
    await page.waitForURL(/log\?success=false&receiver=ada$/);
    await page.getByRole('button', { name: 'Clear' }).click();
    await tab('Compose').click();
    await tab('Log of attempts').click();
    await page.waitForURL(/log$/);
  });

  it('did nothing that a page must not do', () => {
    expect(owner.wrongs).toEqual([]);
  });
});
