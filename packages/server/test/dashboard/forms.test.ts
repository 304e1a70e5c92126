/** Changing what is there: a provider's key, what a webhook hears of, what a list sees through. */
import { createECDH, generateKeyPairSync } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeP8 } from '../contract/signing-keys.ts';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { axeInBoth, becomeOwner, launchBrowser, newPage, type Watched } from './browser.ts';
import { seed } from './seed.ts';

describe('the forms of the dashboard', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let owner: Watched;
  let page: Page;
  beforeAll(async () => {
    [gatehouse, browser] = await Promise.all([startGatehouse('sqlite'), launchBrowser()]);
    await seed(gatehouse);
    owner = await newPage(browser, gatehouse.url, { expectFailures: ['status of 400', 'status of 412'] });
    page = owner.page;
    await becomeOwner(gatehouse, page);
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
  });

  const at = (path: string) => page.goto(`${gatehouse.url}/dashboard/${gatehouse.appId}/${path}`);
  const dialog = () => page.getByRole('dialog');
  const providersOf = async (kind: string) =>
    (await gatehouse.asApp(`/v3/notifications/push/v1/providers/${kind}`)).body.data.pushProviders;
  const card = (id: string) => page.getByRole('region', { name: new RegExp(`^${id}, `) });

  it("replaces Apple's key by dropping another file, and shows its fingerprint, never the key", async () => {
    const [before] = await providersOf('apns');
    const { pem } = makeP8();
    await at('providers');
    await page.getByRole('button', { name: 'Change apns-main' }).click();
    expect(await dialog().getByLabel('Bundle id').inputValue()).toBe('org.example.chat');
    expect(await dialog().getByLabel('Name of this provider').count()).toBe(0);
    expect(await axeInBoth(page)).toEqual([]);
    const file = { name: 'AuthKey_ZYX987WVUT.p8', mimeType: 'application/octet-stream', buffer: Buffer.from(pem) };
    await dialog().getByLabel('New key file from Apple').setInputFiles(file);
    await expect
      .poll(() =>
        dialog()
          .getByLabel(/^Key id/)
          .inputValue(),
      )
      .toBe('ZYX987WVUT');
    await dialog().getByLabel('Team id').fill('short');
    await dialog().getByRole('button', { name: 'Save' }).click();
    // The mistake is shown at its field.
    await dialog().getByText('The team id is ten letters and digits.').waitFor();
    await dialog().getByLabel('Team id').fill('TEAM654321');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('apns-main is changed').waitFor();
    const [after] = await providersOf('apns');
    expect(after).toMatchObject({ keyId: 'ZYX987WVUT', teamId: 'TEAM654321', p8KeyFilename: file.name });
    expect(after.p8KeyFingerprint).not.toBe(before.p8KeyFingerprint);
    await card('apns-main').getByText(after.p8KeyFingerprint).waitFor();
    expect(await page.content()).not.toContain(pem.slice(40, 80));
  });

  it('keeps the sealed key when only something else is changed', async () => {
    const [before] = await providersOf('apns');
    await at('providers');
    await page.getByRole('button', { name: 'Change apns-main' }).click();
    await dialog().getByLabel('Bundle id').fill('org.example.other');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('apns-main is changed').waitFor();
    const [after] = await providersOf('apns');
    expect(after).toMatchObject({ bundleId: 'org.example.other', p8KeyFingerprint: before.p8KeyFingerprint });
  });

  it("adds and replaces Google's service account file, and says what is no such file", async () => {
    const account = (project: string) => ({
      name: `${project}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(
        JSON.stringify({
          project_id: project,
          client_email: `push@${project}.example.org`,
          private_key: generateKeyPairSync('rsa', { modulusLength: 2048 })
            .privateKey.export({ type: 'pkcs8', format: 'pem' })
            .toString(),
        }),
      ),
    });
    await at('providers');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    await page.getByRole('tab', { name: 'Google' }).click();
    await dialog().getByRole('button', { name: 'Add it' }).click();
    await dialog().getByText('Choose the service account file first.').waitFor();
    await dialog()
      .getByLabel('Service account file')
      .setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });
    await dialog().getByText('notes.json is not a service account file').waitFor();
    await dialog().getByLabel('Service account file').setInputFiles(account('chat-one'));
    await dialog().getByRole('button', { name: 'Add it' }).click();
    await card('fcm').getByText('chat-one', { exact: true }).waitFor();
    const [before] = await providersOf('fcm');
    await page.getByRole('button', { name: 'Change fcm' }).click();
    // A change without a file is none: nothing says that it could be left out.
    await dialog().getByText('A new file replaces it.').waitFor();
    expect(await dialog().getByText('What you leave empty').count()).toBe(0);
    await dialog().getByLabel('New service account file').setInputFiles(account('chat-two'));
    await dialog().getByRole('button', { name: 'Save' }).click();
    await card('fcm').getByText('chat-two', { exact: true }).waitFor();
    const [after] = await providersOf('fcm');
    expect(after.privateKeyFingerprint).not.toBe(before.privateKeyFingerprint);
  });

  it('replaces the keys of Web Push, and says what that means for browsers', async () => {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    await at('providers');
    await page.getByRole('button', { name: 'Change browsers' }).click();
    await dialog().getByLabel('New VAPID public key').fill(pair.getPublicKey('base64url'));
    await dialog().getByText('each has to subscribe again').waitFor();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Send both VAPID keys').waitFor();
    await dialog().getByLabel('New VAPID private key').fill(pair.getPrivateKey().toString('base64url'));
    expect(await axeInBoth(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await card('browsers').getByText(pair.getPublicKey('base64url')).waitFor();
  });

  it('changes the address and the password of an own server', async () => {
    await at('providers');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    await page.getByRole('tab', { name: 'Your own server' }).click();
    await dialog().getByLabel('Address').fill('https://push.example.org/one');
    await dialog().getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('button', { name: 'Change custom' }).click();
    await dialog().getByLabel('Address').fill('https://push.example.org/two');
    await dialog().getByLabel('It asks for a name and a password').check();
    await dialog().getByLabel('Name', { exact: true }).fill('gatehouse');
    await dialog().getByLabel('Password', { exact: true }).fill('long enough to guess');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await card('custom').getByText('https://push.example.org/two').waitFor();
    expect(await providersOf('custom')).toMatchObject([{ useBasicAuth: true, basicAuthUsername: 'gatehouse' }]);
  });

  it('chooses anew what a webhook hears of', async () => {
    await at('settings/webhooks');
    const hook = page.getByRole('region', { name: 'Webhook chat-server' });
    await hook.getByText('Hears when: a message was flagged').waitFor();
    await page.getByRole('button', { name: 'Change chat-server' }).click();
    expect(await dialog().getByLabel('A message was flagged').isChecked()).toBe(true);
    expect(await axeInBoth(page)).toEqual([]);
    await dialog().getByLabel('A message was flagged').uncheck();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Choose at least one, or tell it everything.').waitFor();
    await dialog().getByLabel('A rule changed').check();
    await dialog().getByLabel('What it is for').fill('Tells the moderators.');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await hook.getByText('Hears when: a rule changed').waitFor();
    expect((await gatehouse.asManager('/webhooks/chat-server')).body.data).toMatchObject({
      triggers: ['rule_changed'],
      description: 'Tells the moderators.',
    });
    await page.getByRole('button', { name: 'Change chat-server' }).click();
    await dialog().getByLabel('Tell it everything').check();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await hook.getByText('Hears everything').waitFor();
  });

  it('sets what a list never minds and which disguises it sees through, and the rules act by it at once', async () => {
    const verdictOf = async (text: string) =>
      (
        await gatehouse.asManager('/moderation/check', {
          body: { sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text } },
        })
      ).body.data.verdict;
    expect(await Promise.all(['butler', 'but1er', 'butler street'].map(verdictOf))).toEqual([
      'block',
      'block',
      'block',
    ]);
    await at('lists/spoilers');
    await page.getByRole('button', { name: 'Options' }).click();
    expect(await axeInBoth(page)).toEqual([]);
    await dialog().getByLabel('Never minded').fill('butler street');
    await dialog().getByLabel('Digits and signs for letters').uncheck();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Spoilers” is changed.').waitFor();
    expect(await Promise.all(['butler', 'but1er', 'butler street'].map(verdictOf))).toEqual([
      'block',
      'allow',
      'allow',
    ]);
    await page.getByText('4 entries').waitFor();
    expect((await gatehouse.asManager('/moderation/keywords/spoilers')).body.data).toMatchObject({
      allow: ['butler street'],
      fold: { leet: false },
      searchTerms: expect.arrayContaining(['butler']),
    });
  });

  it('does not write over what somebody else changed meanwhile', async () => {
    await at('lists/spoilers');
    await page.getByRole('button', { name: 'Options' }).click();
    await gatehouse.asManager('/moderation/keywords/spoilers/terms', { body: { searchTerms: ['the vicar'] } });
    await dialog().getByLabel('Name').fill('Mine');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').waitFor();
    const { body } = await gatehouse.asManager('/moderation/keywords/spoilers');
    expect(body.data).toMatchObject({ name: 'Spoilers', searchTerms: expect.arrayContaining(['the vicar']) });
  });

  it('keeps settings that are not saved yet when somebody else saves others', async () => {
    await at('settings/push');
    const mine = page.getByLabel('One on one, title', { exact: true });
    const theirs = page.getByLabel('Groups, title', { exact: true });
    await mine.fill('Not saved yet');
    const { title } = (await gatehouse.asApp('/v3/notifications/v1/settings')).body.data.templates.group;
    await gatehouse.asApp('/v3/notifications/v1/settings', {
      method: 'PATCH',
      body: { templates: { group: { title: `${title}!` } } },
    });
    // Another window was in front for a while: what is on the page is read again.
    await expect
      .poll(
        async () => {
          await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
          return theirs.inputValue();
        },
        { timeout: 20_000 },
      )
      .toBe(`${title}!`);
    expect(await mine.inputValue()).toBe('Not saved yet');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { templates } = (await gatehouse.asApp('/v3/notifications/v1/settings')).body.data;
    expect([templates.oneOnOne.title, templates.group.title]).toEqual(['Not saved yet', `${title}!`]);
    await page.getByRole('button', { name: 'Back to the defaults' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Back to the defaults' }).click();
    await expect.poll(() => theirs.inputValue()).toBe(title);
    expect(await mine.inputValue()).not.toBe('Not saved yet');
  });

  it('takes nothing that was typed for one app into another', async () => {
    const { body } = await gatehouse.ask('/apps', {
      headers: { key: gatehouse.key, secret: gatehouse.secret },
      body: { name: 'Another' },
    });
    const field = page.getByLabel('Address of your own moderation API');
    await at('settings/moderation');
    await field.waitFor();
    await page.getByLabel('App', { exact: true }).selectOption('Another');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Moderation' }).click();
    await field.fill('https://another.example.org/check');
    // Back to the same screen of the first app at once, as the browser's list of places offers it.
    const isFirst = new RegExp(`/${gatehouse.appId}/settings/moderation$`);
    expect(page.url()).toContain(body.data.id);
    await page.evaluate('history.go(-3)');
    await page.waitForURL(isFirst);
    await field.waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('sets the hours at which pushes are wanted as hours', async () => {
    await at('settings/push');
    await page.getByRole('button', { name: /^Show all/ }).click();
    const from = page.getByLabel('Sunday, pushes from');
    expect(await from.inputValue()).toBe('00:00');
    expect(await page.getByLabel('Sunday, pushes until').inputValue()).toBe('23:59');
    await from.fill('09:30');
    expect(await axeInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { data } = (await gatehouse.asApp('/v3/notifications/v1/settings')).body;
    expect(data.preferences.mute.schedulePreferenceSetting.sunday).toEqual({ from: 930, to: 2359, dnd: false });
  });

  it('keeps moderation settings that are not saved yet when others are read', async () => {
    await at('settings/moderation');
    await page.getByLabel('Earlier messages that it is shown').fill('7');
    await gatehouse.asManager('/moderation/settings', { method: 'PATCH', body: { onError: 'drop-message' } });
    await expect
      .poll(
        async () => {
          await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
          return page.getByLabel('does not answer').inputValue();
        },
        { timeout: 20_000 },
      )
      .toBe('drop-message');
    expect(await page.getByLabel('Earlier messages that it is shown').inputValue()).toBe('7');
  });

  it('keeps what is typed into the moderation settings while others are being saved', async () => {
    await gatehouse.asManager('/moderation/settings', { method: 'PATCH', body: { onError: 'drop-message' } });
    await at('settings/moderation');
    const onError = page.getByLabel('does not answer');
    const url = page.getByLabel('Address of your own moderation API');
    await onError.selectOption('approve-message');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/moderation/settings', async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await url.fill('https://moderation.example.org/check');
    release();
    await page.getByText('Saved.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    expect(await url.inputValue()).toBe('https://moderation.example.org/check');
    expect(await onError.inputValue()).toBe('approve-message');
    await page.unrouteAll();
  });

  it('did nothing that a page must not do', () => {
    expect(owner.wrongs).toEqual([]);
  });
});
