// nghttpd (C, Debian: nghttp2-server) with a file for every token, so that each push is answered 200: a server that is not ours.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeCertificates } from '../../packages/courier/dist/simulator/index.js';
import { tokens } from './peers.mjs';

const STREAMS = 1_000;

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The details a client needs in place of the simulator's, and the way to stop it; undefined when it is not installed. */
export async function startNghttpd(scratch, server) {
  if (spawnSync('which', ['nghttpd']).status !== 0) return undefined;
  const certificates = makeCertificates(['localhost'], ['127.0.0.1']);
  const devices = join(scratch, 'htdocs', '3', 'device');
  mkdirSync(devices, { recursive: true });
  for (const token of tokens) writeFileSync(join(devices, token), '');
  writeFileSync(join(scratch, 'cert.pem'), certificates.cert);
  writeFileSync(join(scratch, 'key.pem'), certificates.key);
  const port = await freePort();
  const args = ['-m', String(STREAMS), '-d', join(scratch, 'htdocs'), String(port)];
  const child = spawn('nghttpd', [...args, join(scratch, 'key.pem'), join(scratch, 'cert.pem')], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    server: { ...server, ca: certificates.ca, apns: { ...server.apns, host: `localhost:${port}` } },
    stop: () => child.kill(),
  };
}
