import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;

it('runs the simulated providers with the faults given as flags', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-simulate-'));
  const ca = join(folder, 'ca.pem');
  const flags = ['--ca', ca, '--fault', 'latencyMs=20', '--fault', 'errorShare=0.5', '--seed', '7', '--json'];
  const child = spawn(process.execPath, [main, 'simulate', ...flags]);
  try {
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    const { controlUrl } = JSON.parse(String(line));
    const state = await (await fetch(`${controlUrl}/state`)).json();
    for (const provider of ['apns', 'fcm', 'webpush'])
      expect(state).toHaveProperty(`${provider}.faults`, expect.objectContaining({ latencyMs: 20, errorShare: 0.5 }));
    expect(readFileSync(ca, 'utf8')).toContain('BEGIN CERTIFICATE');
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
});

it.each([
  [['--fault', 'latencyMs'], 'must be name=value'],
  [['--fault', 'nonsense=1'], 'there is no fault "nonsense"'],
  [['--fault', 'errorShare=2'], 'errorShare must be at most 1'],
  [['--seed', 'x'], '--seed must be a whole number'],
])('says what is wrong with %j', async (flags, message) => {
  const child = spawn(process.execPath, [main, 'simulate', ...flags]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part) => {
    said += part;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toContain(message);
});
