import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { FastifyReply } from 'fastify';
import { atEndOfRound } from '../rounds.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** On every answer. The page and its files say otherwise where they must. */
const steadyLines =
  '\r\nx-content-type-options: nosniff\r\nx-frame-options: DENY\r\nreferrer-policy: no-referrer\r\ncache-control: no-store';

/** Beside those of every answer: headers whose values nobody but us has a part in. */
const ownNames = new Map(['content-type', 'content-length'].map((name) => [name, `\r\n${name}: `]));

const jsonType = 'application/json; charset=utf-8';
const jsonLines = `\r\ncontent-type: ${jsonType}\r\ncontent-length: `;

/**
 * An answer, with the headers that each one has. One that has no others is written as it is: Node would look through every name
 * and value for what cannot be there, and Fastify keep them one by one, which took a fifth of a request. Whatever else an answer
 * says, and whatever closes the connection, goes Node's way.
 */
export class Answer<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  requestId = '';
  /** What is left of the caller's rate, as lines of the head. */
  rateLines = '';
  /** What pages of other origins may see of it, as lines of the head. */
  pageLines = '';
  /** Node's own: the head as it goes out with the first piece of the body. */
  declare _header: string | null;
  declare _keepAliveTimeout: number;
  /** Node's own: writes the head with what it is given, or holds both back until it is this answer's turn. */
  declare _send: (text: string, encoding: BufferEncoding, written: (error?: Error | null) => void) => boolean;
  /** How long the body is, where the head was written here. */
  private bodyBytes = Number.NaN;

  override writeHead(status: number, reason?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, second?: string | Headers, third?: Headers): this {
    const headers = typeof second === 'string' ? third : second;
    const mayHaveBody = status >= 200 && status !== 204 && status !== 304;
    const lines = mayHaveBody && this.isUsual() ? linesOf(headers) : undefined;
    if (lines === undefined || Array.isArray(headers)) return super.writeHead(status, this.withOwnHeaders(headers));
    return this.writeLines(status, lines, Number(headers?.['content-length']));
  }

  /** Nobody has said more about it than we do. */
  private isUsual(): boolean {
    return this.shouldKeepAlive && this.getHeaderNames().length === 0;
  }

  private writeLines(status: number, lines: string, bodyBytes: number): this {
    this.statusCode = status;
    this.bodyBytes = bodyBytes;
    this._header = `${statusLine(status)}${lines}${this.ownLines()}${dateLine()}${keepAliveLines(this._keepAliveTimeout)}`;
    return this;
  }

  /** The whole answer, where its JSON is written already. */
  json(status: number, text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.isUsual()) this.writeLines(status, jsonLines + bytes, bytes);
    else this.writeHead(status, { 'content-type': jsonType, 'content-length': bytes });
    this.end(text);
  }

  /** Written at the end of the round, with the others. Nothing happens on the connection until then. */
  override end(...given: unknown[]): this {
    const [body] = given;
    const isBody = typeof body === 'string' || body instanceof Uint8Array;
    if (!isBody || Number.isNaN(this.bodyBytes) || this.finished || this.req.method === 'HEAD')
      return super.end(...(given as []));
    // Whoever asks is told that the answer is complete.
    this.finished = true;
    writeAtEnd([this, body]);
    return this;
  }

  /**
   * A text goes out with its head in one write. Node would gather head, body and an empty last piece and hand the system a list,
   * which takes longer.
   */
  writeOut(body: string | Uint8Array): void {
    if (typeof body === 'string') {
      this._send(body, body.length === this.bodyBytes ? 'latin1' : 'utf8', (error) => {
        if (!error) this.emit('finish');
      });
      return;
    }
    this.finished = false;
    super.end(body);
  }

  private ownLines(): string {
    // The id was checked when it came, or is ours.
    return `${steadyLines}\r\nx-request-id: ${this.requestId}${this.rateLines}${this.pageLines}`;
  }

  private withOwnHeaders(given: Headers | undefined): OutgoingHttpHeaders {
    if (Array.isArray(given)) throw new Error('The headers of an answer are given by name.');
    const headers = { ...given };
    for (const line of this.ownLines().split('\r\n').slice(1)) {
      const [name = '', value] = line.split(': ');
      if (headers[name] === undefined && !this.hasHeader(name)) headers[name] = value;
    }
    return headers;
  }
}

const writeAtEnd = atEndOfRound<[Answer, string | Uint8Array]>((ready) => {
  for (const [answer, body] of ready) answer.writeOut(body);
});

/** Every server of ours is made with this class of answers. */
export function answerOf(reply: FastifyReply): Answer {
  if (reply.raw instanceof Answer) return reply.raw;
  throw new Error('The answer is of another server.');
}

/**
 * Answers with JSON that is written already. Fastify would look at its type, its kind and its length in a dozen steps more, for
 * which it has hooks and ways that nobody uses here. Headers given to Fastify are not sent.
 */
export function answerJson(reply: FastifyReply, text: string): void {
  answerOf(reply).json(reply.statusCode, text);
  reply.hijack();
}

/** Undefined unless all of them are ours and one says how long the body is. */
function linesOf(headers: Headers | undefined): string | undefined {
  if (headers === undefined || Array.isArray(headers) || headers['content-length'] === undefined) return undefined;
  let lines = '';
  for (const name in headers) {
    const line = ownNames.get(name);
    if (line === undefined) return undefined;
    lines += line + String(headers[name]);
  }
  return lines;
}

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  let line = statusLines.get(status);
  if (line === undefined) {
    line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
    statusLines.set(status, line);
  }
  return line;
}

let keptAlive = { ms: 0, lines: '' };

/** The same for every answer of a server. */
function keepAliveLines(ms: number): string {
  if (ms !== keptAlive.ms)
    keptAlive = { ms, lines: `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(ms / 1000)}\r\n\r\n` };
  return keptAlive.lines;
}

let second = 0;
let date = '';

/** Changes once a second. */
function dateLine(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    date = `\r\nDate: ${new Date(now * 1000).toUTCString()}`;
  }
  return date;
}
