import swagger from '@fastify/swagger';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { version } from '../version.ts';

/** The OpenAPI document, made from the routes; register before them. */
export async function registerOpenApi(server: FastifyInstance): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version,
        description:
          'Moderation and push for chat. Paths under /v3 are of the application host, all others of the management host; one process serves both.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      components: {
        securitySchemes: {
          apikey: {
            type: 'apiKey',
            in: 'header',
            name: 'apikey',
            description: 'An API key of the app; most operations need the scope fullAccess.',
          },
          key: { type: 'apiKey', in: 'header', name: 'key', description: 'The key of an account-level pair.' },
          secret: { type: 'apiKey', in: 'header', name: 'secret', description: 'The secret of the same pair.' },
          authToken: { type: 'apiKey', in: 'header', name: 'authToken', description: "A device's own auth token." },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`),
    },
  });
}

/** The document at /openapi.json and a page to try it at /reference, which asks nothing of any other host. */
export async function registerReference(server: FastifyInstance): Promise<void> {
  server.get('/openapi.json', { schema: { hide: true } }, () => server.swagger());
  await server.register(reference, {
    routePrefix: '/reference',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
}
