/** The service under test and the bare peer, with the processor time that their main threads used. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flags, service } from '../program.mjs';

const env = { ...process.env, GATEHOUSE_RATE_PER_MINUTE: '1000000000', NODE_ENV: 'production' };

function start(args, options) {
  const child = spawn(process.execPath, args, options);
  // Whatever ends this script ends what it started.
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

/** Microseconds of the main thread, where requests are served; undefined where there is no /proc. */
function cpuUs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return undefined;
  }
}

export async function startService(data, settings = {}) {
  const child = start([...service, 'serve', '--json', '--port', '0', '--data', data], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout, 'data');
  return { ...JSON.parse(String(line)), cpuUs: () => cpuUs(child.pid), stop: () => stop(child) };
}

export async function startBare(folder, headers, body) {
  const file = join(folder, 'answer.json');
  // Date and connection headers are node:http's own, there and here.
  const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const kept = Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
  writeFileSync(file, JSON.stringify({ headers: kept, body }));
  const child = start([...flags, join(import.meta.dirname, 'bare.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${String(line).trim()}/`,
    cpuUs: () => cpuUs(child.pid),
    stop: () => child.kill('SIGKILL'),
  };
}

async function stop(child) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
