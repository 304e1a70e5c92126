import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './output.ts';

export type Fields = Record<string, unknown>;

/** The other platform refused a question. A 404 means that it has no such thing. */
export class PlatformRefused extends Error {
  readonly status: number;

  constructor(status: number, path: string, said: string) {
    super(`${path} answered ${status}${said === '' ? '' : `: ${said}`}`);
    this.status = status;
  }
}

const triesMax = 6;
const pagesMax = 1_000_000;

/**
 * Reads a platform that speaks the same interface, and forgives what is known of its answers: some come without `data`
 * around them, an empty list may be `{}`, a value may be one text instead of a list.
 */
export class Platform {
  private readonly base: string;
  private readonly headers: Record<string, string>;

  constructor(base: string, appId: string | undefined, apikey: string) {
    this.base = base.replace(/\/+$/, '').replace(/\/v3$/, '');
    this.headers = { accept: 'application/json', apikey, ...(appId !== undefined && { appId }) };
  }

  /** Every record of a listing; `key` is its name inside `data`, where it has one. */
  async *pages(path: string, query: Record<string, string>, key?: string): AsyncGenerator<Page> {
    let place: Record<string, string> = {};
    const seen = new Set<string>();
    for (let i = 0; i < pagesMax; i++) {
      const answer = await this.ask(path, { ...query, ...place });
      const records = recordsIn(answer, key);
      place = nextOf(answer);
      const mark = JSON.stringify(place);
      const isLast = Object.keys(place).length === 0 || seen.has(mark);
      yield { records, next: isLast ? undefined : place };
      if (isLast) return;
      seen.add(mark);
    }
  }

  async ask(path: string, query: Record<string, string> = {}): Promise<unknown> {
    const search = new URLSearchParams(query).toString();
    const url = `${this.base}/v3${path}${search === '' ? '' : `?${search}`}`;
    for (let tries = 1; ; tries++) {
      const response = await this.fetch(url, tries);
      if (response === undefined) continue;
      const text = await response.text();
      if (response.ok) return parsed(text, path);
      const isPassing = response.status === 429 || response.status >= 500;
      if (!isPassing || tries === triesMax) throw new PlatformRefused(response.status, path, saidIn(text));
      await sleep(waitMs(response.headers.get('retry-after'), tries));
    }
  }

  private async fetch(url: string, tries: number): Promise<Response | undefined> {
    try {
      return await fetch(url, { headers: this.headers, signal: AbortSignal.timeout(120_000) });
    } catch (error) {
      if (tries === triesMax)
        throw new CliError(
          `${new URL(url).origin} cannot be reached. Check --from; run the same command again to go on. (${error instanceof Error ? error.message : error})`,
        );
      await sleep(waitMs(null, tries));
      return undefined;
    }
  }
}

export interface Page {
  records: Fields[];
  /** How to ask for the page after this one. */
  next: Record<string, string> | undefined;
}

/** The record of an answer, with or without `data` around it. */
export function recordIn(answer: unknown): Fields {
  const inner = fieldsOf(answer).data;
  return fieldsOf(inner === undefined ? answer : inner);
}

/** A list, however it was written. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null || value === '') return [];
  return typeof value === 'object' ? Object.values(value) : [value];
}

function recordsIn(answer: unknown, key: string | undefined): Fields[] {
  const data = fieldsOf(answer).data ?? answer;
  const inside = key === undefined ? data : (fieldsOf(data)[key] ?? data);
  const found = Array.isArray(inside) ? inside : Object.values(fieldsOf(inside));
  return found.filter((one): one is Fields => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** Whatever the next page is asked by, the answer says it under `meta.next`. */
function nextOf(answer: unknown): Record<string, string> {
  const next = fieldsOf(fieldsOf(fieldsOf(answer).meta).next);
  return Object.fromEntries(
    Object.entries(next).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(
      `${path} answered with something that is not JSON. Is --from the address of the app's API host?`,
    );
  }
}

function saidIn(text: string): string {
  try {
    const { code, message } = fieldsOf(fieldsOf(JSON.parse(text)).error);
    return [code, message].filter((part) => typeof part === 'string').join(' ');
  } catch {
    return '';
  }
}

function waitMs(retryAfter: string | null, tries: number): number {
  const asked = Number(retryAfter);
  return retryAfter !== null && asked >= 0 ? Math.min(asked, 120) * 1000 : 200 * 2 ** tries;
}
