import {
  createSecureServer,
  type Http2SecureServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { makeCertificates } from '../src/simulator/index.ts';

export const certificates = makeCertificates(['localhost'], []);

/** A server of a test's own, for what no simulator should do. */
export interface Peer {
  readonly port: number;
  readonly ca: string;
  /** Connections it has taken. */
  readonly connections: () => number;
  readonly open: () => number;
  close(): void;
}

async function listening(server: Http2SecureServer | Server): Promise<Peer> {
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  server.on('secureConnection', (socket: TLSSocket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    ca: certificates.ca,
    connections: () => connections,
    open: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Speaks HTTP/2; `onStream` answers a request, `onSession` sees a connection first. */
export function startHttp2Peer(
  onStream: (stream: ServerHttp2Stream, session: Http2Session, headers: IncomingHttpHeaders) => void,
  options: { streams?: number; onSession?: (session: ServerHttp2Session, number: number) => void } = {},
): Promise<Peer> {
  const { streams: maxConcurrentStreams = 100, onSession } = options;
  const server = createSecureServer({ ...certificates, settings: { maxConcurrentStreams } });
  let sessions = 0;
  server.on('sessionError', () => undefined);
  server.on('session', (session) => onSession?.(session, ++sessions));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.resume();
    stream.on('end', () => {
      if (stream.session !== undefined) onStream(stream, stream.session, headers);
    });
  });
  return listening(server);
}

/** Speaks HTTP/1.1, byte by byte as the test wants it; `onRequest` comes with each request head. */
export function startHttp1Peer(onRequest: (socket: TLSSocket) => void): Promise<Peer> {
  const server = createServer({ ...certificates, ALPNProtocols: ['http/1.1'] }, (socket) => {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1').includes('HTTP/1.1\r\n')) onRequest(socket);
    });
  });
  return listening(server);
}

/** An answer with Apple's or Google's JSON. */
export function answer(stream: ServerHttp2Stream, status: number, body: unknown = {}): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': status, 'content-type': 'application/json' });
  stream.end(JSON.stringify(body));
}
