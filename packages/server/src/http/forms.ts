import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';

/** The largest list of keywords, as JSON, as a form or as a file of its own. */
export const listBytesMax = 20 * 1024 * 1024;
const fileBytesMax = 1024 * 1024;

/**
 * Lets the routes of this scope take forms. Only theirs: the reader of forms watches every request of its scope for files
 * to remove, which cost a request that brings none a tenth of its time.
 */
export async function takeForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, {
    limits: { fileSize: fileBytesMax, fieldSize: listBytesMax, files: 1, fields: 10, parts: 11 },
  });
}
