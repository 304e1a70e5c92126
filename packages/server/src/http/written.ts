import type { FastifyReply } from 'fastify';

/**
 * Answers that are asked for often and change seldom are written once, for as long as what they are made from is the
 * same object: the cache that holds it decides when it is stale. They still go through the schema's serialiser.
 */
export class Written {
  private readonly texts = new WeakMap<object, Map<string, Buffer>>();

  /** `key` must have few values: each is kept beside its source. */
  answer(reply: FastifyReply, source: object, key: string, make: () => Record<string, unknown>): Buffer {
    let texts = this.texts.get(source);
    if (texts === undefined) {
      texts = new Map();
      this.texts.set(source, texts);
    }
    let text = texts.get(key);
    if (text === undefined) {
      const write = reply.getSerializationFunction('200', 'application/json');
      if (write === undefined) throw new Error('An answer without a schema cannot be written.');
      text = Buffer.from(write(make()));
      texts.set(key, text);
    }
    reply.type('application/json; charset=utf-8');
    return text;
  }
}
