/** What is sent to a browser that asks for the dashboard. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { root } from './browser.ts';

describe('the page of the dashboard', () => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse('sqlite');
  });
  afterAll(() => gatehouse.close());

  it('is where / leads to', async () => {
    const answer = await fetch(gatehouse.url, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard']);
  });

  it('may run its own files and nothing else, with a fresh nonce for styles each time', async () => {
    const first = await gatehouse.ask('/dashboard/anything/at/all');
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(nonce.length).toBeGreaterThan(20);
    expect(first.text).toContain(`content="${nonce}"`);
    expect(first.text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    const second = await gatehouse.ask('/dashboard');
    expect(second.headers.get('content-security-policy')).not.toBe(policy);
    expect([first.headers.get('cache-control'), first.headers.get('x-frame-options')]).toEqual(['no-store', 'DENY']);
  });

  it('has files that browsers may keep, and answers 404 for others', async () => {
    const { text } = await gatehouse.ask('/dashboard');
    const script = /src="([^"]+\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
    const answer = await gatehouse.ask(script, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    for (const path of ['/dashboard/assets/none.js', '/dashboard/assets/..%2f..%2fpackage.json'])
      expect((await gatehouse.ask(path)).status).toBe(404);
    const stamp = await gatehouse.ask('/dashboard/.stamp');
    expect(stamp.text).toContain('<!doctype html>');
  });

  it('is served by the management host only, where there is one', async () => {
    const other = await startGatehouse('sqlite', { GATEHOUSE_DOMAIN: 'example.org' });
    const answer = await fetch(`${other.url}/dashboard`);
    expect(answer.status).toBe(421);
    await other.close();
  });

  it('weighs under 250 KB, gzipped, up to the first screen', () => {
    const folder = join(root, 'packages/dashboard/dist');
    const chunks = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<
      string,
      { file: string; css?: string[]; imports?: string[] }
    >;
    const files = new Set(['theme.js', 'index.html']);
    const take = (name: string): void => {
      const chunk = chunks[name];
      if (chunk === undefined || files.has(chunk.file)) return;
      for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
      chunk.imports?.forEach(take);
    };
    for (const name of ['index.html', 'src/house.tsx', 'src/overview/overview.tsx']) take(name);
    const bytes = [...files].map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
    const total = bytes.reduce((sum, one) => sum + one, 0);
    expect(files.size).toBeGreaterThan(6);
    expect(total).toBeLessThan(250 * 1024);
  });
});
