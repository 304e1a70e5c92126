import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { openApp } from '../app.ts';
import { readConfig } from '../config.ts';

export function openapiCommand(): Command {
  return new Command('openapi')
    .description('Print the OpenAPI document of this version.')
    .addHelpText(
      'before',
      `Examples:
  gatehouse openapi > openapi.json
`,
    )
    .action(async () => {
      process.stdout.write(await openapiText());
    });
}

/** Made from the routes themselves, over an empty store that is gone afterwards. */
async function openapiText(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-openapi-'));
  const app = await openApp(readConfig({ GATEHOUSE_DATA: folder, GATEHOUSE_LOG_LEVEL: 'silent' }));
  try {
    return `${JSON.stringify(await app.describe(), null, 2)}\n`;
  } finally {
    await app.close();
    rmSync(folder, { recursive: true });
  }
}
