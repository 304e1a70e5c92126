import { createServer as createHttpServer } from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../src/clock.ts';
import { openTls } from '../src/h2/connect.ts';
import type { RequestSource, TransportEvents } from '../src/h2/transport.ts';
import { createApnsSender, guardedLookup } from '../src/index.ts';
import { openTransport } from '../src/open-transport.ts';
import { makeCertificates, seededRandom, startSimulator } from '../src/simulator/index.ts';
import { authorities } from '../src/trust.ts';
import { TOKEN } from './sim.ts';

const certificates = makeCertificates(['localhost'], ['127.0.0.1']);
let server: Http2SecureServer;
let port: number;
let sessions: Set<ServerHttp2Session>;
let seen: Map<string, string>;

beforeEach(async () => {
  sessions = new Set();
  seen = new Map();
  server = createSecureServer({ ...certificates, settings: { maxConcurrentStreams: 50 } });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const path = String(headers[':path']);
      seen.set(path, `${Buffer.concat(parts).toString()} ${headers['x-steady']} ${headers['x-own']}`);
      const kind = Number(path.slice(1)) % 5;
      if (kind === 0) stream.respond({ ':status': 200 }, { endStream: true });
      else if (kind === 1) {
        stream.respond({ ':status': 410, 'x-answer': 'long'.repeat(50) });
        stream.end('x'.repeat(30_000));
      } else if (kind === 2) {
        stream.additionalHeaders({ ':status': 103 });
        stream.respond({ ':status': 201, location: path }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'x-trailer': '1' }));
        stream.end('ok');
      } else if (kind === 3) stream.close(7);
      else stream.close(2);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterEach(async () => {
  for (const session of sessions) session.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** Sends `count` requests over a transport and tells how each ended. */
async function run(transport: 'lean' | 'node', count: number, bodyBytes: (call: number) => number): Promise<string[]> {
  const steady = {
    fields: [
      [':method', 'POST'] as const,
      [':scheme', 'https'] as const,
      [':authority', 'localhost'] as const,
      ['x-steady', 'same'] as const,
    ],
  };
  const source: RequestSource = {
    writeHead(call, sink) {
      sink.steady({ fields: steady.fields.slice(0, 3) });
      sink.text(':path', `/${call}`);
      sink.steady({ fields: steady.fields.slice(3) });
      sink.text('x-own', `own ${call}`);
    },
    bodyLength: bodyBytes,
    writeBody: (call, target, offset) => target.fill(0x61 + (call % 26), offset, offset + bodyBytes(call)),
  };
  return await new Promise((resolve, reject) => {
    const ended: string[] = [];
    let left = count;
    let next = 0;
    const end = (call: number, how: string): void => {
      if (ended[call] !== undefined) reject(new Error(`call ${call} ended twice`));
      ended[call] = how;
      left--;
      if (left === 0) open.then((connection) => connection.drain(), reject);
      else fill();
    };
    const fill = (): void =>
      void open.then((connection) => {
        while (next < count && connection.capacity() > 0) connection.request(next++);
      }, reject);
    const events: TransportEvents = {
      onReady: fill,
      onCapacity: fill,
      onAnswer: (call, answer) =>
        end(
          call,
          `${answer.status} ${answer.header('location') ?? ''}${answer.header('x-answer') ?? ''} ${answer.text()}`,
        ),
      onLost: (call, loss) => end(call, `${loss.processed} ${loss.reason}`),
      onDraining: () => undefined,
      onClosed: () => (left === 0 ? resolve(ended) : reject(new Error('closed early'))),
    };
    const origin = {
      host: 'localhost',
      port,
      authority: 'localhost',
      streamsMax: 1_000,
      ca: certificates.ca,
      transport,
    };
    const open = openTransport(origin, source, events, systemClock);
  });
}

describe('beside node:http2, against a node:http2 server', () => {
  test('every request ends the same, and the server saw the same', async () => {
    const random = seededRandom(7);
    const sizes = Array.from({ length: 400 }, () => Math.floor(random() ** 3 * 120_000));
    const bodyBytes = (call: number): number => sizes[call] ?? 0;
    const lean = await run('lean', 400, bodyBytes);
    const seenByLean = new Map(seen);
    seen.clear();
    const node = await run('node', 400, bodyBytes);
    expect(lean).toEqual(node);
    expect(seenByLean).toEqual(seen);
    expect(new Set(lean.map((how) => how.slice(0, 10))).size).toBeGreaterThan(4);
  });

  test('a shutdown of the server is seen by both: what was not taken is not processed', async () => {
    for (const transport of ['lean', 'node'] as const) {
      const losses: string[] = [];
      const source: RequestSource = {
        writeHead(call, sink) {
          sink.steady({
            fields: [
              [':method', 'POST'],
              [':scheme', 'https'],
              [':authority', 'localhost'],
            ],
          });
          sink.text(':path', `/${call * 5}`);
        },
        bodyLength: () => 2,
        writeBody: (_call, target, offset) => target.write('{}', offset),
      };
      const closed = new Promise<void>((resolve) => {
        const events: TransportEvents = {
          onReady: () => void open.then((connection) => connection.request(0)),
          onCapacity: () => undefined,
          onAnswer: () => {
            for (const session of sessions) if (!session.destroyed && !session.closed) session.goaway(0, 1);
            void open.then((connection) => setTimeout(() => connection.capacity() > 0 && connection.request(1), 50));
          },
          onLost: (_call, loss) => losses.push(loss.processed),
          onDraining: (reason) => {
            losses.push(reason.slice(0, 8));
            void open.then((connection) => connection.drain());
          },
          onClosed: () => resolve(),
        };
        const open = openTransport(
          { host: 'localhost', port, authority: 'localhost', streamsMax: 10, ca: certificates.ca, transport },
          source,
          events,
          systemClock,
        );
      });
      await closed;
      expect(losses).toEqual(['goaway 0']);
    }
  });
});

test('where addresses are guarded, a proxy is given the address that was checked, or is not asked at all', async () => {
  const asked: string[] = [];
  const proxy = createHttpServer();
  proxy.on('connect', (request, client: Socket) => {
    asked.push(request.url ?? '');
    client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, resolve));
  const address = proxy.address();
  const proxyPort = typeof address === 'object' && address !== null ? address.port : 0;
  const open = (lookup: LookupFunction): Promise<unknown> =>
    openTls({
      host: 'localhost',
      port: 443,
      timeoutMs: 5_000,
      protocols: ['h2'],
      proxy: `http://127.0.0.1:${proxyPort}`,
      lookup,
    });
  await expect(open(guardedLookup)).rejects.toThrow('localhost has no public address');
  expect(asked).toEqual([]);
  await expect(open((_host, _options, callback) => callback(null, '2606:4700::1111', 6))).rejects.toThrow('502');
  expect(asked).toEqual(['[2606:4700::1111]:443']);
  proxy.close();
});

test("authorities of one's own are trusted beside those everybody trusts, not instead", () => {
  const { ca } = makeCertificates(['localhost'], []);
  expect(authorities(ca)).toEqual([...rootCertificates, ca]);
  expect(authorities([ca, ca]).length).toBe(rootCertificates.length + 2);
});

test('a sender goes through a proxy by CONNECT, with its credentials', async () => {
  const simulator = await startSimulator();
  const asked: string[] = [];
  const tunnels = new Set<Socket>();
  const proxy = createHttpServer();
  proxy.on('connect', (request, client: Socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
    const upstream = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      tunnels.add(socket);
      socket.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, resolve));
  const address = proxy.address();
  const proxyPort = typeof address === 'object' && address !== null ? address.port : 0;
  const sender = createApnsSender({
    ...simulator.apns,
    production: false,
    ca: simulator.ca,
    proxy: `http://me:secret@127.0.0.1:${proxyPort}`,
  });
  expect((await sender.sendOne(TOKEN, { title: 'T' })).kind).toBe('sent');
  expect(asked).toEqual([`${simulator.apns.host} Basic ${Buffer.from('me:secret').toString('base64')}`]);
  await sender.close();
  for (const socket of tunnels) socket.destroy();
  proxy.close();
  await simulator.close();
});
