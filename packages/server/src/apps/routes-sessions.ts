import type { FastifyRequest } from 'fastify';
import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { isoTime, line, recordId } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import { clearSessionCookie, setSessionCookie } from '../http/session.ts';
import type { Store } from '../store/store.ts';
import { findPerson } from './people.ts';
import { endSession, lifeMs, listSessions, type SeenFrom, type Session, signOutEverywhere } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

const tag = 'People';
const strict = { additionalProperties: false };

export const emailField = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001f\\u007f]{1,64}@[^\\s@\\u0000-\\u001f\\u007f]{1,189}$',
  description: 'An e-mail address.',
});
export const roleField = Type.Enum(['owner', 'moderator', 'viewer']);
const passwordField = Type.String({ minLength: 10, maxLength: 200, description: '10 to 200 characters.' });
const linkTokenField = Type.String({ pattern: '^[\\w-]{32}$', description: 'The token at the end of the link.' });

const me = Type.Object({
  data: Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: roleField,
    sessionId: Type.String(),
  }),
});
const exampleMe = {
  data: {
    id: '5a1f9a52-64a5-4a9e-8f0e-1f3a5b7c9d11',
    email: 'ada@example.org',
    name: 'Ada',
    role: 'owner',
    sessionId: '0e8bb4a2-3f0c-4dd0-9a55-0a4a8f2d4a11',
  },
};
const session = Type.Object({
  id: Type.String(),
  personId: Type.String(),
  email: Type.String(),
  browser: Type.String(),
  address: Type.String(),
  createdAt: Type.String(),
  seenAt: Type.String(),
  isThis: Type.Boolean(),
});
const at = '2026-01-31T12:00:00.000Z';
const exampleSession = {
  id: exampleMe.data.sessionId,
  personId: exampleMe.data.id,
  email: 'ada@example.org',
  browser: 'Mozilla/5.0',
  address: '192.0.2.7',
  createdAt: at,
  seenAt: at,
  isThis: true,
};

export function sessionRoutes(store: Store, signIn: SignIn): Operation[] {
  return [...entryRoutes(signIn), ...ownRoutes(store, signIn), ...listRoutes(store)];
}

function entryRoutes(signIn: SignIn): Operation[] {
  const enter = { on: ['account'], access: 'anyone', role: 'viewer', tag, response: success } as const;
  const entered = { data: { success: true } };
  return [
    operation({
      ...enter,
      id: 'signIn',
      method: 'POST',
      path: '/session',
      summary: 'Sign in with e-mail address and password. The answer sets the session cookie.',
      body: Type.Object({ email: emailField, password: Type.String({ minLength: 1, maxLength: 200 }) }, strict),
      errors: ['AUTH_ERR_WRONG_PASSWORD', 'AUTH_ERR_TOO_MANY_ATTEMPTS'],
      example: entered,
      handle: async ({ body, request, reply }) => {
        const { token } = await signIn.signIn(body.email, body.password, seenFrom(request));
        setSessionCookie(request, reply, token, lifeMs);
        return entered;
      },
    }),
    operation({
      ...enter,
      id: 'readSignInLink',
      method: 'POST',
      path: '/sign-in-links/read',
      summary: 'Say whom a sign-in link is for, without using it.',
      body: Type.Object({ token: linkTokenField }, strict),
      response: Type.Object({
        data: Type.Object({
          role: roleField,
          expiresAt: Type.String(),
          email: Type.Optional(Type.String()),
          name: Type.Optional(Type.String()),
        }),
      }),
      errors: ['ERR_LINK_NOT_FOUND'],
      example: { data: { role: 'owner', expiresAt: at } },
      handle: async ({ body }) => {
        const link = await signIn.readLink(body.token);
        return { data: { ...link, expiresAt: isoTime(link.expiresAt) } };
      },
    }),
    operation({
      ...enter,
      id: 'redeemSignInLink',
      method: 'POST',
      path: '/sign-in-links/redeem',
      summary: 'Choose a password with a link that works once, and sign in. The first link makes the first owner.',
      body: Type.Object(
        {
          token: linkTokenField,
          password: passwordField,
          email: Type.Optional(emailField),
          name: Type.Optional(line(100)),
        },
        strict,
      ),
      errors: ['ERR_LINK_NOT_FOUND', 'ERR_PERSON_ALREADY_EXISTS'],
      example: entered,
      handle: async ({ body, request, reply }) => {
        const { token } = await signIn.useLink(body, seenFrom(request));
        setSessionCookie(request, reply, token, lifeMs);
        return entered;
      },
    }),
  ];
}

