import { Agent as HttpAgent, request as httpRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { GuardError, guardedLookup, guardUrl } from '@gatehouse/courier';
import { spanKinds, type Tracer, toTraceparent } from '../tracing.ts';

/** A question to an address that somebody else chose: an endpoint, a hook, an attachment. */
export interface Question {
  url: string;
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For everything together: names, connection, redirects, the last byte of the answer. */
  timeoutMs: number;
  /** For the beginning of the answer, where that must come sooner. */
  firstByteMs?: number;
  /** What is read of the answer; the rest is not waited for. */
  answerBytesMax: number;
  /** An answer that announces more than that is not read at all. */
  isWholeNeeded?: boolean;
  /** The status says it all: a body that stalls or is cut takes nothing back of it. */
  isStatusEnough?: boolean;
  /** 0 unless given: a signed body must not wander. Each address on the way is checked like the first. */
  redirectsMax?: number;
  /** Plain http is for what is public anyway, such as attachments. */
  allowHttp?: boolean;
  /** The operator wrote this address into the settings, which is as good as allowing it by name. */
  isOfOperator?: boolean;
}

/** What came of it: a value, whatever the other side does. The reasons are ours and hold nothing the other side sent. */
export type Asked =
  | { kind: 'answered'; status: number; body: Buffer; isCut: boolean; retryAfter: string | undefined; ms: number }
  | { kind: 'refused'; reason: string; ms: number }
  | { kind: 'failed'; reason: string; ms: number };

/** Headers are read in full before anything else, so they are bounded too. */
const headerBytesMax = 16_384;
const pooled = {
  keepAlive: true,
  keepAliveMsecs: 15_000,
  maxFreeSockets: 16,
  timeout: 60_000,
  scheduling: 'lifo',
} as const;

/**
 * The one way from this process to addresses of strangers. Nothing private can be reached, whatever a name resolves to at the
 * moment of the connection, unless the operator allowed the host by its name.
 */
export class Outside {
  private readonly allowedHosts: ReadonlySet<string>;
  private readonly tracer: Tracer | undefined;
  /** Two pairs, so that a connection made for an allowed host is never used for another. */
  private readonly guarded = { http: new HttpAgent(pooled), https: new HttpsAgent(pooled) };
  private readonly open = { http: new HttpAgent(pooled), https: new HttpsAgent(pooled) };

  /** `allowedHosts` are names or name:port. */
  constructor(allowedHosts: readonly string[], tracer?: Tracer) {
    this.allowedHosts = new Set(allowedHosts);
    this.tracer = tracer;
  }

  /** Undefined when the address may be kept; else a sentence for whoever sent it. What a name resolves to is checked on use. */
  whyNot(address: string): string | undefined {
    try {
      this.check(address, false, false);
      return undefined;
    } catch (error) {
      if (error instanceof GuardError) return sentence(error);
      throw error;
    }
  }

  ask(question: Question): Promise<Asked> {
    return this.tracer === undefined ? this.answerTo(question) : this.askTraced(question, this.tracer);
  }

  /** The address stays out of the span, since whoever chose it may have put a secret there. */
  private async askTraced(question: Question, tracer: Tracer): Promise<Asked> {
    const { method, url } = question;
    const server = URL.canParse(url) ? { 'server.address': new URL(url).hostname } : {};
    const span = tracer.begin(method, spanKinds.client, { 'http.request.method': method, ...server }, tracer.current);
    // Hooks and endpoints may go on with our trace; whoever keeps an attachment need not know of it.
    const headers = method === 'POST' ? { ...question.headers, traceparent: toTraceparent(span) } : question.headers;
    return tracer.around(span, async () => {
      const asked = await this.answerTo({ ...question, ...(headers && { headers }) });
      if (asked.kind === 'answered') span.attributes['http.response.status_code'] = asked.status;
      if (asked.kind !== 'answered') span.error = asked.kind;
      else if (asked.status >= 400) span.error = String(asked.status);
      return asked;
    });
  }

  private async answerTo(question: Question): Promise<Asked> {
    const began = performance.now();
    const elapsed = (): number => Math.round(performance.now() - began);
    const deadline = new AbortController();
    const { timeoutMs, firstByteMs } = question;
    const abort = (reason: string): void => deadline.abort(reason);
    const timer = setTimeout(abort, timeoutMs, `No whole answer within ${timeoutMs} ms.`);
    const first =
      firstByteMs === undefined || firstByteMs >= timeoutMs
        ? undefined
        : setTimeout(abort, firstByteMs, `No answer began within ${firstByteMs} ms.`);
    try {
      const answer = await this.follow(question, deadline.signal);
      clearTimeout(first);
      return { ...(answer instanceof IncomingMessage ? await readAnswer(answer, question) : answer), ms: elapsed() };
    } catch (error) {
      if (error instanceof GuardError) return { kind: 'refused', reason: sentence(error), ms: elapsed() };
      const reason = deadline.signal.aborted ? String(deadline.signal.reason) : reasonOf(error);
      return { kind: 'failed', reason, ms: elapsed() };
    } finally {
      clearTimeout(timer);
      clearTimeout(first);
    }
  }

  close(): void {
    for (const agent of [this.guarded.http, this.guarded.https, this.open.http, this.open.https]) agent.destroy();
  }

  /** The answer, of which only the head has come. */
  private async follow(question: Question, signal: AbortSignal): Promise<IncomingMessage | Followed> {
    let address = question.url;
    for (let redirects = 0; ; redirects++) {
      const url = this.check(address, question.allowHttp === true, question.isOfOperator === true);
      const answer = await this.send(url, question, signal);
      const next = nextAddress(answer, url);
      if (next === undefined || question.redirectsMax === undefined) return answer;
      answer.destroy();
      if (redirects >= question.redirectsMax) return { kind: 'refused', reason: 'Too many redirects.' };
      address = next;
    }
  }

  private check(address: string, allowHttp: boolean, isOfOperator: boolean): URL {
    const isAllowed = isOfOperator || this.isAllowedByName(address);
    return guardUrl(address, { allowPrivate: isAllowed, allowHttp: isAllowed || allowHttp });
  }

  private isAllowedByName(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { hostname, host } = new URL(address);
    return this.allowedHosts.has(hostname) || this.allowedHosts.has(host);
  }

  private send(url: URL, question: Question, signal: AbortSignal, isSecondTry = false): Promise<IncomingMessage> {
    const isOpen = question.isOfOperator === true || this.isAllowedByName(url.href);
    const agents = isOpen ? this.open : this.guarded;
    const isTls = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const options = {
        method: question.method,
        headers: {
          'user-agent': 'Gatehouse',
          'accept-encoding': 'identity',
          ...lengthOf(question.body),
          ...question.headers,
        },
        agent: isTls ? agents.https : agents.http,
        maxHeaderSize: headerBytesMax,
        signal,
        ...(!isOpen && { lookup: guardedLookup }),
      };
      let isAnswered = false;
      const sent = (isTls ? httpsRequest : httpRequest)(url, options, (answer) => {
        isAnswered = true;
        resolve(answer);
      });
      sent.on('error', (error) => {
        // The other side closed a kept connection just as we used it: that says nothing about the other side's health.
        if (isSecondTry || isAnswered || !sent.reusedSocket || !wasReset(error)) reject(error);
        else this.send(url, question, signal, true).then(resolve, reject);
      });
      sent.end(question.body);
    });
  }
}

