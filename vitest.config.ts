import { execFileSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';

const common = {
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  setupFiles: ['test/fuzz-seed.ts'],
  env: { FUZZ_SEED: process.env.FUZZ_SEED ?? seedOfCommit() },
};

/** The same commit is tried with the same random cases wherever it is tested, the next commit with others. */
function seedOfCommit(): string {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return String(Number.parseInt(commit.slice(0, 7), 16));
  } catch {
    // Unpacked from an archive.
    return '1';
  }
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'judge', include: ['packages/judge/test/**/*.test.ts'] } },
      { test: { ...common, name: 'courier', include: ['packages/courier/test/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'client',
          include: ['packages/client/test/**/*.test.ts'],
          globalSetup: ['packages/server/test/global-setup.ts'],
        },
      },
      { test: { ...common, name: 'house', include: ['test/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'server',
          include: ['packages/server/test/**/*.test.ts'],
          globalSetup: ['packages/server/test/global-setup.ts'],
        },
      },
    ],
  },
});
