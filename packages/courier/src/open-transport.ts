import type { Clock } from './clock.ts';
import { type ConnectOptions, openTls } from './h2/connect.ts';
import { LeanConnection } from './h2/lean-connection.ts';
import { NodeConnection } from './h2/node-connection.ts';
import { DEFAULT_TRANSPORT, type RequestSource, type Transport, type TransportEvents } from './h2/transport.ts';
import { Http1Connection } from './http1-connection.ts';
import type { SenderOptions } from './sender.ts';

export interface OriginOptions extends Pick<SenderOptions, 'timeoutMs' | 'proxy' | 'ca' | 'transport'> {
  readonly host: string;
  readonly port: number;
  readonly authority: string;
  readonly streamsMax: number;
  readonly lookup?: ConnectOptions['lookup'];
  /** Some push services of one's own speak only HTTP/1.1. */
  readonly mayBeHttp1?: boolean;
}

/** Opens one connection with the transport the options name. */
export async function openTransport(
  origin: OriginOptions,
  source: RequestSource,
  events: TransportEvents,
  clock: Clock,
): Promise<Transport> {
  const timeoutMs = origin.timeoutMs ?? DEFAULT_TRANSPORT.timeoutMs;
  const socket = await openTls({
    host: origin.host,
    port: origin.port,
    timeoutMs,
    protocols: origin.mayBeHttp1 === true ? ['h2', 'http/1.1'] : ['h2'],
    ...(origin.ca === undefined ? {} : { ca: origin.ca }),
    ...(origin.proxy === undefined ? {} : { proxy: origin.proxy }),
    ...(origin.lookup === undefined ? {} : { lookup: origin.lookup }),
  });
  const options = { ...DEFAULT_TRANSPORT, authority: origin.authority, timeoutMs, streamsMax: origin.streamsMax };
  if (socket.alpnProtocol !== 'h2') return new Http1Connection(socket, source, events, options);
  if (origin.transport === 'node') return new NodeConnection(socket, source, events, options);
  return new LeanConnection(socket, source, events, options, clock);
}

/** `host` or `host:port`. */
export function parseHost(text: string, defaultPort: number): { host: string; port: number; authority: string } {
  const url = new URL(`https://${text}`);
  const port = url.port === '' ? defaultPort : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port, authority: port === 443 ? url.hostname : `${url.hostname}:${port}` };
}
