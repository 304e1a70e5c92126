import { type Credentials, headersOf } from './credentials.ts';
import { GatehouseError, GatehouseUnreachable } from './errors.ts';
import type { Operation } from './operation.ts';
import { backoffMs, isRepeatable, type RetryOptions, sleep, standardRetry, waitAfter } from './retry.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://a1b2c3d4e5f60718.api-eu.chat.example.org` or `http://127.0.0.1:8080`. */
  url: string;
  /** Where management requests go, if that is another host. */
  managementUrl?: string;
  credentials: Credentials;
  /** The app that is meant where an operation does not name one. */
  appId?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** How long one try may take. */
  timeoutMs?: number;
  retry?: Partial<RetryOptions>;
  /** Another fetch than the runtime's own: a proxy, a recorder. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface RequestOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** The revision that the caller believes to be the current one; a 412 says that it is not. */
  ifMatch?: string;
  /** One of your own, to repeat a request after a restart; else the client makes one. */
  idempotencyKey?: string;
}

interface Prepared {
  url: string;
  init: RequestInit;
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

const standardTimeoutMs = 30_000;

/** Sends operations, repeats what is safe to repeat, and turns refusals into errors. */
export class Transport {
  private readonly options: ClientOptions;
  private readonly retry: RetryOptions;

  constructor(options: ClientOptions) {
    this.options = options;
    this.retry = { ...standardRetry, ...options.retry };
  }

  /** What the answer is, the document says: its schema checks the answer on the service's side. */
  protected async send<T>(operation: Operation, input: object, options: RequestOptions): Promise<T> {
    const response = await this.sendRaw(operation, input, options);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return (isJson ? JSON.parse(text) : text) as T;
  }

  protected async sendRaw(operation: Operation, input: object, options: RequestOptions): Promise<Response> {
    const prepared = this.prepare(operation, new Map(Object.entries(input)), options);
    for (let tries = 1; ; tries++) {
      const response = await this.tryOnce(prepared, tries);
      if (response === undefined) continue;
      if (response.ok) return response;
      const waitMs = waitAfter(response, tries, prepared.repeatable, this.retry);
      const text = await response.text();
      if (waitMs === undefined) throw new GatehouseError(response, text, tries);
      await sleep(waitMs, prepared.signal);
    }
  }

  /** Undefined: no answer came, the wait is over, try again. */
  private async tryOnce({ url, init, repeatable, signal }: Prepared, tries: number): Promise<Response | undefined> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? standardTimeoutMs);
    const ask = this.options.fetch ?? ((to: string, how: RequestInit) => fetch(to, how));
    try {
      return await ask(url, { ...init, signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) });
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (!repeatable || tries > this.retry.retries) throw new GatehouseUnreachable(url, tries, error);
      await sleep(backoffMs(tries, this.retry.firstWaitMs, this.retry.longestWaitMs), signal);
      return undefined;
    }
  }

  private prepare(operation: Operation, input: Map<string, unknown>, options: RequestOptions): Prepared {
    const { credentials, appId } = this.options;
    const isManagement = !operation.path.startsWith('/v3/');
    const body = input.get('body');
    const isForm = typeof FormData !== 'undefined' && body instanceof FormData;
    const headers: Record<string, string> = {
      accept: 'application/json, */*;q=0.5',
      ...headersOf(credentials, appId, isManagement),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(operation.method === 'POST' && { 'idempotency-key': options.idempotencyKey ?? newKey() }),
      ...(options.ifMatch !== undefined && { 'if-match': `"${options.ifMatch}"` }),
      ...this.options.headers,
      ...options.headers,
    };
    const base = isManagement ? (this.options.managementUrl ?? this.options.url) : this.options.url;
    return {
      url: base.replace(/\/+$/, '') + pathOf(operation, input, appId) + queryOf(operation, input),
      init: {
        method: operation.method,
        headers,
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        ...('session' in credentials && { credentials: 'include' }),
      },
      repeatable: isRepeatable(operation, headers),
      signal: options.signal,
    };
  }
}

function pathOf(operation: Operation, input: Map<string, unknown>, appId: string | undefined): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.get(name) ?? (name === 'appId' ? appId : undefined);
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${operation.method} ${operation.path} needs ${name}.`);
    // A dot or two alone would be taken as a step in the path.
    return encodeURIComponent(value).replaceAll(/^\.{1,2}$/g, (dots) => dots.replaceAll('.', '%2E'));
  });
}

function queryOf(operation: Operation, input: Map<string, unknown>): string {
  const query = new URLSearchParams();
  for (const name of operation.query ?? []) {
    const value = input.get(name);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** randomUUID is only there on pages served over HTTPS; this is everywhere. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
