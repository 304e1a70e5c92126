import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseTraceparent, type Span, spanKinds, type Tracer } from '../tracing.ts';
import { single } from './auth.ts';

/**
 * A span for every request to an operation, named by it. Health, metrics, the files of the page and paths that nobody serves
 * have none. Registered only where there is a tracer, before the routes.
 */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, _reply, done) => {
    const { url, schema } = request.routeOptions;
    if (schema?.operationId !== undefined && url !== undefined) {
      const attributes = {
        'http.request.method': request.method,
        // The pattern and never the path: paths hold device tokens.
        'http.route': url,
        'url.scheme': 'http',
        'network.protocol.version': request.raw.httpVersion,
        // The log line of the request has it too.
        'gatehouse.request_id': request.id,
      };
      const parent = parseTraceparent(single(request.headers.traceparent));
      spans.set(request, tracer.begin(schema.operationId, spanKinds.server, attributes, parent));
    }
    done();
  });
  // Once the body is read: what reads it loses the thread.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else tracer.within(span, done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span !== undefined) {
      span.attributes['http.response.status_code'] = reply.statusCode;
      if (reply.statusCode >= 500) span.error = String(reply.statusCode);
      tracer.end(span);
    }
    done();
  });
}
