import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { trusting } from '../trust.ts';

export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly ca?: string | readonly string[];
  /** `http://` or `https://`, with credentials in it where the proxy wants them. */
  readonly proxy?: string;
  readonly lookup?: LookupFunction;
  /** `['h2']`, or with `http/1.1` where the peer may be old. */
  readonly protocols: readonly string[];
}

/** Opens a TLS connection, through a proxy if asked, and waits until it can be used. The name is looked up anew each time. */
export async function openTls(options: ConnectOptions): Promise<TLSSocket> {
  const tunnel = options.proxy === undefined ? undefined : await openTunnel(options, new URL(options.proxy));
  return await new Promise((resolve, reject) => {
    const socket = tlsConnect({
      host: options.host,
      port: options.port,
      ALPNProtocols: [...options.protocols],
      ...(isIP(options.host) === 0 ? { servername: options.host } : {}),
      ...(options.ca === undefined ? { minVersion: 'TLSv1.2' } : { secureContext: trusting(options.ca) }),
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
      ...(tunnel === undefined ? {} : { socket: tunnel }),
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error('connecting timed out')), options.timeoutMs);
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('closed while connecting')));
    socket.once('secureConnect', () => {
      if (!options.protocols.includes(socket.alpnProtocol || 'http/1.1'))
        return fail(new Error('the peer does not speak HTTP/2'));
      clearTimeout(timer);
      socket.off('error', fail);
      socket.removeAllListeners('close');
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

/**
 * What the proxy is to connect to. Where look-ups are guarded the name is looked up here and the proxy is given the address that was
 * checked: what the proxy itself finds under the name, nobody would have checked.
 */
async function tunnelTarget({ host, port, lookup }: ConnectOptions): Promise<string> {
  const found = lookup === undefined || isIP(host) !== 0 ? host : await addressOf(host, lookup);
  return isIP(found) === 6 ? `[${found}]:${port}` : `${found}:${port}`;
}

function addressOf(host: string, lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: false }, (error, address) => {
      if (error === null && typeof address === 'string') resolve(address);
      else reject(error ?? new Error(`${host} has no address`));
    });
  });
}

async function openTunnel(options: ConnectOptions, proxy: URL): Promise<Socket> {
  const target = await tunnelTarget(options);
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const request: RequestOptions = {
    host: proxy.hostname,
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
    method: 'CONNECT',
    path: target,
    agent: false,
    timeout: options.timeoutMs,
    headers: {
      host: target,
      ...(proxy.username === ''
        ? {}
        : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  };
  return await new Promise((resolve, reject) => {
    const call = proxy.protocol === 'https:' ? httpsRequest(request) : httpRequest(request);
    call.once('connect', (answer, socket: Socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy answered ${answer.statusCode ?? 0}`));
    });
    call.once('response', (answer) => {
      answer.resume();
      reject(new Error(`the proxy answered ${answer.statusCode ?? 0}`));
    });
    call.once('timeout', () => call.destroy(new Error('the proxy did not answer')));
    call.once('error', reject);
    call.end();
  });
}
