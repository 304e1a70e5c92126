import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../server/test/dashboard/browser.ts';
import { type Gatehouse, startGatehouse } from '../../server/test/gatehouse.ts';
import { startReceiver } from '../../server/test/receiver.ts';

/** The built client as it is, loaded by runtimes that are not Node. `runtimes/tour.js` is what they all do with it. */
const folder = join(import.meta.dirname, '..');
const toured = {
  listed: ['tour-1', 'tour-2', 'tour-3'],
  uploaded: 'tour-4',
  refused: [400, 'ERR_BAD_REQUEST'],
  exported: 'tour-1 é\r\n"a, b"\r\n',
  event: 'rule_changed',
  device: [true, true],
};

let gatehouse: Gatehouse;
let given: object;
beforeAll(async () => {
  gatehouse = await startGatehouse('sqlite');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ids = { providerId: 'apns-main', keyId: 'ABC123DEFG', teamId: 'TEAM123456', bundleId: 'org.example.chat' };
  const p8Key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await gatehouse.asApp('/v3/notifications/push/v1/providers/apns', { body: { ...ids, p8Key } });
});
afterAll(() => gatehouse.close());

/** Nothing left of the tour before, and a webhook signed by somebody else's package. */
async function whatTheTourNeeds(): Promise<Record<string, unknown>> {
  const { appId, url, fullAccess: apikey } = gatehouse;
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  const body = JSON.stringify({ trigger: 'rule_changed', data: {}, appId, region: 'eu', webhook: 'w' });
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  };
  for (const id of [...toured.listed, toured.uploaded])
    await gatehouse.asApp(`/v3/moderation/keywords/${id}`, { method: 'DELETE' });
  return { url, appId, apikey, authToken: await gatehouse.newUser('ada'), webhook: { secret, headers, body } };
}

describe('the built client', () => {
  it('imports nothing but its own files', () => {
    const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    const scripts = files.filter((name) => name.endsWith('.js'));
    const imported = scripts.flatMap((name) =>
      [
        ...readFileSync(join(folder, 'dist', name), 'utf8').matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)/g),
      ].map(([, target]) => target ?? ''),
    );
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((target) => !target.startsWith('.'))).toEqual([]);
  });
});

describe('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    given = await whatTheTourNeeds();
  });
  afterAll(() => browser.close());

  /** The files of the client and of the tour, as a site would serve them. */
  const fileAt = (path: string) =>
    path === '/'
      ? { type: 'text/html', text: '<!doctype html><title>A page</title>' }
      : { type: 'text/javascript', text: readFileSync(join(folder, path), 'utf8') };

  it('does everything on a page of the same origin', async () => {
    const page = await browser.newPage();
    const root = `${gatehouse.url}/a-page-of-ours`;
    await page.route(`${root}/**`, (route) => {
      const { type, text } = fileAt(new URL(route.request().url()).pathname.slice('/a-page-of-ours'.length));
      return route.fulfill({ contentType: type, body: text });
    });
    await page.goto(`${root}/`);
    const outcome = await page.evaluate(
      `(async () => {
        const client = await import('${root}/dist/index.js');
        const { tour } = await import('${root}/test/runtimes/tour.js');
        return tour(client, ${JSON.stringify(given)});
      })()`,
    );
    expect(outcome).toEqual(toured);
  });

  it('does what a device may on a page of another origin, and nothing with an API key there', async () => {
    const site = await startReceiver();
    site.behave(({ path }, response) => {
      if (extname(path) === '.ico') return void response.writeHead(404).end();
      const { type, text } = fileAt(path);
      response.writeHead(200, { 'content-type': type }).end(text);
    });
    const page = await browser.newPage();
    await page.goto(`${site.url}/`);
    const outcome = await page.evaluate(
      `(async () => {
        const client = await import('/dist/index.js');
        const { deviceTour } = await import('/test/runtimes/tour.js');
        const given = ${JSON.stringify(given)};
        const options = { url: given.url, credentials: { apikey: given.apikey }, retry: { retries: 0 } };
        const refused = await new client.GatehouseClient(options).listRules().catch((error) => error.name);
        return { device: await deviceTour(client, given), refused };
      })()`,
    );
    expect(outcome).toEqual({ device: [true, true], refused: 'GatehouseUnreachable' });
    await site.close();
  });
});

/** `npm run test:deno`: Deno comes as an npm package of 90 MB, so it is not installed with everything else. */
describe.runIf(process.env.DENO !== undefined)('in Deno', () => {
  it('does everything, with leave to reach the service and to read its own files only', async () => {
    const { host } = new URL(gatehouse.url);
    const args = ['--yes', 'deno@2', 'run', '--no-prompt', `--allow-net=${host}`, `--allow-read=${folder}`];
    const deno = spawn('npx', [...args, join(folder, 'test/runtimes/in-deno.js')], { cwd: folder });
    deno.stdin.end(JSON.stringify(await whatTheTourNeeds()));
    let said = '';
    let wrong = '';
    deno.stdout.on('data', (part: Buffer) => {
      said += part.toString();
    });
    deno.stderr.on('data', (part: Buffer) => {
      wrong += part.toString();
    });
    expect(await new Promise((resolve) => deno.once('close', resolve)), wrong).toBe(0);
    expect(JSON.parse(said)).toEqual(toured);
  });
});
