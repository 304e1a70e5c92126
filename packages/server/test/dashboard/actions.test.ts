/** What each screen is for, done in the page. */
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { becomeOwner, launchBrowser, newPage, type Watched } from './browser.ts';
import { say, seed } from './seed.ts';

describe('the main action of each screen', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let hook: Server;
  let hookUrl: string;
  let owner: Watched;
  let page: Page;
  beforeAll(async () => {
    hook = createServer((_request, response) => response.end('thanks')).listen(0, '127.0.0.1');
    await new Promise((resolve) => hook.once('listening', resolve));
    const at = hook.address();
    const host = `127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
    hookUrl = `http://${host}/hook`;
    [gatehouse, browser] = await Promise.all([
      startGatehouse('sqlite', { GATEHOUSE_BACKTEST_DAYS: '1', GATEHOUSE_PRIVATE_HOSTS: host }),
      launchBrowser(),
    ]);
    await seed(gatehouse);
    owner = await newPage(browser, gatehouse.url, { expectFailures: ['status of 400', '/v1/tokens/'] });
    page = owner.page;
    await becomeOwner(gatehouse, page);
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
    hook?.close();
  });

  const at = (path: string) => page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);

  it('Overview: shows what happened and what needs attention', async () => {
    await at('overview');
    const totals = page.locator('dl > div');
    for (const name of ['Judged', 'Blocked', 'Flagged', 'Dropped', 'Pushes sent', 'Pushes failed'])
      await totals
        .filter({ hasText: new RegExp(`^${name}\\s*[\\d,]+$`) })
        .first()
        .waitFor();
    await page.getByText('apns-main').first().waitFor();
  });

  it('Rules: a rule looks on in shadow, then acts; what it would have caught is shown with its marks', async () => {
    await at('rules/links-in-shadow');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByText(/Of \d+ messages it would have caught 0 messages/).waitFor();
    await say(gatehouse, 'look at https://example.org/now', { sender: 'linker' });
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByText(/would have caught 1 message/).waitFor();
    await page.locator('mark', { hasText: 'https://example.org/now' }).waitFor();
    await page.getByRole('switch', { name: /shadow/i }).click({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Revision 2 (now)').waitFor();
    const { body } = await gatehouse.asManager('/moderation/check', {
      body: { sender: 'a', receiver: 'b', receiverType: 'user', data: { text: 'https://example.org' } },
    });
    expect(body.data.verdict).toBe('block');
  });

  it('Rules: shows what differs from a revision before, and rolls back to it', async () => {
    await at('rules/links-in-shadow');
    await page.getByText('Revision 2 (now)').waitFor();
    await page.getByRole('button', { name: 'What differs' }).click();
    const difference = page.getByLabel('What differs: − then, + now');
    expect(await difference.innerText()).toMatch(/− +"shadow": true.*\+ +"shadow": false/s);
    await page.getByRole('button', { name: 'Roll back to revision 1' }).click();
    await page.getByText('is as it was in revision 1').waitFor();
    await page.getByText('Revision 3 (now)').waitFor();
    expect((await gatehouse.asManager('/moderation/rules/links-in-shadow')).body.data.shadow).toBe(true);
  });

  it('Lists: entries are added and removed, a CSV file comes in with its progress, and the list goes out as CSV', async () => {
    await at('lists/spoilers');
    await page.getByLabel('One a line').fill('the gardener\nthe vicar');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 entries are new.').waitFor();
    await page.getByRole('button', { name: 'Remove the vicar' }).click();
    await page.getByText('“the vicar” is removed.').waitFor();
    const cells = Array.from({ length: 5000 }, (_, i) => `ending${i}`);
    const csv = `${cells.join(',')}\n"with, a comma",butler\n`;
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'endings.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('5,002 of 5,002').waitFor();
    await page.getByText('5,001 entries are new.').waitFor();
    await page.getByLabel('Search').fill('with, a');
    await page.getByRole('table').getByText('with, a comma').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('spoilers.csv');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
    const saved = Buffer.concat(chunks).toString();
    expect(saved.split('\r\n')).toHaveLength(4 + 1 + 5001 + 1);
    expect(saved).toContain('"with, a comma"');
    await page.getByRole('link', { name: 'No spoilers' }).waitFor();
  });

  it('Tokens: are found by user and by auth token, which never stands in the address, and removed', async () => {
    const authToken = await gatehouse.newUser('ken');
    await at('tokens');
    const table = page.getByRole('table', { name: 'Push tokens' });
    await table.getByText('grace').waitFor();
    await page.getByLabel('User id', { exact: true }).last().fill('barbara');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/uid=barbara/);
    await table.getByText('grace').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove the iPhone or iPad of barbara' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The device of barbara is removed.').waitFor();
    await page.getByText('No device fits.').waitFor();
    // Back is back, in the field too; and what somebody else removed meanwhile is simply gone.
    await page.goBack();
    await table.getByText('ken', { exact: true }).waitFor();
    expect(await page.getByLabel('User id', { exact: true }).last().inputValue()).toBe('');
    const known = Buffer.from('ken'.padEnd(32, '.')).toString('hex');
    await gatehouse.asApp(`/v3/notifications/push/v1/tokens/${known}`, { method: 'DELETE' });
    await page.getByRole('button', { name: 'Remove the iPhone or iPad of ken' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The device of ken is removed.').waitFor();
    await table.getByText('ken', { exact: true }).waitFor({ state: 'detached' });
    await page.getByText('Auth token', { exact: true }).first().click();
    await page.getByRole('searchbox', { name: 'Auth token' }).fill(authToken);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No device fits.').or(table).first().waitFor();
    expect(page.url()).not.toContain(authToken);
    await page.getByRole('button', { name: 'All' }).click();
    await table.getByText('grace').waitFor();
  });

  it('Audit: says who changed what, and filters by what was changed', async () => {
    await at('audit');
    const table = page.getByRole('table', { name: 'Audit' });
    await table.getByText('Restore rule').first().waitFor();
    await page.getByLabel('Changed thing').fill('spoilers');
    await page.waitForURL(/target=spoilers/);
    await table.getByText('Remove keyword terms').first().waitFor();
    await table.getByText('Restore rule').waitFor({ state: 'detached' });
    await page.getByText('People and account').click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL((url) => url.search === '');
  });

  it('Settings: what happens when nobody answers, reasons, and how pushes read', async () => {
    await at('settings/moderation');
    await page.getByLabel('does not answer').selectOption('drop-message');
    await page.getByLabel('Address of your own').fill('http://10.0.0.1/');
    await page.getByRole('button', { name: 'Save' }).click();
    // What is wrong is said at its field, and nothing is saved.
    await page.getByText('An address that begins with http:// is not allowed.').waitFor();
    await page.getByLabel('Address of your own').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await gatehouse.asManager('/moderation/settings')).body.data.onError).toBe('drop-message');
    await at('settings/reasons');
    await page.getByLabel(/^Name/).fill('Spoils the ending');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('cell', { name: 'Spoils the ending', exact: true }).waitFor();
    await at('settings/push');
    await page.getByLabel('One on one, title', { exact: true }).fill('{{sender.name}} says');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  });

  it('Settings: a webhook is added, its secret shown once, tried, and its deliveries seen', async () => {
    await at('settings/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByRole('dialog').getByLabel('Address').fill(hookUrl);
    await page.getByRole('button', { name: 'Add it' }).click();
    const secret = await page.getByRole('dialog').getByLabel('Secret', { exact: true }).innerText();
    expect(secret).toMatch(/^whsec_/);
    // It is shown once: a slip of the finger does not lose it.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have it' }).click();
    const card = page.getByRole('region', { name: /^Webhook / }).filter({ hasText: hookUrl });
    await card.getByRole('button', { name: /^Test \S/ }).click();
    await card.getByText('200 thanks').waitFor();
    await say(gatehouse, 'the butler once more');
    await card.getByRole('button', { name: 'Deliveries' }).click();
    await card.getByRole('table').getByText('A message was blocked or dropped').waitFor();
    await card.getByText('moderation_engine_blocked').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('You: another session of mine can be seen and ended', async () => {
    const other = await newPage(browser, gatehouse.url, { expectFailures: ['401'] });
    await other.page.goto(`${gatehouse.url}/dashboard`);
    await other.page.getByLabel('E-mail address').fill('ada@example.org');
    await other.page.getByLabel(/^Password/).fill('correct horse battery');
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await at('keys/you');
    await page.getByRole('button', { name: 'End the session of ada@example.org' }).click();
    await page.getByText('That session has ended.').waitFor();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.context.close();
  });

  it('did nothing that a page must not do', () => {
    expect(owner.wrongs).toEqual([]);
  });
});
