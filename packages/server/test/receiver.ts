/** Somebody's server, as it meets us: it keeps what it gets and answers as it is told, or not at all. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

export type Behaviour = (request: Received, response: ServerResponse) => void;

export interface Receiver {
  url: string;
  /** As GATEHOUSE_PRIVATE_HOSTS takes it. */
  host: string;
  received: Received[];
  /** How it answers from now on; 200 "ok" to begin with. */
  behave(behaviour: Behaviour): void;
  /** Resolves when it got so many requests in all. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** Speaks https with a certificate, plain http without. */
export async function startReceiver(tls?: { cert: string; key: string }): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let behaviour: Behaviour = answer(200, 'ok');
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    void read(request).then((whole) => {
      received.push(whole);
      for (const check of waiting) check();
      behaviour(whole, response);
    });
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${portOf(server)}`;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host}`,
    host,
    received,
    behave: (next) => {
      behaviour = next;
    },
    until: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString('utf8'),
    at: Date.now(),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver does not listen.');
  return address.port;
}
