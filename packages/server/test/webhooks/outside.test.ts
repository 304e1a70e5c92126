import { execFile } from 'node:child_process';
import dns, { type LookupAddress } from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeCertificates } from '@gatehouse/courier/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Outside } from '../../src/webhooks/outside.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';

const get = { method: 'GET', timeoutMs: 2000, answerBytesMax: 1000, allowHttp: true } as const;

/** Answers for every name, in turn; the last one for ever. */
function pretendDns(...answers: string[]): () => number {
  const real = dns.lookup;
  let asked = 0;
  const fake = (_: string, __: object, done: (error: null, addresses: LookupAddress[]) => void): void => {
    const address = answers[Math.min(asked++, answers.length - 1)] ?? '';
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  Object.assign(dns, { lookup: fake });
  syncBuiltinESMExports();
  restoreDns = () => {
    Object.assign(dns, { lookup: real });
    syncBuiltinESMExports();
  };
  return () => asked;
}
let restoreDns = (): void => {};

describe('requests to addresses that strangers chose', () => {
  let receiver: Receiver;
  /** Nothing is allowed by name. */
  let guarded: Outside;
  /** The receiver is. */
  let open: Outside;
  beforeAll(async () => {
    receiver = await startReceiver();
    guarded = new Outside([]);
    open = new Outside([receiver.host]);
  });
  afterAll(async () => {
    guarded.close();
    open.close();
    await receiver.close();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.behave(answer(200, 'ok'));
  });
  afterEach(() => {
    restoreDns();
    restoreDns = () => {};
    vi.restoreAllMocks();
  });
  const port = (): string => new URL(receiver.url).port;

  it('never reach a private address, in whatever way it is written', async () => {
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '0',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '[fe80::1]',
      '[fd00::1]',
      '127.0.0.1.',
    ];
    for (const host of hosts) {
      const asked = await guarded.ask({ ...get, url: `http://${host}:${port()}/` });
      expect([host, asked.kind]).toEqual([host, 'refused']);
    }
    expect(receiver.received).toEqual([]);
  });

  it('never reach a private address behind a name', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      pretendDns(address);
      const asked = await guarded.ask({ ...get, url: `http://innocent.example:${port()}/` });
      expect([address, asked.kind]).toEqual([address, 'refused']);
      restoreDns();
    }
    const local = await guarded.ask({ ...get, url: `http://localhost:${port()}/` });
    expect(local.kind).toBe('refused');
    expect(receiver.received).toEqual([]);
  });

  it('connect to the very address that was checked, though the name answers differently the next moment', async () => {
    const lookups = pretendDns('93.184.215.14', '127.0.0.1');
    const handed: unknown[] = [];
    // Shows the address to the test instead of connecting to it: tests talk to nobody outside.
    vi.spyOn(Agent.prototype as AgentInside, 'createConnection').mockImplementation((options, done) => {
      options.lookup?.('changing.example', { all: true }, (error, addresses) => {
        handed.push(error ?? addresses);
        done(error ?? new Error('not connected'));
      });
    });
    const first = await guarded.ask({ ...get, url: 'http://changing.example/' });
    expect(handed).toEqual([[{ address: '93.184.215.14', family: 4 }]]);
    expect(first.kind).toBe('failed');
    expect(lookups()).toBe(1);
    const second = await guarded.ask({ ...get, url: 'http://changing.example/' });
    expect(second).toMatchObject({ kind: 'refused', reason: 'Changing.example has no public address.' });
    expect(lookups()).toBe(2);
  });

  it('are not led to a private address by a redirect', async () => {
    const victim = await startReceiver();
    try {
      const { port: victimPort } = new URL(victim.url);
      for (const location of [
        victim.url,
        `http://2130706433:${victimPort}/`,
        `http://[::ffff:127.0.0.1]:${victimPort}/`,
        `http://localhost:${victimPort}/`,
        `//127.0.0.1:${victimPort}/`,
        'file:///etc/passwd',
        'http://user:word@127.0.0.1/',
        'http://[broken',
      ]) {
        receiver.behave(answer(302, '', { location }));
        const asked = await open.ask({ ...get, url: receiver.url, redirectsMax: 3 });
        expect([location, asked.kind]).toEqual([location, 'refused']);
      }
      expect(victim.received).toEqual([]);
    } finally {
      await victim.close();
    }
  });

  it('follow redirects to where they may go, and only so many', async () => {
    receiver.behave((request, response) =>
      request.path === '/end'
        ? answer(200, 'found')(request, response)
        : answer(307, '', { location: request.path === '/loop' ? '/loop' : '/end' })(request, response),
    );
    const found = await open.ask({ ...get, url: `${receiver.url}/start`, redirectsMax: 1 });
    expect(found.kind === 'answered' && found.body.toString()).toBe('found');
    const looped = await open.ask({ ...get, url: `${receiver.url}/loop`, redirectsMax: 3 });
    expect(looped).toMatchObject({ kind: 'refused', reason: 'Too many redirects.' });
    const unfollowed = await open.ask({ ...get, url: `${receiver.url}/start` });
    expect(unfollowed).toMatchObject({ kind: 'answered', status: 307 });
  });

  it('end in time when the other side trickles, and read no more than asked for', async () => {
    receiver.behave((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const slow = await open.ask({ ...get, url: receiver.url, timeoutMs: 200 });
    expect(slow).toMatchObject({ kind: 'failed', reason: 'No whole answer within 200 ms.' });
    receiver.behave((_, response) => {
      response.writeHead(200);
      const more = (): boolean => response.write('x'.repeat(65_536));
      response.on('drain', more);
      more();
    });
    const endless = await open.ask({ ...get, url: receiver.url });
    expect(endless).toMatchObject({ kind: 'answered', isCut: true });
    expect(endless.kind === 'answered' && endless.body.length).toBe(1000);
  });

  it('are answered by a status whose body stalls or is cut, where the status is enough', async () => {
    const ask = (isStatusEnough: boolean) => open.ask({ ...get, url: receiver.url, timeoutMs: 200, isStatusEnough });
    const ways = [(): void => {}, (response: ServerResponse): void => void response.destroy()];
    for (const end of ways) {
      receiver.behave((_, response) => {
        response.writeHead(202, { 'content-length': '100' });
        response.write('begun', () => end(response));
      });
      const asked = await ask(true);
      expect(asked).toMatchObject({ kind: 'answered', status: 202, isCut: true });
      expect(asked.kind === 'answered' && asked.body.toString()).toBe('begun');
      expect((await ask(false)).kind).toBe('failed');
    }
  });

  it('need a certificate that is trusted and made for the host', async () => {
    const { ca, cert, key } = makeCertificates(['hooks.test'], ['127.0.0.1']);
    const other = makeCertificates(['other.test'], ['127.0.0.2']);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ca-'));
    const trusted = join(folder, 'ca.pem');
    writeFileSync(trusted, `${ca}${other.ca}`);
    const [good, wrong] = [await startReceiver({ cert, key }), await startReceiver(other)];
    try {
      const untrusting = new Outside([good.host]);
      const asked = await untrusting.ask({ ...get, url: good.url });
      expect(asked).toMatchObject({ kind: 'failed', reason: expect.stringContaining('not trusted') });
      expect(good.received).toEqual([]);
      untrusting.close();
      expect(await askTrusting(trusted, good)).toMatchObject({ kind: 'answered', status: 200 });
      expect(good.received).toHaveLength(1);
      expect(await askTrusting(trusted, wrong)).toMatchObject({
        kind: 'failed',
        reason: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
      });
      expect(wrong.received).toEqual([]);
    } finally {
      await good.close();
      await wrong.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('are sent once more over a new connection when a kept one turns out closed', async () => {
    await open.ask({ ...get, url: receiver.url });
    receiver.behave((request, response) => {
      if (receiver.received.length === 2) response.socket?.destroy();
      else answer(200, 'again')(request, response);
    });
    const asked = await open.ask({ ...get, url: receiver.url });
    expect(asked.kind === 'answered' && asked.body.toString()).toBe('again');
    expect(receiver.received.length).toBe(3);
  });
});

/** In a process of its own: Node reads what else to trust when it starts. */
async function askTrusting(caFile: string, { url, host }: Receiver): Promise<unknown> {
  const built = new URL('../../dist/webhooks/outside.js', import.meta.url).href;
  const script = `import { Outside } from '${built}';
    const outside = new Outside(['${host}']);
    console.log(JSON.stringify(await outside.ask({ url: '${url}', method: 'GET', timeoutMs: 10_000, answerBytesMax: 1000 })));
    outside.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile },
  });
  return JSON.parse(stdout);
}

interface AgentInside {
  createConnection(
    options: {
      lookup?: (
        name: string,
        options: { all: true },
        done: (error: Error | null, addresses: LookupAddress[]) => void,
      ) => void;
    },
    done: (error: Error) => void,
  ): void;
}
