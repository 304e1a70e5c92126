import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gatehouse, inTerminal, type Ran, type RunOptions } from './cli-run.ts';
import { type Gatehouse, startGatehouse } from './gatehouse.ts';
import { answer, startReceiver } from './receiver.ts';

let service: Gatehouse;
let run: RunOptions & { env: Record<string, string> };
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
beforeAll(async () => {
  service = await startGatehouse('sqlite');
  run = { env: { GATEHOUSE_URL: service.url, GATEHOUSE_API_KEY: service.fullAccess } };
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const json = async (args: readonly string[], options: RunOptions = run) =>
  JSON.parse((await gatehouse([...args, '--json'], options)).stdout);
const rule = {
  id: 'no-spam',
  name: 'No spam',
  conditions: [{ operand: 'text', category: 'word', value: 'spam' }],
  action: ['blockMessage'],
};

describe('commands on a running service', () => {
  it('ask for a key, from a file, standard input or the environment', async () => {
    const without = await gatehouse(['rules', 'list'], { env: { GATEHOUSE_URL: service.url } });
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toContain('GATEHOUSE_API_KEY');
    const file = join(folder, 'first-start.json');
    writeFileSync(file, JSON.stringify({ baseUrl: service.url, apiKeys: { fullAccess: service.fullAccess } }));
    expect(await json(['rules', 'list', '--api-key-file', file], {})).not.toHaveLength(0);
    const piped = { env: { GATEHOUSE_URL: service.url }, input: `${service.fullAccess}\n` };
    expect(await json(['rules', 'list', '--api-key-file', '-'], piped)).not.toHaveLength(0);
  });

  it('say what to do when nobody answers, and pass on what the service says', async () => {
    const nobody = await gatehouse(['rules', 'list', '--url', 'http://127.0.0.1:9'], run);
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain('gatehouse serve');
    const wrong = await gatehouse(['rules', 'list'], { env: { ...run.env, GATEHOUSE_API_KEY: 'nonsense' } });
    expect(wrong.stderr).toContain('not known');
    expect(wrong.stderr).not.toContain('at ');
    expect(wrong.stderr).not.toContain('nonsense');
  });
});

describe('gatehouse rules', () => {
  it('makes a rule from standard input, shows it, switches it off and on', async () => {
    const made = await gatehouse(['rules', 'apply', '-'], { ...run, input: JSON.stringify(rule) });
    expect(made).toMatchObject({ code: 0, stdout: '+ rule no-spam\n' });
    const again = await gatehouse(['rules', 'apply', '-'], { ...run, input: JSON.stringify([rule]) });
    expect(again.stdout).toBe('No changes.\n');
    const got = JSON.parse((await gatehouse(['rules', 'get', 'no-spam'], run)).stdout);
    expect(got).toMatchObject({ id: 'no-spam', enabled: true, conditions: [{ value: ['spam'] }] });
    expect((await gatehouse(['rules', 'disable', 'no-spam'], run)).code).toBe(0);
    const listed: { id: string; state: string }[] = await json(['rules', 'list']);
    expect(listed.find(({ id }) => id === 'no-spam')).toMatchObject({ state: 'off', action: ['blockMessage'] });
    expect((await gatehouse(['rules', 'enable', 'no-spam'], run)).stdout).toContain('enabled: true');
  });

  it('replaces a built-in rule with what the file says', async () => {
    const { stdout } = await gatehouse(['rules', 'get', 'profanity-filter'], run);
    const changed = JSON.stringify({ ...JSON.parse(stdout), enabled: false });
    const applied = await gatehouse(['rules', 'apply', '-'], { ...run, input: changed });
    expect(applied.stdout).toBe('~ rule profanity-filter: enabled true -> false\n');
  });

  it('names the field that the service refuses', async () => {
    const ran = await gatehouse(['rules', 'apply', '-'], {
      ...run,
      input: JSON.stringify({ ...rule, id: 'x', action: ['explode'] }),
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('action');
  });
});

describe('gatehouse export, diff and apply', () => {
  it('keeps the policy in files and brings it to another app', async () => {
    const policy = join(folder, 'policy');
    await service.asApp('/v3/moderation/keywords', { body: { id: 'tricks', name: 'Tricks', searchTerms: ['b', 'a'] } });
    const uses = {
      ...rule,
      id: 'no-tricks',
      conditions: [{ ...rule.conditions[0], value: ['tricks'], isKeywordsReferencePresent: true }],
    };
    await gatehouse(['rules', 'apply', '-'], { ...run, input: JSON.stringify(uses) });
    expect((await gatehouse(['export', policy], run)).code).toBe(0);
    expect((await gatehouse(['diff', policy], run)).stdout).toBe('No changes.\n');

    const { fullAccess } = await service.newApp();
    const other = { env: { ...run.env, GATEHOUSE_API_KEY: fullAccess } };
    const diff = await gatehouse(['diff', policy], other);
    expect(diff.code).toBe(1);
    expect(diff.stdout.split('\n')).toEqual([
      '+ list tricks',
      '+ rule no-spam',
      '+ rule no-tricks',
      '~ rule profanity-filter: enabled true -> false',
      '',
    ]);
    expect((await gatehouse(['apply', policy], other)).stdout).toBe(diff.stdout);
    expect(await gatehouse(['diff', policy], other)).toMatchObject({ code: 0, stdout: 'No changes.\n' });
  });

  it('deletes what the folder does not have only when told to prune', async () => {
    const policy = join(folder, 'policy');
    rmSync(join(policy, 'rules', 'no-spam.json'));
    writeFileSync(
      join(policy, 'lists', 'tricks.json'),
      JSON.stringify({ name: 'Tricks', searchTerms: ['a', 'c', 'd'] }),
    );
    expect((await gatehouse(['diff', policy], run)).stdout).toBe('~ list tricks: terms +2 -1\n');
    const pruned = await gatehouse(['apply', policy, '--prune'], run);
    expect(pruned.stdout).toBe('~ list tricks: terms +2 -1\n- rule no-spam\n');
    expect((await gatehouse(['rules', 'get', 'no-spam'], run)).code).toBe(1);
  });

  it('keeps the settings of moderation and of notifications beside the rules', async () => {
    const file = join(folder, 'policy', 'settings', 'moderation.json');
    expect(existsSync(join(folder, 'policy', 'settings', 'notifications.json'))).toBe(true);
    writeFileSync(file, JSON.stringify({ onError: 'drop-message', customApi: null }));
    const said = '~ settings moderation: onError "approve-message" -> "drop-message"\n';
    expect((await gatehouse(['apply', join(folder, 'policy')], run)).stdout).toBe(said);
    expect((await service.asApp('/v3/moderation/settings')).body.data.onError).toBe('drop-message');
  });

  it('says which file is wrong', async () => {
    writeFileSync(join(folder, 'policy', 'rules', 'broken.json'), '{');
    const ran = await gatehouse(['diff', join(folder, 'policy')], run);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('broken.json is not JSON');
    rmSync(join(folder, 'policy', 'rules', 'broken.json'));
  });
});

describe('gatehouse providers, tokens and send', () => {
  it('adds a provider with its key from a file, and never prints the key', async () => {
    const p8 = join(folder, 'AuthKey_ABC123DEFG.p8');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    writeFileSync(p8, pem);
    const body = { providerId: 'apns-main', keyId: 'ABC123DEFG', teamId: 'TEAM123456', bundleId: 'org.example.chat' };
    const input = { ...run, input: JSON.stringify(body) };
    const ran = await gatehouse(['providers', 'add', 'apns', '-', '--p8', p8], input);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).not.toContain(pem.split('\n')[1]);
    expect(await json(['providers', 'list'])).toMatchObject([{ kind: 'apns', providerId: 'apns-main', state: 'on' }]);
    expect((await gatehouse(['providers', 'default', 'apns', 'apns-main'], run)).code).toBe(0);
  });

  it('lists and deletes the tokens of a user', async () => {
    const authToken = await service.newUser('ada');
    const deviceToken = 'ab'.repeat(32);
    await service.ask('/v3/notifications/push/v1/tokens', {
      headers: { authToken, appId: service.appId },
      body: { platform: 'apns_ios_device', deviceToken, providerId: 'apns-main' },
    });
    const { stdout } = await gatehouse(['tokens', 'list', '--uid', 'ada', '--json'], run);
    expect(JSON.parse(stdout)).toMatchObject({ uid: 'ada', pushToken: deviceToken });
    const dry = await json(['send', '--uid', 'ada', '--title', 'Hi', '--dry-run']);
    expect(JSON.stringify(dry)).toContain('1');
    expect((await gatehouse(['tokens', 'delete', deviceToken], run)).code).toBe(0);
    expect((await gatehouse(['tokens', 'list', '--uid', 'ada'], run)).stdout).toBe('(none)\n');
  });

  it('lists more tokens than fit on a stack, in columns', async () => {
    const receiver = await startReceiver();
    const pages = 160;
    receiver.behave((request, response) => {
      const page = Number(new URL(request.path, receiver.url).searchParams.get('cursor') ?? 0);
      const pushTokens = Array.from({ length: 1000 }, (_, i) => ({ uid: `user-${page}-${i}`, pushToken: 'ab' }));
      const meta = page + 1 < pages ? { next: { cursor: String(page + 1) } } : {};
      const body = JSON.stringify({ data: { pushTokens }, meta });
      answer(200, body, { 'content-type': 'application/json' })(request, response);
    });
    const env = { GATEHOUSE_URL: receiver.url, GATEHOUSE_API_KEY: 'key' };
    const { code, stdout, stderr } = await gatehouse(['tokens', 'list'], { env });
    await receiver.close();
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(pages * 1000 + 1);
    expect(lines[0]).toMatch(/^uid +platform +providerId +pushToken +updatedAt$/);
    expect(lines.at(-1)).toMatch(/^user-159-999 +ab$/);
  });

  it('waits for a notification to nobody and says that it is finished', async () => {
    expect(await json(['send', '--uid', 'nobody', '--title', 'Hi', '--wait'])).toMatchObject({
      state: 'finished',
      sent: 0,
    });
    expect((await gatehouse(['send', '--title', 'Hi'], run)).stderr).toContain('--uid');
  });
});

describe('gatehouse tail', () => {
  it('shows a decision when it falls, without letting the text steer the terminal', async () => {
    const watching = inTerminal(['tail', '--interval', '0.2', '--count', '1'], run);
    const judge = async () => {
      const body = { sender: 'ada', receiver: 'bob', receiverType: 'user', data: { text: 'hello \u001b[2J there' } };
      await service.asApp('/v3/moderation/messages', { body });
    };
    const timer = setInterval(() => void judge(), 300);
    const seen = await watching;
    clearInterval(timer);
    expect(seen.code).toBe(0);
    expect(seen.stdout).toMatch(/approved +ada -> bob {2}hello \[2J there/);
    expect(seen.stdout).not.toContain('\u001b');
  });
});

describe('gatehouse tail on webhooks', () => {
  it('shows each try with the endpoint, the event and the answer, for people and for scripts', async () => {
    const receiver = await startReceiver();
    const failing = answer(503, 'try \u001b[2J later');
    receiver.behave((request, response) => (receiver.received.length > 1 ? answer(200) : failing)(request, response));
    const watched = await startGatehouse('sqlite', {
      GATEHOUSE_PRIVATE_HOSTS: receiver.host,
      GATEHOUSE_WEBHOOK_RETRY_MS: '1000',
    });
    const env = { env: { GATEHOUSE_URL: watched.url, GATEHOUSE_API_KEY: watched.fullAccess } };
    const triggers = ['list_changed'];
    await watched.asApp('/v3/webhooks', { body: { id: 'audit-trail', url: receiver.url, triggers } });
    const looks = (): number => watched.logs().match(/"method":"GET","route":"\/v3\/webhooks"/g)?.length ?? 0;
    const seenBy = async (
      tail: (args: string[], options: RunOptions) => Promise<Ran>,
      id: string,
      ...more: string[]
    ) => {
      receiver.received.length = 0;
      const before = looks();
      const seen = tail(['tail', '--interval', '0.1', '--count', '2', ...more], env);
      // What is there when it begins is not news: it must have looked around first.
      await vi.waitFor(() => expect(looks()).toBeGreaterThan(before + 1), 30_000);
      await watched.asApp('/v3/moderation/keywords', { body: { id, searchTerms: ['a'] } });
      return (await seen).stdout;
    };
    const forPeople = await seenBy(inTerminal, 'some-words');
    expect(forPeople).toMatch(/undelivered {2}audit-trail {2}list_changed try 1: 503 try \[2J later \(\d+ ms\)/);
    expect(forPeople).toMatch(/ delivered {4}audit-trail {2}list_changed try 2: 200 \(\d+ ms\)/);
    expect(forPeople).not.toContain('\u001b');
    const forScripts = await seenBy(gatehouse, 'more-words', '--json');
    expect(
      forScripts
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { kind: 'webhook', endpoint: 'audit-trail', event: 'list_changed', attempt: 1, status: 503 },
      { kind: 'webhook', endpoint: 'audit-trail', event: 'list_changed', attempt: 2, status: 200 },
    ]);
    await watched.close();
    await receiver.close();
  });
});

describe('help', () => {
  it('shows examples before everything else, for every command there is', async () => {
    const { stdout } = await gatehouse(['--help']);
    const names = [...(stdout.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(24);
    for (const name of names.filter((one) => one !== 'help')) {
      const help = await gatehouse([name, '--help']);
      expect(help.stdout.startsWith('Examples:\n'), name).toBe(true);
    }
  });

  it('lists the benchmarks', async () => {
    const benches: { name: string }[] = await json(['bench']);
    expect(benches.map(({ name }) => name)).toContain('judge');
  });
});
