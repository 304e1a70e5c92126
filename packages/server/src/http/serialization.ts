import fastJsonStringify, { type AnySchema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { errorEnvelope } from './envelope.ts';

type Write = (answer: unknown) => string;

/** The same schema serves an operation on both hosts, and the same envelope every error: each is compiled once. */
const known = new WeakMap<object, Write>();

/** Compiled when first needed: a process has hundreds of schemas and must be ready at once. */
export const serializerCompiler: FastifySerializerCompiler<Record<string, unknown>> =
  ({ schema }) =>
  (answer) => {
    const whole = schema.$ref === 'Error#' ? errorEnvelope : schema;
    let write = known.get(whole);
    if (write === undefined) {
      // Fastify hands over what the routes declared, which TypeBox made: a JSON schema.
      write = fastJsonStringify(whole as AnySchema) as Write;
      known.set(whole, write);
    }
    return write(answer);
  };
