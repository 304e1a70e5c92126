import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOf } from './answer.ts';

/**
 * A device may be a web page of another origin. It shows its auth token itself, so any page may ask what devices may ask; the
 * browser is never told to send a cookie along, so a person's session stays out of reach.
 */
const asked = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers':
    'apikey, appid, authtoken, chatapiversion, content-type, idempotency-key, resource, sdk',
  'access-control-max-age': '86400',
};

const answered = '\r\naccess-control-allow-origin: *\r\naccess-control-expose-headers: x-request-id, retry-after';

export function letPagesAsk(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  answerOf(reply).pageLines = answered;
  done();
}

/** What a browser asks before it sends what a page wants sent. */
export function registerPreflight(
  server: FastifyInstance,
  methodsByUrl: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [url, methods] of methodsByUrl)
    server.options(url, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(204)
        .headers({ ...asked, 'access-control-allow-methods': [...methods].sort().join(', ') })
        .send(),
    );
}
