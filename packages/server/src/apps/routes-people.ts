import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { isoTime, line, recordId } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import { cursorQuery, limitQuery, listMeta } from '../paging.ts';
import type { Store } from '../store/store.ts';
import { listAudit } from './audit.ts';
import { changePerson, createSignInLink, invitePerson, listPeople, type Person, removePerson } from './people.ts';
import { wholeAccount } from './routes.ts';
import { emailField, roleField } from './routes-sessions.ts';

const tag = 'People';
const strict = { additionalProperties: false };

const person = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: roleField,
  isInvited: Type.Boolean({ description: 'Has not used their first link yet.' }),
  createdAt: Type.String(),
});
const link = {
  token: Type.String({ description: 'Shown once. The link is /dashboard/welcome#<token>.' }),
  expiresAt: Type.String(),
};
const at = '2026-01-31T12:00:00.000Z';
const examplePerson = {
  id: '5a1f9a52-64a5-4a9e-8f0e-1f3a5b7c9d11',
  email: 'grace@example.org',
  name: 'Grace',
  role: 'moderator',
  isInvited: true,
  createdAt: at,
};
const personParams = Type.Object({ personId: recordId });
const shown = (found: Person) => ({ ...found, createdAt: isoTime(found.createdAt) });
const by = (caller: Caller) => ({ accountId: wholeAccount(caller), actor: actorOf(caller) });

export function peopleRoutes(store: Store): Operation[] {
  return [...personRoutes(store), ...auditRoutes(store)];
}

function personRoutes(store: Store): Operation[] {
  return [
    operation({
      id: 'listPeople',
      method: 'GET',
      path: '/people',
      on: ['account'],
      tag,
      summary: 'List the people who may sign in to the dashboard.',
      response: Type.Object({ data: Type.Array(person) }),
      errors: ['AUTH_ERR_NO_ACCESS'],
      example: { data: [examplePerson] },
      handle: async ({ caller }) => ({ data: (await listPeople(store, wholeAccount(caller))).map(shown) }),
    }),
    operation({
      id: 'invitePerson',
      method: 'POST',
      path: '/people',
      on: ['account'],
      tag,
      summary: 'Invite somebody. The answer holds, once, the link with which they choose their password.',
      body: Type.Object({ email: emailField, name: line(100), role: roleField }, strict),
      response: Type.Object({ data: Type.Object({ ...person.properties, ...link }) }),
      errors: ['ERR_PERSON_ALREADY_EXISTS', 'AUTH_ERR_NO_ACCESS'],
      example: { data: { ...examplePerson, token: '<shown once>', expiresAt: at } },
      handle: async ({ caller, body }) => {
        const { person: found, token, expiresAt } = await store.change(invitePerson, { ...body, ...by(caller) });
        return { data: { ...shown(found), token, expiresAt: isoTime(expiresAt) } };
      },
    }),
    operation({
      id: 'changePerson',
      method: 'PATCH',
      path: '/people/:personId',
      on: ['account'],
      tag,
      summary: 'Change the name or the role of a person. It acts on their next request.',
      params: personParams,
      body: Type.Object({ name: Type.Optional(line(100)), role: Type.Optional(roleField) }, strict),
      response: Type.Object({ data: person }),
      errors: ['ERR_PERSON_NOT_FOUND', 'ERR_LAST_OWNER', 'AUTH_ERR_NO_ACCESS'],
      example: { data: examplePerson },
      handle: async ({ caller, params, body }) => ({
        data: shown(await store.change(changePerson, { ...body, ...by(caller), id: params.personId })),
      }),
    }),
    operation({
      id: 'removePerson',
      method: 'DELETE',
      path: '/people/:personId',
      on: ['account'],
      tag,
      summary: 'Remove a person. Their sessions end at once.',
      params: personParams,
      response: success,
      errors: ['ERR_PERSON_NOT_FOUND', 'ERR_LAST_OWNER', 'AUTH_ERR_NO_ACCESS'],
      example: { data: { success: true } },
      handle: async ({ caller, params }) => {
        await store.change(removePerson, { ...by(caller), id: params.personId });
        return { data: { success: true } };
      },
    }),
    operation({
      id: 'createSignInLink',
      method: 'POST',
      path: '/people/:personId/links',
      on: ['account'],
      tag,
      summary: 'Make a link with which a person chooses a new password. It works once, for a day.',
      params: personParams,
      response: Type.Object({ data: Type.Object(link) }),
      errors: ['ERR_PERSON_NOT_FOUND', 'AUTH_ERR_NO_ACCESS'],
      example: { data: { token: '<shown once>', expiresAt: at } },
      handle: async ({ caller, params }) => {
        const made = await store.change(createSignInLink, { ...by(caller), id: params.personId });
        return { data: { ...made, expiresAt: isoTime(made.expiresAt) } };
      },
    }),
  ];
}

const auditQuery = Type.Object(
  {
    limit: limitQuery(1000, 50),
    cursor: cursorQuery,
    action: Type.Optional(Type.String({ maxLength: 100, description: 'The name of an operation.' })),
    actor: Type.Optional(Type.String({ maxLength: 200, description: 'Such as person:<id> or apiKey:<id>.' })),
    target: Type.Optional(Type.String({ maxLength: 300, description: 'The id of what was changed.' })),
  },
  strict,
);
const auditPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Type.String(),
      actor: Type.String(),
      actorName: Type.Optional(Type.String({ description: 'The name of a person or key, while it exists.' })),
      action: Type.String(),
      target: Type.String(),
      appId: Type.Optional(Type.String()),
      before: Type.Optional(Type.Unsafe<unknown>({})),
      after: Type.Optional(Type.Unsafe<unknown>({})),
    }),
  ),
  meta: listMeta,
});
const exampleAudit = {
  data: [
    {
      id: '7d1f3a52-64a5-4a9e-8f0e-1f3a5b7c9d11',
      at,
      actor: 'person:5a1f9a52-64a5-4a9e-8f0e-1f3a5b7c9d11',
      action: 'changePerson',
      target: examplePerson.id,
      before: { role: 'viewer' },
      after: { role: 'moderator' },
    },
  ],
  meta: { current: { limit: 50, count: 1 } },
};

function auditRoutes(store: Store): Operation[] {
  const shared = { method: 'GET', path: '/audit', tag, query: auditQuery, response: auditPage } as const;
  return [
    operation({
      ...shared,
      id: 'listAudit',
      on: ['mgmt'],
      summary: 'List who changed what in an app, newest first.',
      example: exampleAudit,
      handle: ({ appId, query: { limit, cursor, ...filter } }) =>
        listAudit(store, { column: 'app_id', id: appId }, filter, limit, cursor),
    }),
    operation({
      ...shared,
      id: 'listAccountAudit',
      on: ['account'],
      summary: 'List who changed what in the account (people, sessions, pairs of keys, apps), newest first.',
      errors: ['AUTH_ERR_NO_ACCESS'],
      example: exampleAudit,
      handle: async ({ caller, query: { limit, cursor, ...filter } }) =>
        listAudit(store, { column: 'account_id', id: wholeAccount(caller) }, filter, limit, cursor),
    }),
  ];
}
