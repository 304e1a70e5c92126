import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { actorOf } from '../caller.ts';
import { ApiError, badField } from '../errors.ts';
import type { Events } from '../events.ts';
import { inRounds } from '../rounds.ts';
import { OutcomeUnknown, StoreUnavailable } from '../store/store.ts';
import { Answer, answerOf } from './answer.ts';
import { single } from './auth.ts';
import { errorBody, errorEnvelope } from './envelope.ts';
import { parseBody } from './json.ts';
import { LargeJson } from './large-json.ts';
import { serializerCompiler } from './serialization.ts';
import { validatorCompiler } from './validation.ts';

const bodyBytesMax = 1024 * 1024;
/** Longer than those of the usual proxies, which must be the ones to end a connection. */
const keepAliveMs = 72_000;
const requestMs = 60_000;
/** Longer than the longest device token. */
const paramLengthMax = 5000;

/** The HTTP side of the house: how every request is read and every answer is written, whatever it asks for. */
export function createHttpServer(events: Events, trustedProxies: readonly string[] = []): FastifyInstance {
  const server = Fastify({
    logger: false,
    genReqId: (request) => requestId(single(request.headers['x-request-id'])),
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    // Anybody may send X-Forwarded-For; it is read only where the connection is a proxy's.
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    routerOptions: { maxParamLength: paramLengthMax },
    // A request under way when the process is told to stop is answered, not turned away.
    return503OnClosing: false,
    // These requests never reach a hook.
    frameworkErrors: (error, request, reply) => {
      answerOf(reply).requestId = request.id;
      void answerError(error, request, reply, events);
    },
    clientErrorHandler: answerBrokenHttp,
    serverFactory: (handle) =>
      createServer(
        {
          // Node would answer a request without Host by itself, without our envelope; the hook below does.
          requireHostHeader: false,
          ServerResponse: Answer,
          keepAliveTimeout: keepAliveMs,
          requestTimeout: requestMs,
        },
        inRounds(handle),
      ),
    // A schema may carry examples for the documentation that the serialiser does not know.
    ajv: { customOptions: { strict: false } },
  });
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.addSchema(errorEnvelope);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('appId', '');
  server.decorateRequest('route', '');
  server.removeAllContentTypeParsers();
  const largeJson = new LargeJson();
  server.addHook('onClose', () => largeJson.close());
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      if (typeof body === 'string') throw new Error('A body came as text.');
      // Only lists and messages may be as large; the others were refused by now.
      if (body.length > bodyBytesMax) largeJson.parse(body).then((parsed) => done(null, parsed), done);
      else done(null, body.length === 0 ? undefined : parseBody(body));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });

  server.addHook('onRequest', (request, reply, done) => {
    answerOf(reply).requestId = request.id;
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      reply.header('connection', 'close');
      done(badField('host', 'The header Host is missing.'));
    } else if (request.url.includes('%00')) done(badField('url', 'The address holds U+0000. Remove it.'));
    else done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    events.requestServed({
      method: request.method,
      // Fastify puts its options together anew whenever they are asked for: an operation has said where it is served.
      route: request.route === '' ? (request.routeOptions.url ?? 'none') : request.route,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      requestId: request.id,
      appId: request.appId === '' ? undefined : request.appId,
      actor: request.caller && actorOf(request.caller),
    });
    done();
  });
  server.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, events));
  answerUnknownRoutes(server, events);
  return server;
}

/** This process among all that ever were, and the request among its own. */
const processId = randomBytes(9).toString('hex');
let requestsSeen = 0;

/** A caller's own id is kept when it is harmless, so that one id can be followed through many services. */
function requestId(sent?: string): string {
  return sent !== undefined && /^[\w.-]{1,64}$/.test(sent) ? sent : `${processId}-${(++requestsSeen).toString(36)}`;
}

function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  events: Events,
): FastifyReply {
  const known = toApiError(error);
  if (known.status >= 500)
    events.broken('request failed', error, { requestId: request.id, route: request.routeOptions?.url ?? 'none' });
  if (known.headers !== undefined) reply.headers(known.headers);
  return reply
    .code(known.status)
    .type('application/json')
    .send(errorBody(known.code, known.message, request.id, known.details));
}

/** How the reader of forms says that one cannot be read; it gives these errors no code. */
const brokenForm = /^(Multipart: |Unexpected end of |Malformed |Part terminated early)/;

const unknownOutcome =
  'The store did not say whether it took this change. It may have: look, or repeat it with the same Idempotency-Key.';

function toApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  // Without Retry-After: who tried again by himself might do it twice.
  if (error instanceof OutcomeUnknown) return new ApiError('ERR_OPERATION_FAILED', { message: unknownOutcome });
  if (error instanceof StoreUnavailable)
    return new ApiError('ERR_OPERATION_FAILED', { headers: { 'retry-after': '1' } });
  const { code, statusCode } = { code: '', statusCode: 500, ...error };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('ERR_UNSUPPORTED_MEDIA_TYPE');
  if (code === 'FST_FILES_LIMIT') return badField('file', 'The form holds more than one file. Send one.');
  if (statusCode === 413) return new ApiError('ERR_PAYLOAD_TOO_LARGE');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return badField('body', 'The body is not as long as Content-Length says.');
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return badField('url', `A part of the address is longer than ${paramLengthMax} characters.`);
  if (brokenForm.test(error.message)) return badField('body', 'The form is damaged: check its boundary and its end.');
  if (code === 'FST_ERR_BAD_URL') return badField('url', 'The address is not a valid URL: check its percent signs.');
  if (statusCode >= 400 && statusCode < 500) return badField('request', 'The request cannot be read.');
  return new ApiError('ERR_EXCEPTION');
}

/** Bytes that are not HTTP: there is no request to answer, only a socket. */
function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const id = requestId();
  const body = JSON.stringify(
    errorBody('ERR_BAD_REQUEST', tooLarge ? 'The headers are too large.' : 'This is not a valid HTTP request.', id),
  );
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nx-request-id: ${id}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** 404 for a path nobody serves, 405 with Allow for one that is served with other methods. */
function answerUnknownRoutes(server: FastifyInstance, events: Events): void {
  const routes: { method: string; pattern: RegExp }[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(
      `^${url
        .replace(/[.$()+?[\]{}|^\\]/g, '\\$&')
        .replace(/:\w+/g, '[^/]+')
        .replaceAll('*', '.*')}$`,
    );
    // A browser's preflight is not something that a path is served with.
    for (const name of [method].flat()) if (name !== 'OPTIONS') routes.push({ method: name, pattern });
  });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    const error =
      allowed.length === 0
        ? new ApiError('ERR_API_NOT_FOUND')
        : new ApiError('ERR_METHOD_NOT_ALLOWED', { headers: { allow: [...new Set(allowed)].sort().join(', ') } });
    return answerError(error, request, reply, events);
  });
}
