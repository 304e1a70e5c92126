/** What a moderator sees of a message beside its words: the conversation around it, and what was attached to it. */
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { film, hasFfmpeg, png } from '../moderation/pictures.ts';
import { axeInBoth, becomeOwner, launchBrowser, newPage, type Watched } from './browser.ts';
import { say } from './seed.ts';

const rule = {
  id: 'no-tea',
  name: 'No tea',
  conditions: [{ entity: 'message', operand: 'text', category: 'word', operator: 'contains', value: ['tea'] }],
  action: ['blockMessage'],
};

describe('a message in Review', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let elsewhere: Server;
  let address: string;
  let asked: string[];
  let owner: Watched;
  let page: Page;
  beforeAll(async () => {
    asked = [];
    elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/classify') {
        request.resume().on('end', () => response.end('{"scores":{"Explicit Nudity":95.2,"Neutral":4}}'));
      } else if (request.url === '/scene.png') response.end(png(64, 48, [200, 30, 30]));
      else if (request.url === '/scene.webm') response.end(film(['red', 'blue'], 'webm'));
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    const at = elsewhere.address();
    address = `127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
    [gatehouse, browser] = await Promise.all([
      startGatehouse('sqlite', {
        GATEHOUSE_PRIVATE_HOSTS: address,
        GATEHOUSE_CLASSIFIER: 'http',
        GATEHOUSE_CLASSIFIER_URL: `http://${address}/classify`,
      }),
      launchBrowser(),
    ]);
    await gatehouse.asManager('/moderation/rules', { body: rule });
    owner = await newPage(browser, gatehouse.url, { expectFailures: ['review-attachments'] });
    page = owner.page;
    await becomeOwner(gatehouse, page);
  });
  afterAll(async () => {
    await browser?.close();
    await gatehouse?.close();
    elsewhere?.close();
  });

  const open = async (sender: string, on = page, of = gatehouse) => {
    await on.goto(`${of.url}/dashboard/${of.appId}/review/blocked?sender=${sender}`);
    await on.getByRole('heading', { name: `Message of ${sender}` }).waitFor();
  };

  it('stands in its conversation: who said what before and after it, and what became of that', async () => {
    const pair = { receiver: 'grace', receiverType: 'user' };
    const back = { sender: 'grace', receiver: 'ada', receiverType: 'user' };
    for (let i = 0; i < 12; i++) await say(gatehouse, `small talk ${i}`, { ...pair, sender: 'ada', id: `a-${i + 10}` });
    await say(gatehouse, 'Would you like something?', { ...back, id: 'b-1' });
    await say(gatehouse, 'more tea', { ...pair, sender: 'ada', id: 'c-1' });
    await say(gatehouse, 'tea for everybody', { ...pair, sender: 'ada', id: 'd-1' });
    await say(gatehouse, 'Coffee then', { ...back, id: 'e-1' });
    await say(gatehouse, 'not for your eyes', { ...pair, sender: 'linus' });
    await open('ada');
    await page.getByRole('button', { name: 'Show the conversation around it' }).click();
    const conversation = page.getByRole('region', { name: 'The conversation' });
    const said = conversation.getByRole('listitem');
    await conversation.getByText('Coffee then').waitFor();
    await conversation.getByText('kept for 24 hours').waitFor();
    const lines = await said.allInnerTexts();
    // One to show earlier ones, ten before, the message itself, one after.
    expect(lines).toHaveLength(13);
    expect(lines.at(-4)).toMatch(/grace.*Would you like something\?/s);
    expect(lines.at(-3)).toMatch(/ada.*Blocked.*more tea/is);
    expect(lines.at(-2)).toBe('This message');
    expect(lines.join(' ')).not.toContain('not for your eyes');
    expect(await axeInBoth(page)).toEqual([]);
    await conversation.getByRole('button', { name: 'Show earlier ones' }).click();
    await conversation.getByText('small talk 0').waitFor();
    expect(await said.count()).toBe(16);
  });

  it('says so where messages that were let through are not kept, and who can change that', async () => {
    const other = await startGatehouse('sqlite', { GATEHOUSE_APPROVED_HOURS: '0' });
    await other.asManager('/moderation/rules', { body: rule });
    for (const text of ['hello', 'tea']) await say(other, text, { sender: 'ada' });
    const theirs = await newPage(browser, other.url);
    await becomeOwner(other, theirs.page);
    await open('ada', theirs.page, other);
    await theirs.page.getByRole('button', { name: 'Show the conversation around it' }).click();
    await theirs.page.getByText('are not kept on this server').waitFor();
    await theirs.page.getByText('GATEHOUSE_APPROVED_HOURS').waitFor();
    await theirs.page.getByText('Nothing else of the conversation is kept.').waitFor();
    expect(theirs.wrongs).toEqual([]);
    await theirs.context.close();
    await other.close();
  });

  const attach = (sender: string, name: string, mimeType: string) =>
    say(gatehouse, 'tea', {
      sender,
      data: { text: 'tea', attachments: [{ url: `http://${address}/${name}`, name, mimeType }] },
    });

  it('has its picture fetched only when asked for, then blurred and grey, then clear', async () => {
    await attach('painter', 'scene.png', 'image/png');
    await open('painter');
    await page.getByRole('button', { name: 'Load it, blurred' }).waitFor();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Load it, blurred' }).click();
    const picture = page.getByRole('img', { name: 'scene.png' });
    await picture.waitFor();
    const look = () =>
      picture.evaluate((one) => [getComputedStyle(one).filter, 'naturalWidth' in one && one.naturalWidth]);
    await expect.poll(look).toEqual(['blur(24px) grayscale(1)', 64]);
    expect(await axeInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show it clearly' }).click();
    await expect.poll(look).toEqual(['none', 64]);
    await page.getByRole('button', { name: 'Blur it again' }).click();
    await expect.poll(look).toEqual(['blur(24px) grayscale(1)', 64]);
    expect(asked).toEqual(['/scene.png']);
  });

  it.skipIf(!hasFfmpeg)(
    'has its film shown the same way, whatever it calls itself, and played only when clear',
    async () => {
      asked.length = 0;
      await attach('director', 'scene.webm', 'image/jpeg');
      await open('director');
      await page.getByRole('button', { name: 'Load it, blurred' }).click();
      const shown = page.locator('video');
      await shown.waitFor();
      const look = () =>
        shown.evaluate((one) =>
          one instanceof HTMLVideoElement
            ? [getComputedStyle(one).filter, one.controls, one.paused, one.videoWidth]
            : [],
        );
      await expect.poll(look).toEqual(['blur(24px) grayscale(1)', false, true, 64]);
      expect(await axeInBoth(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show it clearly' }).click();
      await expect.poll(look).toEqual(['none', true, true, 64]);
      await shown.evaluate((one) => (one instanceof HTMLVideoElement ? one.play() : undefined));
      await page.getByRole('button', { name: 'Blur it again' }).click();
      await expect.poll(look).toEqual(['blur(24px) grayscale(1)', false, true, 64]);
      expect(asked).toEqual(['/scene.webm']);
    },
  );

  it('says so when what was attached cannot be fetched, and plays no sound', async () => {
    await attach('nobody', 'gone.png', 'image/png');
    await open('nobody');
    await page.getByRole('button', { name: 'Load it, blurred' }).click();
    await page.getByText('It could not be fetched').waitFor();
    await attach('singer', 'song.mp3', 'audio/mpeg');
    await open('singer');
    await page.getByText('Sound is not played here.').waitFor();
    expect(await page.getByRole('button', { name: 'Load it, blurred' }).count()).toBe(0);
  });

  it('says what was seen in it and in which attachment, and what could not be judged', async () => {
    const conditions = [{ operand: 'image', category: 'word', value: ['AnyOf_greaterThan_30'] }];
    await gatehouse.asManager('/moderation/rules', {
      body: { id: 'pictures', name: 'Pictures', action: ['blockMessage'], conditions },
    });
    const attachments = ['gone.png', 'scene.png'].map((name) => ({
      url: `http://${address}/${name}`,
      mimeType: 'image/png',
      ...(name === 'scene.png' && { name }),
    }));
    await say(gatehouse, 'look', { sender: 'curious', data: { attachments } });
    await open('curious');
    await page.getByText('Explicit Nudity (95 of 100) in scene.png').waitFor();
    await page.getByText('A picture: The attachment could not be fetched: its host answered 404.').waitFor();
    expect(await axeInBoth(page)).toEqual([]);
    await gatehouse.asManager('/moderation/settings', { method: 'PATCH', body: { onError: 'drop-message' } });
    await say(gatehouse, 'look', { sender: 'hidden', data: { attachments: attachments.slice(0, 1) } });
    await open('hidden');
    await page.getByText('This message was dropped').waitFor();
    await page.getByText('A picture: The attachment could not be fetched').waitFor();
  });

  it('asked nobody but its own server for any of this', () => {
    expect(owner.wrongs).toEqual([]);
  });
});
