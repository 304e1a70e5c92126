/** The service as people start it: with the flags of its first line, which its peers get too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../packages/server/dist/cli/main.js');
const [firstLine] = readFileSync(main, 'utf8').split('\n', 1);
export const flags = firstLine.split(' ').filter((word) => word.startsWith('--'));
export const service = [...flags, main];
