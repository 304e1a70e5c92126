import { createRequire } from 'node:module';

/** The version of the package, told to whoever asks. */
export const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
