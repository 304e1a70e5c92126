import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { version } from '../version.ts';
import { errorEnvelope } from './envelope.ts';
import { serializerCompiler } from './serialization.ts';
import { validatorCompiler } from './validation.ts';

/**
 * The OpenAPI document, made from the operations once more, on a server that listens nowhere: few processes are ever asked for
 * it, and what makes it would take its share of every start.
 */
export async function describeOperations(register: (server: FastifyInstance) => void): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger');
  const server = Fastify({ exposeHeadRoutes: false, ajv: { customOptions: { strict: false } } });
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.addSchema(errorEnvelope);
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
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'gatehouse',
            description: 'A person who signed in to the dashboard. On paths under /v3 the header appId names the app.',
          },
          authToken: { type: 'apiKey', in: 'header', name: 'authToken', description: "A device's own auth token." },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`),
    },
  });
  register(server);
  await server.ready();
  const document = server.swagger();
  await server.close();
  return document;
}

/** The document at /openapi.json and a page to try it at /reference, which asks nothing of any other host. */
export function registerReference(server: FastifyInstance, describe: () => Promise<object>): void {
  let document: Promise<object> | undefined;
  server.get('/openapi.json', { schema: { hide: true } }, () => {
    document ??= describe();
    return document;
  });
  // The page weighs megabytes and few processes ever show it: it is loaded when somebody first looks.
  let page: Promise<FastifyInstance> | undefined;
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    page ??= createPage();
    const { statusCode, headers, rawPayload } = await (await page).inject({ method: 'GET', url: request.url });
    return reply
      .code(statusCode)
      .headers({ ...headers, 'content-security-policy': pagePolicy })
      .send(rawPayload);
  };
  server.get('/reference', { schema: { hide: true } }, show);
  server.get('/reference/*', { schema: { hide: true } }, show);
}

const pagePolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

async function createPage(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const page = Fastify();
  await page.register(reference, {
    routePrefix: '/reference',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });
  return page;
}
