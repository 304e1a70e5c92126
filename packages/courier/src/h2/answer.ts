import { decodeFields } from './hpack-decode.ts';

const EMPTY = new Uint8Array(0);

/** What a peer answered. One object a connection, filled anew for each answer: valid only inside `onAnswer`. */
export class Answer {
  status = 0;
  body: Uint8Array = EMPTY;
  #block: Uint8Array = EMPTY;
  #start = 0;
  #end = 0;
  #fields: ReadonlyMap<string, string> | undefined;

  /** From a header block that `readStatus` has checked; decoded only if a header is asked for. */
  setBlock(status: number, block: Uint8Array, start: number, end: number, body: Uint8Array): void {
    this.status = status;
    this.body = body;
    this.#block = block;
    this.#start = start;
    this.#end = end;
    this.#fields = undefined;
  }

  setFields(status: number, fields: ReadonlyMap<string, string>, body: Uint8Array): void {
    this.status = status;
    this.body = body;
    this.#fields = fields;
  }

  header(name: string): string | undefined {
    this.#fields ??= new Map(decodeFields(this.#block, this.#start, this.#end));
    return this.#fields.get(name);
  }

  text(): string {
    return Buffer.from(this.body.buffer, this.body.byteOffset, this.body.byteLength).toString('utf8');
  }
}
