import { setTimeout as sleep } from 'node:timers/promises';
import { type App, openApp } from '../app.ts';
import { firstAccount } from '../apps/apps.ts';
import { hasOwner } from '../apps/people.ts';
import { createOwnerLink } from '../apps/sign-in-links.ts';
import type { Config } from '../config.ts';
import { type Demo, seedAccount, seedDemo } from '../demo.ts';
import type { Store } from '../store/store.ts';
import { CliError } from './output.ts';
import type { ServeOptions } from './serve.ts';

/** How long requests and pushes under way may take to finish once nothing new comes. */
const stopMs = 10_000;

/** Runs until it is told to stop, and says how to reach it. */
export async function runService(config: Config, opening: Promise<Store>, options: ServeOptions): Promise<void> {
  const app = await openApp(config, { opening, isKeyLost: options.keyLost === true });
  await listen(app, config);
  stopOnSignal(app, config.settings.drainMs);
  // Only now: credentials that are made but never shown, because the port was taken, would be lost.
  const made = await firstStart(app, options.demo);
  const url = addressOf(app);
  const signInUrl = await ownerLink(app, url);
  if (options.json === true) process.stdout.write(`${JSON.stringify(summaryOf(made, url, config, signInUrl))}\n`);
  else
    process.stdout.write(
      (made === undefined ? againText(url) : firstText(made, url, config)) + dashboardText(url, signInUrl),
    );
}

type Made = Partial<Demo> & Pick<Demo, 'key' | 'secret'>;

/** An empty store gets its account, and the demo unless told not to; a store in use is left alone. */
async function firstStart({ store }: App, demo: boolean): Promise<Made | undefined> {
  if ((await firstAccount(store)) !== undefined) return undefined;
  return demo ? store.change(seedDemo, undefined) : store.change(seedAccount, undefined);
}

/** While nobody can sign in, every start makes a link for the first owner. The token is in the fragment, which no server logs. */
async function ownerLink({ store }: App, url: string): Promise<string | undefined> {
  const account = await firstAccount(store);
  if (account === undefined || (await hasOwner(store, account.id))) return undefined;
  const { token } = await store.change(createOwnerLink, { accountId: account.id });
  return `${url}/dashboard/welcome#${token}`;
}

function dashboardText(url: string, signInUrl: string | undefined): string {
  return signInUrl === undefined
    ? `Dashboard: ${url}/dashboard\n`
    : `
Open the dashboard and choose your password (this link works once, for a day):

  ${signInUrl}

`;
}

async function listen(app: App, { settings }: Config): Promise<void> {
  try {
    await app.server.listen({ port: settings.port, host: settings.host });
  } catch (error) {
    await app.close();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new CliError(`Port ${settings.port} is taken. Stop what uses it, or choose another: --port 8081`);
    }
    throw error;
  }
}

/** An address that a plain HTTP client on this machine reaches as it is. */
function addressOf(app: App): string {
  const address = app.server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const listening = typeof address === 'object' && address !== null ? address.address : '127.0.0.1';
  const host =
    listening === '0.0.0.0' || listening === '::'
      ? '127.0.0.1'
      : listening.includes(':')
        ? `[${listening}]`
        : listening;
  return `http://${host}:${port}`;
}

function summaryOf(made: Made | undefined, url: string, { settings }: Config, signInUrl: string | undefined) {
  const { appId, key, secret, apiKeys, authTokens } = made ?? {};
  const { domain, managementHost } = settings;
  const named = (host: string): string => `http://${host}:${new URL(url).port}`;
  return {
    mgmtUrl: managementHost === undefined ? url : named(managementHost),
    baseUrl: domain === undefined ? url : named(`${appId ?? '{appId}'}.api-${settings.region}.${domain}`),
    appId,
    region: settings.region,
    key,
    secret,
    apiKeys,
    authTokens,
    dashboardUrl: `${url}/dashboard`,
    signInUrl,
  };
}

function againText(url: string): string {
  return `Gatehouse is ready at ${url} (reference: ${url}/reference). Keys were shown on the first start; make new ones with: gatehouse key --help\n`;
}

function firstText(made: Made, url: string, { settings }: Config): string {
  const head = `
Gatehouse is ready.

  Service      ${url}
  Dashboard    ${url}/dashboard
  Reference    ${url}/reference

These credentials are shown once. Keep them.

  key          ${made.key}
  secret       ${made.secret}
`;
  if (made.appId === undefined || made.apiKeys === undefined) {
    return `${head}
Make your first app:

  curl -X POST ${url}/apps -H 'key: ${made.key}' -H 'secret: ${made.secret}' \\
    -H 'Content-Type: application/json' -d '{"name":"My app"}'
`;
  }
  const { appId, apiKeys, authTokens = [] } = made;
  const { domain, managementHost, region } = settings;
  const appHost = `${appId}.api-${region}.${domain ?? 'localhost'}`;
  // With host names of its own the service is asked by them, though nobody may know them yet but this machine.
  const atApp = domain === undefined ? '' : ` -H 'Host: ${appHost}'`;
  const atManagement = managementHost === undefined ? '' : ` -H 'Host: ${managementHost}'`;
  return `${head}  appId        ${appId}
  apikey       ${apiKeys.fullAccess}   (fullAccess)
  apikey       ${apiKeys.authOnly}   (authOnly)
${authTokens.map(({ uid, authToken }) => `  auth token   ${authToken}   (${uid})`).join('\n')}

Try it:

  # 1. List the moderation rules
  curl ${url}/apps/${appId}/moderation/rules${atManagement} -H 'key: ${made.key}' -H 'secret: ${made.secret}'

  # 2. List the push tokens of a user's device
  curl '${url}/v3/notifications/push/v1/tokens?authToken=${authTokens[0]?.authToken ?? ''}'${atApp} -H 'apikey: ${apiKeys.fullAccess}'

  # 3. Add an APNS provider (with a key made here; later your own .p8 file from Apple)
  node -e 'const {privateKey}=crypto.generateKeyPairSync("ec",{namedCurve:"P-256"});console.log(JSON.stringify({providerId:"apns-demo",keyId:"ABC123DEFG",teamId:"TEAM123456",bundleId:"org.example.chat",p8Key:privateKey.export({type:"pkcs8",format:"pem"})}))' | \\
  curl -X POST ${url}/v3/notifications/push/v1/providers/apns${atApp} -H 'apikey: ${apiKeys.fullAccess}' -H 'Content-Type: application/json' -d @-

The app's own host name works too: http://${appHost}:${new URL(url).port}
Stop with Ctrl-C; the next start keeps everything.
`;
}

/** Whoever watches is told first: a proxy that hears of it sends its requests elsewhere. Ctrl-C has nobody to tell. */
function stopOnSignal(app: App, drainMs: number): void {
  let stopping = false;
  const stop = async (waitMs: number): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), waitMs + stopMs).unref();
    app.retire();
    await sleep(waitMs);
    await app.close();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(drainMs));
}
