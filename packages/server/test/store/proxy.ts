/** A door between the service and PostgreSQL that a test can shut and open again: a network that fails. */
import { connect, createServer, type Socket } from 'node:net';

export interface Door {
  url: string;
  /** Cuts every connection and takes no new one. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Connections that are open now and began with this text go silent, and nobody is told: a network that forgot them. New ones work. */
  freeze(text: string): void;
  /** Passes the commit of the change that writes this text on, and cuts the line where the answer comes back. */
  cutCommitOf(text: string): void;
}

interface Line {
  near: Socket;
  far: Socket;
  /** What the near end said first: who it is. */
  first: string;
  isCut: boolean;
}

export async function makeDoor(databaseUrl: string): Promise<Door> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const lines = new Set<Line>();
  let unanswered: string | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    const line: Line = { near, far, first: '', isCut: false };
    lines.add(line);
    near.once('data', (bytes) => {
      line.first = bytes.toString('latin1');
    });
    near.on('data', (bytes) => {
      if (unanswered !== undefined && bytes.includes(unanswered)) line.isCut = true;
      if (!line.isCut || !bytes.includes('COMMIT')) return;
      unanswered = undefined;
      far.unpipe(near).resume();
      far.once('data', () => near.destroy());
    });
    for (const [socket, opposite] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        lines.delete(line);
        opposite.destroy();
      });
      socket.pipe(opposite);
    }
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    shut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    open: () => listen(port),
    cutCommitOf: (text) => {
      unanswered = text;
    },
    freeze: (text) => {
      for (const { near, far, first } of lines) {
        if (!first.includes(text)) continue;
        near.unpipe(far).resume();
        far.unpipe(near).resume();
      }
    },
  };
}
