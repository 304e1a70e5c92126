/** Where a store lies, for tests that open the same one several times or from several processes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { openStore } from '../../src/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabase } from '../postgres-cluster.ts';

export interface Place {
  folder: string;
  /** What points a process at this store, and nothing else of ours. */
  environment: Record<string, string>;
  config: Config;
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export async function makePlace(store: 'sqlite' | 'postgres', more: Record<string, string> = {}): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-place-'));
  const database = store === 'postgres' ? await createDatabase(inject('clusterUrl')) : undefined;
  const environment = {
    GATEHOUSE_DATA: join(folder, 'data'),
    GATEHOUSE_PORT: '0',
    ...(database && { DATABASE_URL: database.url }),
    ...more,
  };
  const config = readConfig(environment);
  return {
    folder,
    environment,
    config,
    open: () => openStore(config),
    remove: async () => {
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const cli = join(import.meta.dirname, '../../dist/cli/main.js');

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of `gatehouse` to its end in a process of its own, whose environment is only what the place says. */
export function runCli(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cli, ...args],
      { env: { PATH: process.env.PATH ?? '', ...environment }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr }),
    );
  });
}

/** Looks again until it holds, and fails with the last answer when it does not within the time. */
export async function until(holds: () => Promise<boolean> | boolean, withinMs: number): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This did not come true within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