type Followed = Asked extends infer A ? (A extends Asked ? Omit<A, 'ms'> : never) : never;

function lengthOf(body: string | Buffer | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function nextAddress(answer: IncomingMessage, from: URL): string | undefined {
  const { statusCode = 0, headers } = answer;
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  return URL.canParse(headers.location, from.href) ? new URL(headers.location, from.href).href : headers.location;
}

async function readAnswer(
  answer: IncomingMessage,
  { answerBytesMax: bytesMax, isWholeNeeded, isStatusEnough }: Question,
): Promise<Followed> {
  const status = answer.statusCode ?? 0;
  const retryAfter = answer.headers['retry-after'];
  if (isWholeNeeded === true && Number(answer.headers['content-length']) > bytesMax) {
    answer.destroy();
    return { kind: 'answered', status, body: Buffer.alloc(0), isCut: true, retryAfter };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      isCut = bytes > bytesMax;
      if (isCut) break;
    }
  } catch (error) {
    if (isStatusEnough !== true) throw error;
    isCut = true;
  }
  const body = Buffer.concat(chunks).subarray(0, bytesMax);
  return { kind: 'answered', status, body, isCut, retryAfter };
}

function sentence(error: GuardError): string {
  const text = error.message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function wasReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Codes of Node's own, such as ECONNREFUSED, are safe to show; messages may hold addresses. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  switch (code) {
    case 'ECONNREFUSED':
      return 'The connection was refused.';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The connection was cut.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'The host name was not found.';
    case undefined:
      return 'The request failed.';
    default:
      if (code.startsWith('HPE_')) return 'What came back is not HTTP.';
      return /CERT|SIGNATURE/.test(code)
        ? `The certificate of the host is not trusted: ${code}.`
        : `The request failed: ${code}.`;
  }
}
