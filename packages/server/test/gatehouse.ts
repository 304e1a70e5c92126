/** A whole Gatehouse for a test: a real server on a real port over a real store, with an account, an app and its keys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type App, openApp } from '../src/app.ts';
import { createApiKey } from '../src/apps/api-keys.ts';
import { createAccount, createApp } from '../src/apps/apps.ts';
import { createAuthToken } from '../src/apps/auth-tokens.ts';
import { createKeyPair } from '../src/apps/key-pairs.ts';
import { readConfig } from '../src/config.ts';
import { createDatabase } from './postgres-cluster.ts';

/** `STORES=sqlite npm test` runs one of them; by default every test runs on both. */
export const stores = (process.env.STORES?.split(',') ?? ['sqlite', 'postgres']) as ('sqlite' | 'postgres')[];

/** Answers are read as a caller reads them: as JSON of any shape, compared by the assertions. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what came over the wire; its assertions are the types.
type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
  text: string;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON, anything else as it is. */
  body?: unknown;
}

export interface Tenant {
  appId: string;
  fullAccess: string;
  authOnly: string;
}

export interface Gatehouse extends Tenant {
  app: App;
  url: string;
  accountId: string;
  key: string;
  secret: string;
  /** With no credentials at all. */
  ask(path: string, ask?: Ask): Promise<Answer>;
  /** On the application host, with the fullAccess key. */
  asApp(path: string, ask?: Ask): Promise<Answer>;
  /** On the management host, with key and secret; the path is below /apps/{appId}. */
  asManager(path: string, ask?: Ask): Promise<Answer>;
  newApp(): Promise<Tenant>;
  newUser(uid: string): Promise<string>;
  /** Everything logged so far. */
  logs(): string;
  close(): Promise<void>;
}

export async function startGatehouse(
  store: 'sqlite' | 'postgres',
  environment: Record<string, string> = {},
): Promise<Gatehouse> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const database = store === 'postgres' ? await createDatabase(inject('clusterUrl')) : undefined;
  const lines: string[] = [];
  const config = readConfig({
    GATEHOUSE_DATA: folder,
    GATEHOUSE_PORT: '0',
    ...(database && { DATABASE_URL: database.url }),
    ...environment,
  });
  const app = await openApp(config, { logTo: { write: (line) => void lines.push(line) } });
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  const actor = 'test';
  const { id: accountId } = await app.store.change(createAccount, { name: 'Test', actor });
  const newApp = async (): Promise<Tenant> => {
    const { id: appId } = await app.store.change(createApp, { accountId, name: 'Test', actor });
    const fullAccess = await app.store.change(createApiKey, { appId, name: 'full', scope: 'fullAccess', actor });
    const authOnly = await app.store.change(createApiKey, { appId, name: 'auth', scope: 'authOnly', actor });
    return { appId, fullAccess: fullAccess.apiKey, authOnly: authOnly.apiKey };
  };
  const tenant = await newApp();
  const { key, secret } = await app.store.change(createKeyPair, { accountId, name: 'test', actor });
  const ask = (path: string, options: Ask = {}): Promise<Answer> => send(url + path, options);

  return {
    ...tenant,
    app,
    url,
    accountId,
    key,
    secret,
    ask,
    newApp,
    asApp: (path, options = {}) =>
      ask(path, { ...options, headers: { apikey: tenant.fullAccess, ...options.headers } }),
    asManager: (path, options = {}) =>
      ask(`/apps/${tenant.appId}${path}`, { ...options, headers: { key, secret, ...options.headers } }),
    newUser: async (uid) => (await app.store.change(createAuthToken, { appId: tenant.appId, uid, actor })).authToken,
    logs: () => lines.join(''),
    close: async () => {
      await app.close();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function send(url: string, { method, headers = {}, body }: Ask): Promise<Answer> {
  const isJson =
    body !== undefined &&
    (body === null || (typeof body === 'object' && !(body instanceof FormData) && !(body instanceof Uint8Array)));
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined,
  };
}
