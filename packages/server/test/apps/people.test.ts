import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, createApp } from '../../src/apps/apps.ts';
import { createOwnerLink } from '../../src/apps/sign-in-links.ts';
import { type Answer, type Ask, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const password = 'a long enough password';

describe.each(stores)('people on %s', (store) => {
  let gatehouse: Gatehouse;
  let owner: Session;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
    const { token } = await gatehouse.app.store.change(createOwnerLink, { accountId: gatehouse.accountId });
    owner = await useLink(token, { email: 'Ada@Example.org', name: 'Ada' });
  });
  afterAll(() => gatehouse.close());

  type Session = (path: string, ask?: Ask) => Promise<Answer>;

  const own = () => ({ origin: gatehouse.url });

  function withCookie(cookie: string): Session {
    return (path, ask = {}) => gatehouse.ask(path, { ...ask, headers: { cookie, ...own(), ...ask.headers } });
  }

  function cookieOf(answer: Answer): string {
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  async function useLink(token: string, more: object = {}): Promise<Session> {
    const answer = await gatehouse.ask('/sign-in-links/redeem', { headers: own(), body: { token, password, ...more } });
    expect(answer.status).toBe(200);
    return withCookie(cookieOf(answer));
  }

  async function invite(email: string, role: string): Promise<Session> {
    const { body } = await owner('/people', { body: { email, name: email, role } });
    return useLink(body.data.token);
  }

  function signIn(email: string, word = password, headers: Record<string, string> = {}): Promise<Answer> {
    return gatehouse.ask('/session', { body: { email, password: word }, headers: { ...own(), ...headers } });
  }

  it('makes the first owner with a link that works once', async () => {
    const { token } = await gatehouse.app.store.change(createOwnerLink, { accountId: gatehouse.accountId });
    const second = await gatehouse.ask('/sign-in-links/redeem', {
      headers: own(),
      body: { token, password, email: 'eve@example.org' },
    });
    expect(second.status).toBe(404);
    expect(second.body.error.code).toBe('ERR_LINK_NOT_FOUND');
    expect((await owner('/session')).body.data).toMatchObject({ email: 'ada@example.org', name: 'Ada', role: 'owner' });
  });

  it('uses an invitation once, tells whom it is for, and not after it is replaced', async () => {
    const { body } = await owner('/people', { body: { email: 'once@example.org', name: 'Once', role: 'viewer' } });
    const read = () => gatehouse.ask('/sign-in-links/read', { headers: own(), body: { token: body.data.token } });
    expect((await read()).body.data).toMatchObject({ email: 'once@example.org', role: 'viewer' });
    const newer = await owner(`/people/${body.data.id}/links`, { method: 'POST' });
    expect((await read()).status).toBe(404);
    await useLink(newer.body.data.token);
    const again = await gatehouse.ask('/sign-in-links/redeem', {
      headers: own(),
      body: { token: newer.body.data.token, password },
    });
    expect(again.status).toBe(404);
  });

  it('answers 400 for a short password and 409 for an address that is taken, and the link still works', async () => {
    const { body } = await owner('/people', { body: { email: 'short@example.org', name: 'Short', role: 'viewer' } });
    const answer = await gatehouse.ask('/sign-in-links/redeem', {
      headers: own(),
      body: { token: body.data.token, password: 'short' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.password).toBeDefined();
    const taken = await owner('/people', { body: { email: 'SHORT@example.org', name: 'Two', role: 'viewer' } });
    expect(taken.status).toBe(409);
    await useLink(body.data.token);
  });

  it('signs in with e-mail and password, in any case of the address, and sets a cookie that scripts cannot read', async () => {
    const answer = await signIn('ADA@example.org');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^gatehouse=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    expect((await withCookie(cookieOf(answer))('/apps')).body.data[0].id).toBe(gatehouse.appId);
  });

  it('marks the cookie for https only behind a proxy that ends TLS', async () => {
    const answer = await signIn('ada@example.org', password, { 'x-forwarded-proto': 'https' });
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-gatehouse=.*; Secure$/);
  });

  it('answers 401 alike for a wrong password and for nobody, and never shows the password in the log', async () => {
    const wrong = await signIn('ada@example.org', 'wrong password');
    const nobody = await signIn('nobody@example.org', 'wrong password');
    expect([wrong.status, nobody.status]).toEqual([401, 401]);
    expect(wrong.body.error.code).toBe(nobody.body.error.code);
    expect(gatehouse.logs()).not.toContain('wrong password');
  });

  it('answers 429 with Retry-After after too many attempts, also with the right password', async () => {
    await invite('tried@example.org', 'viewer');
    const guesses = Array.from({ length: 10 }, () => signIn('tried@example.org', 'guess number one'));
    for (const guess of await Promise.all(guesses)) expect(guess.status).toBe(401);
    const answer = await signIn('tried@example.org');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn('ada@example.org')).status).toBe(200);
  });

  it('takes the address from a proxy that is trusted, and from nobody else', async () => {
    const seen = async (session: Session) =>
      (await session('/sessions')).body.data.map(({ address }: { address: string }) => address);
    const claim = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };
    const claimed = withCookie(cookieOf(await signIn('ada@example.org', password, claim)));
    expect(await seen(claimed)).not.toContain('203.0.113.7');

    const behind = await startGatehouse(store, { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    const { token } = await behind.app.store.change(createOwnerLink, { accountId: behind.accountId });
    const body = { token, password, email: 'ada@example.org', name: 'Ada' };
    const headers = { origin: behind.url, 'x-forwarded-for': '198.51.100.9, 203.0.113.7, 10.1.2.3' };
    const cookie = cookieOf(await behind.ask('/sign-in-links/redeem', { body, headers }));
    // The last one that no proxy of ours is: what stands before it anybody may have written.
    expect(await seen((path) => behind.ask(path, { headers: { cookie } }))).toEqual(['203.0.113.7']);

    // A proxy may pass on what is no address at all: it must not become a line or a field of the log.
    const forged = { origin: behind.url, 'x-forwarded-for': '1.2.3.4","actor":"person:root' };
    await behind.ask('/session', { body: { email: 'ada@example.org', password: 'not hers at all' }, headers: forged });
    const lines = behind.logs().trim().split('\n');
    for (const line of lines) expect(JSON.parse(line).actor).not.toBe('person:root');
    await behind.close();
  });

  it('answers 403 to changes that come from another origin or from none', async () => {
    const cookie = cookieOf(await signIn('ada@example.org'));
    const change = (headers: Record<string, string>) =>
      gatehouse.ask('/apps', { body: { name: 'Forged' }, headers: { cookie, ...headers } });
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site', origin: gatehouse.url },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await change(headers);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_ERR_FOREIGN_ORIGIN']);
    }
    expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const forged = await gatehouse.ask('/session', {
      body: { email: 'ada@example.org', password },
      headers: { origin: 'https://evil.example' },
    });
    expect(forged.status).toBe(403);
  });

  it('lets a viewer look and not touch, a moderator decide and not configure', async () => {
    const viewer = await invite('viewer@example.org', 'viewer');
    const moderator = await invite('moderator@example.org', 'moderator');
    const app = `/apps/${gatehouse.appId}`;
    const rule = {
      id: 'no-tea',
      name: 'No tea',
      conditions: [
        { id: 1, entity: 'message', operand: 'text', category: 'word', operator: 'contains', value: ['tea'] },
      ],
      action: ['blockMessage'],
    };
    expect((await owner(`${app}/moderation/rules`, { body: rule })).status).toBe(200);
    const message = { sender: 'ada', receiver: 'grace', receiverType: 'user', type: 'text', data: { text: 'tea' } };
    const judged = await gatehouse.asManager('/moderation/messages', { body: message });
    expect(judged.body.data.verdict).toBe('block');

    const roles = { viewer, moderator };
    const statuses = async (path: string, ask: Ask = {}) =>
      Promise.all(Object.values(roles).map(async (as) => (await as(path, ask)).status));
    expect(await statuses(`${app}/moderation/rules`)).toEqual([200, 200]);
    expect(await statuses(`${app}/moderation/blocked-messages`)).toEqual([200, 200]);
    expect(await statuses(`${app}/overview`)).toEqual([200, 200]);
    expect(await statuses(`${app}/moderation/check`, { body: message })).toEqual([200, 200]);
    expect(await statuses(`${app}/moderation/rules/no-tea`, { method: 'DELETE' })).toEqual([403, 403]);
    expect(await statuses('/people', { body: { email: 'x@example.org', name: 'X', role: 'owner' } })).toEqual([
      403, 403,
    ]);
    expect(await statuses(`${app}/users/ada/auth_tokens`)).toEqual([403, 403]);
    const decide = { method: 'PATCH', body: { status: 'approved' } };
    expect(await statuses(`${app}/moderation/blocked-messages/${judged.body.data.id}`, decide)).toEqual([403, 200]);
    const refused = await viewer(`${app}/moderation/rules/no-tea`, { method: 'DELETE' });
    expect(refused.body.error.code).toBe('AUTH_ERR_ROLE');
  });

  it('serves operations of the application host with the header appId, for apps of the own account only', async () => {
    const path = '/v3/notifications/push/v1/providers/apns';
    expect((await owner(path, { headers: { appId: gatehouse.appId } })).status).toBe(200);
    expect((await owner(path)).status).toBe(404);
    const actor = 'test';
    const other = await gatehouse.app.store.change(createAccount, { name: 'Other', actor });
    const foreign = await gatehouse.app.store.change(createApp, { accountId: other.id, name: 'Other', actor });
    expect((await owner(path, { headers: { appId: foreign.id } })).status).toBe(404);
    expect((await owner(`/apps/${foreign.id}/moderation/rules`)).status).toBe(404);
  });

  it('acts on a changed role at the next request, and keeps the last owner', async () => {
    const session = await invite('promoted@example.org', 'viewer');
    expect((await session('/apps', { body: { name: 'No' } })).status).toBe(403);
    const { body } = await owner('/people');
    const id = (email: string) => body.data.find((one: { email: string }) => one.email === email).id;
    const promoted = `/people/${id('promoted@example.org')}`;
    expect((await owner(promoted, { method: 'PATCH', body: { role: 'owner' } })).status).toBe(200);
    expect((await session('/apps', { body: { name: 'Yes' } })).status).toBe(200);
    expect((await owner(promoted, { method: 'PATCH', body: { role: 'viewer' } })).status).toBe(200);
    const ada = `/people/${id('ada@example.org')}`;
    for (const ask of [{ method: 'PATCH', body: { role: 'viewer' } }, { method: 'DELETE' }])
      expect((await owner(ada, ask)).body.error.code).toBe('ERR_LAST_OWNER');
    expect((await owner(promoted, { method: 'DELETE' })).status).toBe(200);
    expect((await session('/apps')).status).toBe(401);
  });

  it('signs out here, elsewhere and everywhere', async () => {
    const first = await invite('many@example.org', 'viewer');
    const second = withCookie(cookieOf(await signIn('many@example.org')));
    const third = withCookie(cookieOf(await signIn('many@example.org')));
    const { body } = await second('/sessions');
    expect(body.data).toHaveLength(3);
    expect(body.data.filter((one: { isThis: boolean }) => one.isThis)).toHaveLength(1);
    expect((await third('/session', { method: 'DELETE' })).headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await third('/session')).status).toBe(401);
    const foreign = (await owner('/session')).body.data.sessionId;
    expect((await first(`/sessions/${foreign}`, { method: 'DELETE' })).status).toBe(404);
    expect((await first('/session?everywhere=true', { method: 'DELETE' })).status).toBe(200);
    expect([(await first('/session')).status, (await second('/session')).status]).toEqual([401, 401]);
  });

  it('changes the own password for who knows it, and ends every other session', async () => {
    const first = await invite('changes@example.org', 'viewer');
    const second = withCookie(cookieOf(await signIn('changes@example.org')));
    const change = (currentPassword: string) =>
      first('/session/password', { method: 'PUT', body: { currentPassword, password: 'another long password' } });
    expect((await change('not my password')).body.error.details.currentPassword).toBeDefined();
    expect((await change(password)).status).toBe(200);
    expect([(await first('/session')).status, (await second('/session')).status]).toEqual([200, 401]);
    expect((await signIn('changes@example.org')).status).toBe(401);
    expect((await signIn('changes@example.org', 'another long password')).status).toBe(200);
  });

  it('lists who did what, page by page, with the name of the person', async () => {
    await owner(`/apps/${gatehouse.appId}/apikeys`, { body: { name: 'audited', scope: 'authOnly' } });
    const { body } = await owner(`/apps/${gatehouse.appId}/audit?action=createApiKey&limit=1`);
    expect(body.data[0]).toMatchObject({ action: 'createApiKey', actorName: 'Ada', after: { name: 'audited' } });
    expect(body.data[0].actor).toMatch(/^person:/);
    const next = await owner(
      `/apps/${gatehouse.appId}/audit?action=createApiKey&limit=1&cursor=${body.meta.next.cursor}`,
    );
    expect(next.body.data[0].id).not.toBe(body.data[0].id);
    const account = await owner('/audit?action=signIn');
    expect(account.body.data.length).toBeGreaterThan(0);
    expect(JSON.stringify(account.body)).not.toContain('scrypt');
  });

  it('keeps no password and no session token readable in the store', async () => {
    const people = await gatehouse.app.store.all<{ password: string }>('SELECT password FROM people');
    for (const row of people) if (row.password !== '') expect(row.password).toMatch(/^scrypt\$32768\$8\$3\$/);
    const cookie = cookieOf(await signIn('ada@example.org')).split('=')[1] ?? '';
    const found = await gatehouse.app.store.all('SELECT id FROM sessions WHERE token_hash = $1', [cookie]);
    expect([cookie.length, found.length]).toEqual([43, 0]);
  });
});
