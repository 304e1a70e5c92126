import type { FastifyReply } from 'fastify';

/**
 * Answers that are asked for often and change seldom are written once, as bytes, for as long as what they are made from is the
 * same object: the cache that holds it decides when it is stale. They still go through the schema's serialiser.
 */
export class Written {
  private readonly kept = new WeakMap<object, Map<string, Buffer>>();

  /** `key` must have few values: each is kept beside its source. */
  answer(reply: FastifyReply, source: object, key: string, make: () => Record<string, unknown>): Buffer {
    let answers = this.kept.get(source);
    if (answers === undefined) {
      answers = new Map();
      this.kept.set(source, answers);
    }
    let bytes = answers.get(key);
    if (bytes === undefined) {
      const write = reply.getSerializationFunction('200', 'application/json');
      if (write === undefined) throw new Error('An answer without a schema cannot be written.');
      bytes = Buffer.from(write(make()));
      answers.set(key, bytes);
    }
    reply.type('application/json; charset=utf-8');
    return bytes;
  }
}
