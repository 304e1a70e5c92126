import { Methods, type Paged } from './generated/methods.ts';
import { operations } from './generated/operations.ts';
import type { Operation } from './operation.ts';
import type { RequestOptions } from './transport.ts';

/** Every operation is a method of its own name; `all` walks a listing to its end. */
export class GatehouseClient extends Methods {
  /** `for await (const rule of client.all('listRules'))`: asks for the next page when the last one is used up. */
  async *all<K extends keyof Paged>(
    listing: K,
    input?: Omit<Paged[K]['input'], 'cursor'>,
    options: RequestOptions = {},
  ): AsyncGenerator<Paged[K]['item'], void, undefined> {
    const operation: Operation = operations[listing];
    let cursor: string | undefined;
    do {
      const page = await this.send<Page>(operation, { ...input, ...(cursor !== undefined && { cursor }) }, options);
      yield* recordsOf<Paged[K]['item']>(page, operation.items ?? []);
      cursor = page.meta?.next?.cursor;
    } while (cursor !== undefined);
  }
}

interface Page {
  meta?: { next?: { cursor?: string } };
}

function recordsOf<T>(page: object, path: readonly string[]): T[] {
  let found: unknown = page;
  for (const name of path) found = new Map<string, unknown>(Object.entries(found ?? {})).get(name);
  if (!Array.isArray(found)) throw new TypeError('The service answered with something that is not a page.');
  return found;
}
