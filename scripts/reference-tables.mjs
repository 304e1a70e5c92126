/** Writes docs/reference/errors.md and settings.md from the code. A test fails when they differ. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables } from '../packages/server/dist/config.js';
import { catalogue } from '../packages/server/dist/errors.js';

const folder = join(import.meta.dirname, '../docs/reference');
mkdirSync(folder, { recursive: true });

const errors = Object.entries(catalogue).map(
  ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
);
writeFileSync(
  join(folder, 'errors.md'),
  `# Errors

Every answer that is not a success has this body, and every answer carries \`x-request-id\`, which \`devMessage\` repeats:

\`\`\`json
{"error":{"code":"ERR_BAD_REQUEST","message":"...","devMessage":"... (request <id>)","details":{"limit":["Must be 1 or more."]},"source":"gatehouse"}}
\`\`\`

On 400 \`details\` maps each field to the sentences that say what to mend. A refused message is not an error: it is a 200 with a verdict.
This table is written by \`npm run reference\` from the catalogue in \`packages/server/src/errors.ts\`.

| Code | Status | Message |
|---|---|---|
${errors.join('\n')}
`,
);

const settings = Object.entries(variables).map(
  ([name, { standard, meaning }]) => `| \`${name}\` | ${standard === '' ? 'none' : `\`${standard}\``} | ${meaning} |`,
);
writeFileSync(
  join(folder, 'settings.md'),
  `# Settings

Read from the environment when a process starts. Those that hold a secret say so; they are never printed. A setting that cannot be
used stops the start with a sentence that names it; \`gatehouse doctor\` checks them all.
This table is written by \`npm run reference\` from \`packages/server/src/config.ts\`.

| Variable | Default | Meaning |
|---|---|---|
${settings.join('\n')}
`,
);
