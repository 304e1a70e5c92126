/** A newcomer's walk: from the link that the first start prints to the first blocked message and the first push. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, newPage, password, root, type Watched } from './browser.ts';

const cli = join(root, 'packages/server/dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-walk-'));

interface Started<T> {
  child: ChildProcess;
  said: T;
}

/** Starts a command that says in one line of JSON when it is ready, and goes on. */
async function start<T>(args: readonly string[], environment: Record<string, string> = {}): Promise<Started<T>> {
  const child = spawn(process.execPath, [cli, ...args, '--json'], {
    env: { PATH: process.env.PATH, GATEHOUSE_LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, said: JSON.parse(line) as T };
}

async function stop(started: Started<unknown> | undefined): Promise<void> {
  if (started === undefined || started.child.exitCode !== null) return;
  started.child.kill('SIGTERM');
  await once(started.child, 'exit');
}

interface Simulated {
  environment: Record<string, string>;
  apns: { keyId: string; teamId: string; bundleId: string; p8Key: string };
}
interface Served {
  baseUrl: string;
  dashboardUrl: string;
  signInUrl: string;
  appId: string;
}

describe("a newcomer's walk", () => {
  let simulator: Started<Simulated>;
  let service: Started<Served>;
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  let apiKey = '';
  beforeAll(async () => {
    [simulator, browser] = await Promise.all([
      start<Simulated>(['simulate', '--ca', join(folder, 'ca.pem')]),
      launchBrowser(),
    ]);
    service = await start<Served>(['serve', '--data', folder, '--port', '0'], simulator.said.environment);
    watched = await newPage(browser, service.said.baseUrl);
    page = watched.page;
  });
  afterAll(async () => {
    await browser?.close();
    await stop(service);
    await stop(simulator);
    rmSync(folder, { recursive: true, force: true });
  });

  const go = (screen: string) =>
    page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: new RegExp(`^${screen}`) })
      .click();

  it('begins with the printed link, which makes the first owner and works once', async () => {
    expect(service.said.dashboardUrl).toBe(`${service.said.baseUrl}/dashboard`);
    await page.goto(service.said.signInUrl);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel(/^Password/).fill('short');
    await page.getByRole('button', { name: 'Choose this password' }).click();
    // The mistake is shown at the field.
    await page.getByText('Must have at least 10 characters').waitFor();
    await page.getByLabel(/^Password/).fill(password);
    await page.getByRole('button', { name: 'Choose this password' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('heading', { name: 'Next: Judge your first message' }).waitFor();

    const stranger = await newPage(browser, service.said.baseUrl, { expectFailures: ['404'] });
    await stranger.page.goto(service.said.signInUrl);
    await stranger.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await stranger.context.close();
  });

  it('makes an API key, shown once', async () => {
    await page.getByRole('link', { name: 'Make an API key' }).click();
    await page.getByLabel(/^Name/).fill('My back end');
    await page.getByRole('button', { name: 'Make a key' }).click();
    apiKey = await page.getByRole('dialog').getByLabel('API key', { exact: true }).innerText();
    expect(apiKey).toMatch(/^[0-9a-f]{40}$/);
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('cell', { name: 'My back end', exact: true }).waitFor();
    await expect.poll(() => page.content()).not.toContain(apiKey);
  });

  it('tries a message while typing, and switches a rule off and on', async () => {
    await go('Rules');
    await page.getByLabel('A message').pressSequentially('the B.U.T.L.E.R did it');
    await page.locator('mark', { hasText: 'B.U.T.L.E.R' }).waitFor();
    await page.locator('[data-verdict=block]').waitFor();
    const onOff = page.getByRole('switch', { name: 'No spoilers' });
    await onOff.click({ force: true });
    await page.locator('[data-verdict=allow]').waitFor();
    await onOff.click({ force: true });
    await page.locator('[data-verdict=block]').waitFor();
  });

  it('sees the first blocked message in Review and approves it', async () => {
    const answer = await fetch(`${service.said.baseUrl}/v3/moderation/messages`, {
      method: 'POST',
      headers: { apikey: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        sender: 'linus',
        receiver: 'grace',
        receiverType: 'user',
        type: 'text',
        data: { text: 'it was the butler' },
      }),
    });
    expect(await answer.json()).toMatchObject({ data: { verdict: 'block' } });
    await go('Review');
    await page.locator('mark', { hasText: 'butler' }).waitFor();
    await page.getByRole('link', { name: 'No spoilers' }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Nothing was blocked or dropped.').waitFor();
    await page.getByRole('tab', { name: 'Reviewed' }).click();
    await page.getByRole('region', { name: 'The message' }).getByText('Approved').waitFor();
  });

  it('adds a provider by dropping its key file, whose name holds the key id', async () => {
    const { keyId, teamId, bundleId, p8Key } = simulator.said.apns;
    await go('Providers');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    const file = { name: `AuthKey_${keyId}.p8`, mimeType: 'application/octet-stream', buffer: Buffer.from(p8Key) };
    await page.getByLabel('Key file from Apple').setInputFiles(file);
    await expect.poll(() => page.getByLabel(/^Key id/).inputValue()).toBe(keyId);
    await page.getByLabel('Team id').fill(teamId);
    await page.getByLabel('Bundle id').fill('not a bundle');
    await page.getByLabel('Name of this provider').fill('apns-demo');
    await page.getByRole('button', { name: 'Add it' }).click();
    await page.getByText('A bundle id such as').waitFor();
    await page.getByLabel('Bundle id').fill(bundleId);
    await page.getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('heading', { name: 'apns-demo' }).waitFor();
    await expect.poll(() => page.content()).not.toContain(p8Key.slice(40, 80));
  });

  it('tests the provider and sees what the vendor answers', async () => {
    await page.getByRole('button', { name: 'Test apns-demo' }).click();
    await page.getByLabel(/^Device token/).fill('ab'.repeat(32));
    await page.getByRole('button', { name: 'Send one push' }).click();
    await page.getByText('It was taken').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  it('composes the first push, sees it as a phone shows it, and what became of it', async () => {
    await go('Notifications');
    await page.getByRole('tab', { name: 'Compose' }).click();
    await page.getByLabel('User ids').fill('grace');
    await page.getByLabel('Title', { exact: true }).fill('Hello Grace');
    await page.getByRole('region', { name: 'On an iPhone' }).getByText('Hello Grace').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('region', { name: 'What became of it' }).getByText('1 sent').waitFor();
    await page.getByRole('link', { name: 'Its attempts in the log' }).click();
    await page.getByRole('table', { name: 'Attempts' }).getByText('grace').waitFor();
    await go('Overview');
    // It looks again by itself.
    await page
      .getByRole('region', { name: 'Totals' })
      .getByText(/Pushes sent\s*1$/)
      .or(page.locator('dl > div', { hasText: /^Pushes sent1$/ }))
      .first()
      .waitFor({ timeout: 30_000 });
  });

  it('schedules a push and cancels it', async () => {
    await page.goto(`${service.said.dashboardUrl}/${service.said.appId}/notifications/compose`);
    await page.getByLabel('To', { exact: true }).selectOption('all');
    await page.getByLabel('Title', { exact: true }).fill('Later');
    await page.getByLabel('When').selectOption('later');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel(/^At/).fill(inDays(400));
    const scheduleIt = page.getByRole('button', { name: 'Schedule', exact: true });
    await scheduleIt.click();
    // Too far ahead: said at its field.
    await page.getByText('Must be within 365 days').waitFor();
    await page.getByLabel(/^At/).fill(inDays(1));
    await scheduleIt.click();
    await page.getByRole('button', { name: /^Schedule to \d+ device/ }).click();
    await page.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await page.getByRole('region', { name: 'What became of it' }).getByText('Cancelled').waitFor();
  });

  it('asked nobody but its own server, and broke no rule of its own policy', () => {
    expect(watched.wrongs.filter((wrong) => !/status of 400/.test(wrong))).toEqual([]);
  });
});
