/** Speaks HTTP without a client's manners: any Host header, any bytes. */
import { request } from 'node:http';
import { connect } from 'node:net';

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** `fetch` sets Host by itself; this sends the one it is told to. */
export function askHost(
  url: string,
  host: string,
  headers: Record<string, string>,
  body?: { method: string; json: unknown },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const json = body && JSON.stringify(body.json);
    const framing = json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
    const sent = request(
      url,
      { method: body?.method ?? 'GET', headers: { ...headers, ...framing, host } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(json);
  });
}

/** Sends the bytes and returns whatever comes back until the other side closes, or for as long as it says nothing more. */
export function sendBytes(url: string, bytes: string | Uint8Array, quietMs = 300): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}
