import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { type HostConfig, resolveHost } from './hosts.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Stands in the page where the nonce of each answer goes. */
const noncePlace = '{{nonce}}';

interface File {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

/**
 * The dashboard at /dashboard, from the folder it was built into. Its page may run our own files and nothing else; the
 * styles that its components write into the page carry the nonce of the answer.
 */
export function registerDashboard(server: FastifyInstance, folder: string, hosts: HostConfig): void {
  // Read when somebody first looks: a process that only serves the API pays nothing.
  let files: Map<string, File> | undefined;
  const show = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    resolveHost(request.headers.host, 'mgmt', hosts);
    files ??= readFiles(folder);
    const { '*': path = '' } = request.params as { '*'?: string };
    const file = files.get(path);
    if (file !== undefined && path !== 'index.html') {
      // Built files have their hash in their names.
      if (path.startsWith('assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable');
      return sendFile(request, reply, file);
    }
    if (path.startsWith('assets/')) throw new ApiError('ERR_API_NOT_FOUND');
    return sendPage(reply, files.get('index.html'));
  };
  const hide = { schema: { hide: true } };
  server.get('/', hide, (_request, reply) => reply.redirect('/dashboard', 302));
  server.get('/dashboard', hide, show);
  server.get('/dashboard/*', hide, show);
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, bytes, gzipped }: File): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding');
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(bytes);
}

/** Every address below /dashboard is the same page; it reads the address itself. */
function sendPage(reply: FastifyReply, page: File | undefined): FastifyReply {
  if (page === undefined)
    return reply.code(404).type('text/plain; charset=utf-8').send('The dashboard is not built. Run: npm run build\n');
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type(page.type)
    .header('content-security-policy', policy(nonce))
    .header('cross-origin-opener-policy', 'same-origin')
    .send(page.bytes.toString('utf8').replaceAll(noncePlace, nonce));
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Pictures and films of messages are fetched from this server by the page, which then shows what it holds.
    "img-src 'self' data: blob:",
    'media-src blob:',
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function readFiles(folder: string): Map<string, File> {
  const files = new Map<string, File>();
  for (const name of namesIn(folder)) {
    const bytes = readFileSync(join(folder, name));
    const type = types[extname(name)] ?? 'application/octet-stream';
    files.set(name.replaceAll('\\', '/'), { type, bytes, gzipped: gzipSync(bytes, { level: 9 }) });
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return (
      readdirSync(folder, { recursive: true, withFileTypes: true })
        // What the build keeps for itself is nobody else's.
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== 'manifest.json')
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(folder.length)
            .replace(/^[\\/]/, ''),
        )
    );
  } catch {
    return [];
  }
}
