import fc from 'fast-check';

/** Read from the commit by `vitest.config.ts`. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED) });
