import type { FastifyInstance } from 'fastify';
import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import { version } from '../version.ts';

export interface Readiness {
  /** Set when the process is on its way out: it answers, but wants no new work. */
  stopping: boolean;
}

/** For machines that watch: alive, ready, measured, and which version. */
export function registerHealth(server: FastifyInstance, store: Store, events: Events, readiness: Readiness): void {
  const hide = { schema: { hide: true } };
  server.get('/livez', hide, () => ({ status: 'ok' }));
  server.get('/readyz', hide, async (_request, reply) => {
    if (readiness.stopping) return reply.code(503).send({ status: 'stopping' });
    try {
      await store.ping();
      return { status: 'ok', store: store.dialect };
    } catch (error) {
      events.broken('store is not ready', error);
      return reply.code(503).send({ status: 'store unavailable' });
    }
  });
  server.get('/metrics', hide, async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await events.metrics()),
  );
  server.get('/version', hide, () => ({ name: 'gatehouse', version, node: process.version, store: store.dialect }));
}
