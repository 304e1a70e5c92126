import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Certificates } from './certificates.ts';
import type { FcmRules } from './fcm-rules.ts';

/** A list of some hundred thousand ids fits. */
const BODY_BYTES_MAX = 16_777_216;

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > BODY_BYTES_MAX) throw new Error('too large');
  }
  return text;
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

function running(server: Server, port: number): Running {
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The token endpoint of the simulated Google. */
export async function startOAuth(certificates: Certificates, rules: FcmRules, port: number): Promise<Running> {
  const server = createHttpsServer({ cert: certificates.cert, key: certificates.key }, (request, response) => {
    if (request.method !== 'POST' || request.url !== '/token') return reply(response, 404, { error: 'not_found' });
    readBody(request).then(
      (text) => {
        const { status, body } = rules.grant(new URLSearchParams(text));
        reply(response, status, body);
      },
      () => reply(response, 400, { error: 'invalid_request' }),
    );
  });
  return running(server, await listen(server, port));
}

/** Handlers by `METHOD /path`; each gets the parsed body and answers what to send. */
export type ControlRoutes = Readonly<Record<string, (body: unknown) => unknown>>;

/** The small HTTP API that changes faults and reads records while the simulator runs. */
export async function startControl(routes: ControlRoutes, port: number): Promise<Running> {
  const server = createHttpServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const route = routes[`${request.method ?? 'GET'} ${path}`];
    if (route === undefined)
      return reply(response, 404, { error: 'no such operation', operations: Object.keys(routes) });
    readBody(request).then(
      (text) => {
        try {
          reply(response, 200, route(text === '' ? {} : JSON.parse(text)) ?? {});
        } catch (error) {
          reply(response, 400, { error: error instanceof Error ? error.message : 'bad request' });
        }
      },
      () => reply(response, 413, { error: 'too large' }),
    );
  });
  return running(server, await listen(server, port));
}
