// Builds and runs client.go, if there is a Go compiler (Debian: golang-go).
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apnsPush } from './peers.mjs';

const source = new URL('client.go', import.meta.url).pathname;

/** The program's path, or undefined when it cannot be built. */
export function buildGo(scratch) {
  const binary = join(scratch, 'go-client');
  const env = { ...process.env, GO111MODULE: 'off', GOCACHE: join(scratch, 'go-cache'), GOFLAGS: '' };
  const built = spawnSync('go', ['build', '-o', binary, source], { env, encoding: 'utf8' });
  if (built.status !== 0) console.error(built.error?.code === 'ENOENT' ? 'no go here' : built.stderr);
  return built.status === 0 ? binary : undefined;
}

/** What it printed, or an error. */
export function runGo(binary, scratch, server, tokens, mode, pushes, window) {
  const { headers, body } = apnsPush(server);
  const file = join(scratch, 'go.json');
  const url = `https://${server.apns.host}/3/device/`;
  writeFileSync(file, JSON.stringify({ url, ca: server.ca, headers, body, tokens }));
  const child = spawn(binary, [file, mode, String(pushes), String(window)]);
  return answerOf(child, (err) => err.split('\n')[0]);
}

/** The JSON that a client prints before it ends, or what `errorIn` finds in its complaints. */
export function answerOf(child, errorIn) {
  let out = '';
  let err = '';
  child.stdout.on('data', (part) => (out += part));
  child.stderr.on('data', (part) => (err += part));
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    child.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out));
      } catch {
        resolve({ error: errorIn(err) || 'no answer' });
      }
    });
  });
}
