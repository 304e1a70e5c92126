import type { FastifyRequest } from 'fastify';

/** The revision of `If-Match`, with or without the quotes of an entity tag. `*` means whichever is the current one. */
export function ifMatchOf(request: FastifyRequest): { ifMatch?: string } {
  const sent = request.headers['if-match']?.trim();
  if (sent === undefined || sent === '' || sent === '*') return {};
  return { ifMatch: sent.replace(/^(?:W\/)?"(.*)"$/, '$1') };
}
