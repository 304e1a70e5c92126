import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { badField } from '../errors.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { single } from './auth.ts';

/** The header Idempotency-Key with the body it came with; undefined without the header. */
export function idempotencyOf(request: FastifyRequest): Idempotency | undefined {
  const key = single(request.headers['idempotency-key']);
  if (key === undefined) return undefined;
  if (key.length > 255) throw badField('Idempotency-Key', 'Must have at most 255 characters.');
  return { keyHash: hash(`${request.routeOptions.url} ${key}`), bodyHash: hash(JSON.stringify(request.body ?? null)) };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
