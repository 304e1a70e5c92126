import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from '#typebox';
import type { Caller, Credentials, Role } from '../caller.ts';
import { ApiError, badField, type ErrorCode } from '../errors.ts';
import { andThen, type Soon } from '../soon.ts';
import { type Access, agreeOnApp, authenticateApp, authenticateManagement, checkScope, single } from './auth.ts';
import { letPagesAsk, registerPreflight } from './cross-origin.ts';
import { errorResponses } from './envelope.ts';
import { takeForms } from './forms.ts';
import { type HostConfig, resolveHost } from './hosts.ts';
import { limitRate, type RateLimit } from './rate-limit.ts';
import { authenticateSession, isSession } from './session.ts';

/**
 * Where an operation is served: under `/v3` on the application host, under `/apps/{appId}` on the management host, or
 * for the account as a whole on the management host.
 */
export type Where = 'app' | 'mgmt' | 'account';

export interface Call<P, Q, B> {
  caller: Caller;
  /** The one app that path, host, header and credentials agree on; empty for operations of the account. */
  appId: string;
  params: P;
  query: Q;
  body: B;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** One operation: what the documentation, the client and the router know of it. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  on: readonly Where[];
  access: Access;
  /** What a signed-in person must be at least: an owner for what changes something, unless the operation says less. */
  role: Role;
  summary: string;
  tag: string;
  status: number;
  schema: { params?: TSchema; querystring?: TSchema; body?: TSchema; response: TSchema };
  /** What the answer is, where it is not JSON: the handler writes it by itself. */
  contentTypes: readonly string[];
  /** Further content types of the body, beside JSON, that the handler reads by itself. */
  multipart: boolean;
  bodyLimitBytes: number | undefined;
  errors: readonly ErrorCode[];
  example: unknown;
  handle(call: Call<unknown, unknown, unknown>): unknown;
}

type Known<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined;

interface OperationInput<P extends TSchema | undefined, Q extends TSchema | undefined, B extends TSchema | undefined> {
  id: string;
  method: Operation['method'];
  path: string;
  on: readonly Where[];
  access?: Access;
  role?: Role;
  summary: string;
  tag: string;
  status?: number;
  params?: P;
  query?: Q;
  body?: B;
  response: TSchema;
  contentTypes?: readonly string[];
  multipart?: boolean;
  bodyLimitBytes?: number;
  errors?: readonly ErrorCode[];
  example: unknown;
  /** The answer, or a promise of it where there is something to wait for. */
  handle(call: Call<Known<P>, Known<Q>, Known<B>>): unknown;
}

/** Ties the handler's types to the schemas that check them. */
export function operation<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(input: OperationInput<P, Q, B>): Operation {
  const { params, query, body, response } = input;
  return {
    ...input,
    access: input.access ?? 'fullAccess',
    role: input.role ?? (input.method === 'GET' ? 'viewer' : 'owner'),
    status: input.status ?? 200,
    contentTypes: input.contentTypes ?? ['application/json'],
    multipart: input.multipart ?? false,
    bodyLimitBytes: input.bodyLimitBytes,
    errors: input.errors ?? [],
    schema: { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }), response },
    // The schemas have checked the parts by the time the handler runs, so their static types hold.
    handle: (call) => input.handle(call as Call<Known<P>, Known<Q>, Known<B>>),
  };
}

export interface Gate {
  hosts: HostConfig;
  credentials: Credentials;
  rateLimit: RateLimit;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    appId: string;
    /** The pattern of the address, once an operation is asked for. */
    route: string;
  }
}

/** Registers each operation at each place it is served, behind the gate: host, credentials, rate, app, scope. */
export function registerOperations(server: FastifyInstance, operations: readonly Operation[], gate: Gate): void {
  const asked = new Map<string, Set<string>>();
  const register = (scope: FastifyInstance, op: Operation) => {
    for (const where of op.on) {
      const isForPages = op.access === 'device' && where === 'app';
      const url = urlOf(op, where);
      if (isForPages) asked.set(url, (asked.get(url) ?? new Set()).add(op.method));
      scope.route({
        method: op.method,
        url,
        schema: documented(op, where),
        ...(op.bodyLimitBytes !== undefined && { bodyLimit: op.bodyLimitBytes }),
        onRequest: [
          ...(isForPages ? [letPagesAsk] : []),
          (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
            request.route = url;
            const admitted = admit(request, reply, op, where, gate);
            if (admitted === undefined) done();
            else admitted.then(() => done(), done);
          },
        ],
        ...(op.schema.body !== undefined && {
          preValidation: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
            done(mistakeInBody(request, op)),
        }),
        handler: (request, reply) => serve(request, reply, op),
      });
    }
  };
  for (const op of operations) if (!op.multipart) register(server, op);
  void server.register(async (scope) => {
    await takeForms(scope);
    for (const op of operations) if (op.multipart) register(scope, op);
  });
  registerPreflight(server, asked);
}