function ownRoutes(store: Store, signIn: SignIn): Operation[] {
  const own = { on: ['account'], role: 'viewer', tag } as const;
  return [
    operation({
      ...own,
      id: 'getSession',
      method: 'GET',
      path: '/session',
      summary: 'Say who is signed in.',
      response: me,
      errors: ['AUTH_ERR_NO_ACCESS', 'ERR_PERSON_NOT_FOUND'],
      example: exampleMe,
      handle: async ({ caller }) => {
        const { accountId, id, sessionId } = personOf(caller);
        const { email, name, role } = await findPerson(store, accountId, id);
        return { data: { id, email, name, role, sessionId } };
      },
    }),
    operation({
      ...own,
      id: 'signOut',
      method: 'DELETE',
      path: '/session',
      summary: 'Sign out here, or with everywhere=true in every browser.',
      query: Type.Object({ everywhere: Type.Boolean({ default: false }) }, strict),
      response: success,
      errors: ['AUTH_ERR_NO_ACCESS', 'ERR_SESSION_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, query, request, reply }) => {
        const { accountId, id, sessionId } = personOf(caller);
        const by = { accountId, actor: actorOf(caller) };
        if (query.everywhere) await store.change(signOutEverywhere, { ...by, personId: id });
        else await store.change(endSession, { ...by, id: sessionId });
        clearSessionCookie(request, reply);
        return { data: { success: true } };
      },
    }),
    operation({
      ...own,
      id: 'changePassword',
      method: 'PUT',
      path: '/session/password',
      summary: 'Change your own password. Every other session of yours ends.',
      body: Type.Object(
        { currentPassword: Type.String({ minLength: 1, maxLength: 200 }), password: passwordField },
        strict,
      ),
      response: success,
      errors: ['AUTH_ERR_NO_ACCESS', 'AUTH_ERR_TOO_MANY_ATTEMPTS', 'ERR_PERSON_NOT_FOUND'],
      example: { data: { success: true } },
      handle: async ({ caller, body, request }) => {
        const { accountId, id, sessionId } = personOf(caller);
        const who = { accountId, personId: id, sessionId, actor: actorOf(caller), from: seenFrom(request) };
        await signIn.changePassword(who, body.currentPassword, body.password);
        return { data: { success: true } };
      },
    }),
  ];
}

function listRoutes(store: Store): Operation[] {
  return [
    operation({
      id: 'listSessions',
      method: 'GET',
      path: '/sessions',
      on: ['account'],
      tag,
      summary: 'List who is signed in where: your own sessions, for an owner those of everybody.',
      response: Type.Object({ data: Type.Array(session) }),
      errors: ['AUTH_ERR_NO_ACCESS'],
      example: { data: [exampleSession] },
      handle: async ({ caller }) => {
        const { accountId, id, role, sessionId } = personOf(caller);
        const sessions = await listSessions(store, accountId, role === 'owner' ? undefined : id);
        return { data: sessions.map((found) => shown(found, sessionId)) };
      },
    }),
    operation({
      id: 'endSession',
      method: 'DELETE',
      path: '/sessions/:sessionId',
      on: ['account'],
      role: 'viewer',
      tag,
      summary: 'End a session: one of your own, for an owner anybody’s.',
      params: Type.Object({ sessionId: recordId }),
      response: success,
      errors: ['ERR_SESSION_NOT_FOUND', 'AUTH_ERR_NO_ACCESS'],
      example: { data: { success: true } },
      handle: async ({ caller, params }) => {
        const { accountId, id, role } = personOf(caller);
        await store.change(endSession, {
          accountId,
          id: params.sessionId,
          actor: actorOf(caller),
          ...(role !== 'owner' && { personId: id }),
        });
        return { data: { success: true } };
      },
    }),
  ];
}

function shown(found: Session, thisId: string) {
  return {
    ...found,
    createdAt: isoTime(found.createdAt),
    seenAt: isoTime(found.seenAt),
    isThis: found.id === thisId,
  };
}

/** A pair of key and secret has no sessions. */
function personOf(caller: Caller): Extract<Caller, { kind: 'person' }> {
  if (caller.kind !== 'person') throw new ApiError('AUTH_ERR_NO_ACCESS');
  return caller;
}

function seenFrom(request: FastifyRequest): SeenFrom {
  return { browser: request.headers['user-agent'] ?? '', address: request.ip };
}
