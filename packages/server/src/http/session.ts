import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Credentials } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { type Access, single } from './auth.ts';

/** The cookie of a signed-in person: not for scripts, not for other sites, and under https for https only. */
const plainName = 'gatehouse';
const secureName = '__Host-gatehouse';

/** A request with a key of its own is that key's, whatever cookie a browser adds to it. */
export function isSession(headers: IncomingHttpHeaders, access: Access): boolean {
  if (access === 'anyone') return true;
  if (headers.cookie === undefined) return false;
  const hasKey = [headers.apikey, headers.key, headers.secret, headers.authtoken].some((key) => key !== undefined);
  return !hasKey && tokenOf(headers) !== undefined;
}

export async function authenticateSession(
  request: FastifyRequest,
  { access, method }: { access: Access; method: string },
  credentials: Credentials,
): Promise<Caller> {
  if (method !== 'GET') checkOrigin(request.headers);
  const token = tokenOf(request.headers);
  const person = token === undefined ? undefined : await credentials.findPerson(token);
  if (person !== undefined) return person;
  if (access === 'anyone') return { kind: 'visitor', id: request.ip };
  throw new ApiError('AUTH_ERR_SESSION_NOT_FOUND');
}

/**
 * Another site may make a browser send its cookie, and cannot hide that it does. A change is made only when the browser
 * says that it was asked for by a page of this very host.
 */
function checkOrigin(headers: IncomingHttpHeaders): void {
  const site = single(headers['sec-fetch-site']);
  // Behind a proxy that renames hosts only the browser itself knows that page and server are one.
  if (site === 'same-origin') return;
  const origin = single(headers.origin);
  const isOwn = origin !== undefined && URL.canParse(origin) && new URL(origin).host === headers.host;
  if (site !== undefined || !isOwn) throw new ApiError('AUTH_ERR_FOREIGN_ORIGIN');
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string, maxAgeMs: number): void {
  const name = isSecure(request) ? secureName : plainName;
  const secure = isSecure(request) ? '; Secure' : '';
  const maxAge = Math.floor(maxAgeMs / 1000);
  reply.header('set-cookie', `${name}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setSessionCookie(request, reply, '', 0);
}

/** A proxy that ends TLS says so. Whoever claims it falsely only keeps their own cookie from themselves. */
function isSecure(request: FastifyRequest): boolean {
  const forwarded = single(request.headers['x-forwarded-proto'])?.split(',')[0]?.trim();
  return (forwarded ?? request.protocol) === 'https';
}

function tokenOf({ cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined) return undefined;
  const cookies = new Map(
    cookie.split(';').map((pair) => {
      const [name = '', ...value] = pair.trim().split('=');
      return [name, value.join('=')];
    }),
  );
  const token = cookies.get(secureName) ?? cookies.get(plainName);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}
