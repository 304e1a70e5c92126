import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTokens } from '../push/import.ts';
import { LineReader } from '../push/import-rows.ts';
import type { Store } from '../store/store.ts';
import { actor } from './app.ts';
import type { Fields, Platform } from './import-platform.ts';
import { maybe } from './import-policy.ts';
import { count, type ImportReport } from './import-report.ts';
import type { ImportState } from './import-state.ts';
import { startProgress } from './progress.ts';

const providerPaths = { apns: 'apns', fcm: 'fcm', custom: 'custom' } as const;
/** What is secret, or the platform's own; the rest is what `providers add` takes. */
const left = new Set([
  'p8Key',
  'p8KeyFingerprint',
  'serviceAccountCreds',
  'basicAuthPassword',
  'isDefault',
  'createdAt',
  'updatedAt',
]);
const keyFlag = { apns: ' --p8 <your .p8 file>', fcm: ' --service-account <your file>', custom: '' };

/** A file a provider with everything but its key, and the command that adds it. */
export async function listProviders(
  platform: Platform,
  report: ImportReport,
  folder: string,
  isHere: (kind: string, providerId: string) => boolean,
): Promise<void> {
  for (const [kind, path] of Object.entries(providerPaths) as [keyof typeof providerPaths, string][]) {
    const found: Fields[] = [];
    await maybe(report, `${kind} providers`, async () => {
      for await (const { records } of platform.pages(`/notifications/push/v1/providers/${path}`, {}, 'pushProviders'))
        found.push(...records);
    });
    for (const provider of found) {
      const providerId = typeof provider.providerId === 'string' ? provider.providerId : 'custom';
      if (isHere(kind, providerId)) continue;
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${kind}-${providerId.replaceAll(/[^\w.-]/g, '_')}.json`);
      const known = Object.entries(provider).filter(([name]) => !left.has(name));
      writeFileSync(file, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
      report.providersToAdd.push({
        kind,
        providerId,
        file,
        command: `gatehouse providers add ${kind} ${file}${keyFlag[kind]}`,
      });
    }
  }
}

interface TokenImport {
  platform: Platform;
  store: Store;
  appId: string;
  state: ImportState;
  report: ImportReport;
}

/** Page by page; each page is taken over in one transaction and remembered, so that the next run goes on after it. */
export async function importTokensOf({ platform, store, appId, state, report }: TokenImport): Promise<void> {
  if (state.tokensAt === null && state.tokens.refused > 0) state.readTokensAgain();
  if (state.tokensAt === null) {
    report.unchanged += state.tokens.imported;
    return;
  }
  const reader = await LineReader.for(store, appId);
  const progress = startProgress('Tokens');
  const query = { limit: '1000', ...state.tokensAt };
  await maybe(report, 'push tokens', async () => {
    for await (const { records, next } of platform.pages('/notifications/push/v1/tokens', query, 'pushTokens')) {
      const { imported, refused } = await takeOver(store, appId, reader, records);
      count(report, 'tokens', imported);
      for (const { uid, reason } of refused) report.notCarried.push({ what: `token of ${uid}`, reason });
      state.passTokens(next, imported, refused.length);
      progress.at(state.tokens.imported, undefined);
    }
  });
  progress.end();
}

async function takeOver(store: Store, appId: string, reader: LineReader, records: readonly Fields[]) {
  const refused: { uid: string; reason: string }[] = [];
  const rows = records.flatMap((record) => {
    const row = reader.read(record);
    if (typeof row !== 'string') return [row];
    refused.push({ uid: String(record.uid ?? '?').slice(0, 100), reason: row });
    return [];
  });
  if (rows.length === 0) return { imported: 0, refused };
  const result = await store.change(importTokens, { appId, actor, rows });
  return { imported: result.imported, refused: [...refused, ...result.refused] };
}
