// npm run interop: the lean client against servers written by others, nghttpd and nginx (Debian: nghttp2-server, nginx-light).
// Missing ones are installed when this runs as root; otherwise it says which and fails.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../dist/clock.js';
import { openTransport } from '../dist/open-transport.js';
import { makeCertificates } from '../dist/simulator/index.js';

const REQUESTS = 20_000;
const scratch = mkdtempSync(join(tmpdir(), 'interop-'));
const certificates = makeCertificates(['localhost'], ['127.0.0.1']);
writeFileSync(join(scratch, 'cert.pem'), certificates.cert);
writeFileSync(join(scratch, 'key.pem'), certificates.key);
mkdirSync(join(scratch, 'htdocs'));
writeFileSync(join(scratch, 'htdocs', 'index.html'), 'x'.repeat(20_000));

const install = new URL('../../../scripts/install-debian.sh', import.meta.url).pathname;

/** Sends every request and counts how each ended; a connection that closes (nginx does, after keepalive_requests) is replaced. */
function exercise(port, bodyBytes) {
  const body = Buffer.alloc(bodyBytes, 'x');
  const steady = {
    fields: [
      [':method', 'POST'],
      [':scheme', 'https'],
      [':authority', 'localhost'],
      ['x-steady', 'same every time'],
    ],
  };
  const source = {
    writeHead(call, sink) {
      sink.text(':path', call % 2 === 0 ? '/' : `/${call}`);
      sink.steady(steady);
      sink.text('x-call', String(call));
    },
    bodyLength: () => bodyBytes,
    writeBody: (_call, target, offset) => target.set(body, offset),
  };
  return new Promise((resolve, reject) => {
    const ended = new Map();
    const counts = new Map();
    const waiting = Array.from({ length: REQUESTS }, (_, i) => i);
    let connections = 0;
    const count = (how) => counts.set(how, (counts.get(how) ?? 0) + 1);
    const open = () => {
      if (++connections > 200) return reject(new Error('too many connections'));
      let transport;
      const fill = () => {
        while (transport !== undefined && waiting.length > 0 && transport.capacity() > 0)
          transport.request(waiting.pop());
        if (ended.size === REQUESTS) transport?.drain();
      };
      const end = (call, how) => {
        if (ended.has(call)) reject(new Error(`request ${call} ended twice`));
        ended.set(call, how);
        count(how);
      };
      const events = {
        onReady: fill,
        onCapacity: fill,
        onAnswer: (call, answer) =>
          end(call, `status ${answer.status} with ${answer.body.length > 0 ? 'a' : 'no'} body`),
        onLost: (call, loss) => {
          count(`${loss.processed === 'no' ? 'not processed' : 'unknown'}, sent again`);
          waiting.push(call);
        },
        onDraining: () => undefined,
        onClosed: () => (ended.size === REQUESTS ? resolve({ connections, ...Object.fromEntries(counts) }) : open()),
      };
      openTransport(
        { host: 'localhost', port, authority: 'localhost', streamsMax: 1_000, ca: certificates.ca },
        source,
        events,
        systemClock,
      ).then((opened) => {
        transport = opened;
        fill();
      }, reject);
    };
    open();
  });
}

async function against(name, command, args, port) {
  const child = spawn(command, args, { stdio: 'ignore' });
  try {
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const bodyBytes of [0, 150, 30_000]) {
      const outcome = await exercise(port, bodyBytes);
      const total = Object.entries(outcome)
        .filter(([how]) => how.startsWith('status'))
        .reduce((sum, [, count]) => sum + count, 0);
      if (total !== REQUESTS) throw new Error(`${name}: ${total} of ${REQUESTS} answered`);
      console.log(`${name}, ${REQUESTS} requests with ${bodyBytes} bytes: ${JSON.stringify(outcome)}`);
    }
  } finally {
    child.kill();
  }
}

if (spawnSync('sh', [install, 'nghttp2-server', 'nginx-light'], { stdio: 'inherit' }).status !== 0) process.exit(1);
await against(
  'nghttpd',
  'nghttpd',
  ['-d', join(scratch, 'htdocs'), '18443', join(scratch, 'key.pem'), join(scratch, 'cert.pem')],
  18_443,
);
writeFileSync(
  join(scratch, 'nginx.conf'),
  `daemon off; pid ${scratch}/pid; error_log ${scratch}/error.log; events {}
http { access_log off; client_body_temp_path ${scratch}/body; proxy_temp_path ${scratch}/proxy; fastcgi_temp_path ${scratch}/fcgi; uwsgi_temp_path ${scratch}/uwsgi; scgi_temp_path ${scratch}/scgi;
server { listen 127.0.0.1:18444 ssl http2; ssl_certificate ${scratch}/cert.pem; ssl_certificate_key ${scratch}/key.pem; keepalive_requests 3000; http2_max_concurrent_streams 128;
location = / { return 200; } location / { return 410 '{"reason":"Unregistered"}'; } } }\n`,
);
await against('nginx', 'nginx', ['-e', `${scratch}/error.log`, '-c', join(scratch, 'nginx.conf')], 18_444);
rmSync(scratch, { recursive: true });
console.log('interop: all answered');
process.exit(0);
