import { defineConfig } from 'vitest/config';

const common = { pool: 'forks' as const, testTimeout: 60_000, hookTimeout: 120_000 };

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
