/**
 * The platform's own JavaScript SDK, unmodified, in a real browser, pointed at a Gatehouse by its own host settings. Not part of
 * npm test: it fetches the SDK from the registry (into .cache) and needs Chromium. Run it with: npm run test:sdk
 */
import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const version = process.env.SDK_VERSION ?? '4.2.0';
const root = join(import.meta.dirname, '../../../..');
const cache = join(root, '.cache', `sdk-${version}`);
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-'));
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const sdk = fetchSdk();
const service = await startService();
const proxy = await startProxy(service.port);
await ask(service, '/v3/notifications/push/v1/providers/fcm', fcmProvider());
try {
  const steps = await drive(proxy.port, service);
  for (const [name, result] of steps) console.log(`${name}: ${result}`);
  const failed = steps.filter(([, result]) => /^"?failed/i.test(result)).length;
  console.log(`${steps.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  proxy.close();
  service.stop();
  rmSync(scratch, { recursive: true, force: true });
}

function fetchSdk() {
  const file = join(cache, 'node_modules/@cometchat/chat-sdk-javascript/CometChat.js');
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    const args = [
      'install',
      '--prefix',
      cache,
      '--no-save',
      '--ignore-scripts',
      `@cometchat/chat-sdk-javascript@${version}`,
    ];
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return readFileSync(file);
}

async function startService() {
  const main = join(root, 'packages/server/dist/cli/main.js');
  const child = spawn(process.execPath, [main, 'serve', '--json', '--port', '0', '--data', join(scratch, 'data')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const first = JSON.parse(String(await new Promise((resolve) => child.stdout.once('data', resolve))));
  return { ...first, port: new URL(first.baseUrl).port, stop: () => child.kill() };
}

async function ask({ baseUrl, apiKeys }, path, body) {
  const headers = { apikey: apiKeys.fullAccess, 'content-type': 'application/json' };
  const response = await fetch(baseUrl + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await response.json()).data;
}

function fcmProvider() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const serviceAccountCreds = {
    project_id: 'chat-12345',
    client_email: 'push@chat-12345.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    private_key_id: 'a1b2c3',
  };
  return { providerId: 'fcm-main', serviceAccountCreds };
}

/** TLS before the service, as in production: the SDK speaks https only. */
async function startProxy(port) {
  const [key, cert] = [join(scratch, 'key.pem'), join(scratch, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '1',
      '-subj',
      '/CN=localhost',
    ],
    { stdio: 'ignore' },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, outgoing) => {
    if (incoming.url === '/sdk.js') return void outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(sdk);
    if (incoming.url === '/')
      return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<script src="/sdk.js"></script>');
    const onward = request(
      { port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port, close: () => server.close() };
}

/** The page is on another origin (localhost) than the API (127.0.0.1), as pages are. */
async function drive(port, { appId, authTokens }) {
  // Nothing may leave this machine: every name leads back to it.
  const rules = `MAP * 127.0.0.1, EXCLUDE localhost, EXCLUDE 127.0.0.1`;
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', `--host-resolver-rules=${rules}`],
  });
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`https://localhost:${port}/`);
    const steps = await page.evaluate(useSdk, {
      appId,
      host: `127.0.0.1:${port}/v3`,
      authToken: authTokens[0].authToken,
    });
    steps.push(await listed('the service lists the token of the page', true));
    steps.push([
      'logout',
      await page.evaluate(() =>
        globalThis.CometChat.logout().then(
          () => 'done',
          (error) => `FAILED ${error}`,
        ),
      ),
    ]);
    steps.push(await listed('the service has forgotten it', false));
    return steps;
  } finally {
    await browser.close();
  }
}

async function listed(name, isThere) {
  const { pushTokens } = await ask(service, '/v3/notifications/push/v1/tokens');
  return [name, pushTokens.some(({ pushToken }) => pushToken === 'page:APA91bExample') === isThere ? 'yes' : 'FAILED'];
}

/** Runs in the page. */
async function useSdk({ appId, host, authToken }) {
  const { CometChat, CometChatNotifications } = globalThis;
  const steps = [];
  const step = async (name, work) => {
    try {
      steps.push([name, JSON.stringify(await work())?.slice(0, 120) ?? 'done']);
    } catch (error) {
      steps.push([name, `FAILED ${JSON.stringify(error).slice(0, 300)}`]);
    }
  };
  const settings = new CometChat.AppSettingsBuilder()
    .setRegion('eu')
    .overrideAdminHost(host)
    .overrideClientHost(host)
    .autoEstablishSocketConnection(false)
    .build();
  const { FCM_WEB } = CometChatNotifications.PushPlatforms;
  await step('init', () => CometChat.init(appId, settings));
  await step('login with an auth token', () => CometChat.login(authToken));
  await step('unregisterPushToken', () => CometChatNotifications.unregisterPushToken());
  await step('fetchPreferences', () => CometChatNotifications.fetchPreferences());
  await step('updatePreferences', async () =>
    CometChatNotifications.updatePreferences(await CometChatNotifications.fetchPreferences()),
  );
  await step('updateTimezone', () => CometChatNotifications.updateTimezone('Europe/Paris'));
  await step('getTimezone', () => CometChatNotifications.getTimezone());
  const muted = new CometChatNotifications.MutedConversation();
  muted.setId('grace');
  muted.setType(CometChatNotifications.MutedConversationType.ONE_ON_ONE);
  muted.setUntil(Date.now() + 3_600_000);
  await step('muteConversations', () => CometChatNotifications.muteConversations([muted]));
  await step('unmuteConversations', () =>
    CometChatNotifications.unmuteConversations([{ id: 'grace', type: 'oneOnOne' }]),
  );
  await step('getMutedConversations', () => CometChatNotifications.getMutedConversations());
  await step('registerPushToken', () =>
    CometChatNotifications.registerPushToken('page:APA91bExample', FCM_WEB, 'fcm-main'),
  );
  return steps;
}
