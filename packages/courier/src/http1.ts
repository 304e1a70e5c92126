import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Socket } from 'node:net';
import { openTls } from './h2/connect.ts';
import type { SenderOptions } from './sender.ts';

const ANSWER_BYTES_MAX = 65_536;
const TIMEOUT_MS = 15_000;

export interface Http1Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** One HTTP/1.1 exchange on an open socket. Follows nothing, keeps at most 64 KiB of the answer. */
export function exchange(
  socket: Socket,
  options: RequestOptions,
  body: Uint8Array | string,
  timeoutMs: number,
): Promise<Http1Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ ...options, createConnection: () => socket }, (answer) => {
      collect(answer).then(resolve, reject);
    });
    const timer = setTimeout(() => call.destroy(new Error('timed out')), timeoutMs);
    call.once('error', reject);
    call.once('close', () => clearTimeout(timer));
    call.end(body);
  });
}

export async function collect(answer: IncomingMessage): Promise<Http1Answer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer) {
    if (!(part instanceof Buffer)) continue;
    bytes += part.length;
    parts.push(part);
    if (bytes > ANSWER_BYTES_MAX) break;
  }
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(parts).toString('utf8') };
}

/** Posts a form over TLS, through the sender's proxy and with its authorities. */
export async function postForm(
  uri: string,
  form: Readonly<Record<string, string>>,
  options: SenderOptions,
): Promise<Http1Answer> {
  const url = new URL(uri);
  if (url.protocol !== 'https:') throw new Error('the token endpoint must be https');
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const socket = await openTls({
    host: url.hostname,
    port: url.port === '' ? 443 : Number(url.port),
    timeoutMs,
    protocols: ['http/1.1'],
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
  });
  const body = new URLSearchParams(form).toString();
  const headers = {
    host: url.host,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  };
  try {
    return await exchange(socket, { method: 'POST', path: url.pathname + url.search, headers }, body, timeoutMs);
  } finally {
    socket.destroy();
  }
}
