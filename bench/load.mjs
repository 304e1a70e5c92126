/** Load from a second process: wrk, one thread, so that the service has a core of its own. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export function installWrk() {
  execFileSync(join(import.meta.dirname, '../scripts/install-debian.sh'), ['wrk'], { stdio: 'inherit' });
}

export function wrk(url, { headers = {}, seconds = 5, connections = 64, script, method } = {}) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency'];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  if (script !== undefined) args.push('-s', script);
  if (method !== undefined) throw new Error('Give a script for other methods.');
  const text = execFileSync('wrk', [...args, url]).toString();
  const non2xx = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0);
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 200:\n${text}`);
  return {
    requests: Number(/(\d+) requests in/.exec(text)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p50: latency(text, '50%'),
    p99: latency(text, '99%'),
  };
}

function latency(text, which) {
  const found = new RegExp(`${which}\\s+([\\d.]+)(us|ms|s)`).exec(text);
  return found === null ? Number.NaN : Number(found[1]) * { us: 0.001, ms: 1, s: 1000 }[found[2]];
}

/** The machines are noisy: the best of several runs, ours and the peer's in turns. */
export function best(runs) {
  return runs.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
}

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

export const round = (number, digits = 0) =>
  Number(number).toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