/** Waits only where there is something to wait for: whoever called before is remembered. */
function admit(request: FastifyRequest, reply: FastifyReply, op: Operation, where: Where, gate: Gate): Soon<undefined> {
  const { headers } = request;
  // The dashboard is served by the management host, and its sessions reach every operation from there.
  const bySession = isSession(headers, op.access);
  const host = resolveHost(headers.host, where === 'app' && !bySession ? 'app' : 'mgmt', gate.hosts);
  const sentAppId = single(headers.appid);
  const found = bySession
    ? authenticateSession(request, op, gate.credentials)
    : where === 'app'
      ? authenticateApp(headers, op.access, gate.credentials, host.appId ?? sentAppId)
      : authenticateManagement(headers, gate.credentials);
  const check = (caller: Caller): Soon<undefined> => {
    request.caller = caller;
    limitRate(gate.rateLimit, caller, reply);
    if (where === 'account') return checkScope(caller, op.access, op.role);
    const pathAppId = where === 'mgmt' ? (request.params as { appId: string }).appId : undefined;
    const enter = (appId: string): undefined => {
      request.appId = appId;
      checkScope(caller, op.access, op.role);
    };
    return andThen(agreeOnApp(caller, [pathAppId, host.appId, sentAppId], gate.credentials), enter);
  };
  return andThen(found, check);
}

/** What no schema sees: a body that is not there, a form larger than the operation takes. */
function mistakeInBody(request: FastifyRequest, op: Operation): ApiError | undefined {
  if (op.multipart && request.isMultipart()) {
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > request.routeOptions.bodyLimit;
    return isTooLarge ? new ApiError('ERR_PAYLOAD_TOO_LARGE') : undefined;
  }
  if (request.body !== undefined || op.schema.body === undefined) return undefined;
  if (Type.IsOptional(op.schema.body)) {
    // The schema of a body that may be left out has fields that all may be left out.
    request.body = {};
    return undefined;
  }
  return badField('body', 'This operation needs a body. Send it as application/json.');
}

function serve(request: FastifyRequest, reply: FastifyReply, op: Operation): unknown {
  const { caller, appId, params, query, body } = request;
  if (caller === undefined) throw new Error('The gate let nobody through.');
  reply.code(op.status);
  return op.handle({ caller, appId, params, query, body, request, reply });
}

export function urlOf(op: Operation, where: Where): string {
  const prefix = { app: '/v3', mgmt: '/apps/:appId', account: '' }[where];
  return prefix + op.path;
}

/** Errors that any operation behind the gate can answer with. */
const gateErrors: Record<Where, readonly ErrorCode[]> = {
  app: ['AUTH_ERR_EMPTY_APIKEY', 'AUTH_ERR_APIKEY_NOT_FOUND', 'AUTH_ERR_NO_ACCESS', 'ERR_APP_NOT_FOUND'],
  mgmt: ['AUTH_ERR_EMPTY_AUTH_HEADER', 'AUTH_ERR_KEY_PAIR_NOT_FOUND', 'ERR_APP_NOT_FOUND'],
  account: ['AUTH_ERR_EMPTY_AUTH_HEADER', 'AUTH_ERR_KEY_PAIR_NOT_FOUND'],
};

function errorsOf(op: Operation, where: Where): ErrorCode[] {
  const errors: ErrorCode[] = ['ERR_BAD_REQUEST'];
  if (op.access !== 'anyone') errors.push(...gateErrors[where], 'AUTH_ERR_SESSION_NOT_FOUND');
  if (op.access !== 'anyone' && op.role !== 'viewer') errors.push('AUTH_ERR_ROLE');
  if (op.access === 'device' && where === 'app') errors.push('AUTH_ERR_AUTH_TOKEN_NOT_FOUND');
  // A body is read wherever one may come, also where none is needed.
  if (op.method !== 'GET')
    errors.push('AUTH_ERR_FOREIGN_ORIGIN', 'ERR_PAYLOAD_TOO_LARGE', 'ERR_UNSUPPORTED_MEDIA_TYPE');
  errors.push(...op.errors, 'ERR_WRONG_HOST', 'ERR_TOO_MANY_REQUESTS', 'ERR_EXCEPTION', 'ERR_OPERATION_FAILED');
  return [...new Set(errors)];
}

function documented(op: Operation, where: Where) {
  const { body, response, params, ...rest } = op.schema;
  return {
    ...rest,
    ...(where === 'mgmt' ? { params: withAppId(params) } : params && { params }),
    ...(body && {
      body: op.multipart
        ? { content: { 'application/json': { schema: body }, 'multipart/form-data': { schema: {} } } }
        : body,
    }),
    operationId: where === 'mgmt' && op.on.includes('app') ? `${op.id}OfApp` : op.id,
    summary: op.summary,
    tags: [op.tag],
    security: securityOf(op, where),
    response: {
      [op.status]: {
        description: 'Done.',
        content: Object.fromEntries(op.contentTypes.map((type) => [type, { schema: response, example: op.example }])),
      },
      ...errorResponses(errorsOf(op, where)),
    },
  };
}

/** Any text is let through to the gate, which answers for apps that are not there. */
function withAppId(params: TSchema | undefined): TSchema {
  const appId = Type.String({ description: 'The id of the app, 16 lower-case hex digits.' });
  return Type.Object({ appId, ...(Type.IsObject(params) && params.properties) });
}

function securityOf(op: Operation, where: Where): Record<string, string[]>[] {
  if (op.access === 'anyone') return [];
  if (where !== 'app') return [{ key: [], secret: [] }, { session: [] }];
  return op.access === 'device'
    ? [{ apikey: [] }, { authToken: [] }, { session: [] }]
    : [{ apikey: [] }, { session: [] }];
}
