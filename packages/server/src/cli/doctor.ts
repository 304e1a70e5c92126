import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { firstAccount } from '../apps/apps.ts';
import type { Config } from '../config.ts';
import { bundledLoader, isInstalled, notInstalled } from '../moderation/classifier-bundled.ts';
import { FrameTaker, noFfmpeg } from '../moderation/media-frames.ts';
import { openKeyring, openStore } from '../open-store.ts';
import { apartMs } from '../outbox/clock-watch.ts';
import { readSealed } from '../rotate-master-key.ts';
import { newestVersion, StoreMissing } from '../store/migrate.ts';
import { loadSqlite } from '../store/sqlite-binding.ts';
import type { Store } from '../store/store.ts';
import { configOf, mendOf, type StoreOptions, withStoreOptions } from './output.ts';

type Finding = { check: string; ok: boolean; detail: string };

export function doctorCommand(): Command {
  return withStoreOptions(
    new Command('doctor').description('Say what is wrong with this set-up. Exits with 1 if anything is.').addHelpText(
      'before',
      `Examples:
  gatehouse doctor
  gatehouse doctor --data /var/lib/gatehouse --json
`,
    ),
  ).action(doctor);
}

async function doctor(options: StoreOptions): Promise<void> {
  const findings: Finding[] = [];
  const config = await examine(
    findings,
    'settings',
    async () => configOf(options),
    (found) => `region ${found.settings.region}, ${found.settings.domain ?? 'any host name'}`,
  );
  await examine(
    findings,
    'node',
    async () => checkNode(),
    (text) => text,
  );
  if (config !== undefined) await examineMedia(findings, config);
  if (config !== undefined) await examineStore(findings, config);
  report(findings, options);
}

/** Nothing is looked at where no classifier is asked for, so nothing can be missing. */
async function examineMedia(findings: Finding[], { settings }: Config): Promise<void> {
  if (settings.classifier === 'none') return;
  await examine(
    findings,
    'classifier',
    async () => checkClassifier(settings.classifier),
    (text) => text,
  );
  const hasFfmpeg = await new FrameTaker(settings.ffmpeg).isPresent();
  // Whoever moderates pictures only needs none.
  findings.push({ check: 'videos', ok: true, detail: hasFfmpeg ? settings.ffmpeg : noFfmpeg });
}

function checkClassifier(classifier: string): string {
  if (classifier === 'bundled' && !isInstalled(bundledLoader)) throw new Error(notInstalled);
  return classifier;
}

async function examineStore(findings: Finding[], config: Config): Promise<void> {
  if (config.secrets.databaseUrl === undefined) {
    await examine(
      findings,
      'data folder',
      async () => checkFolder(config.settings.dataDir),
      (text) => text,
    );
    await examine(findings, 'sqlite', loadSqlite, ({ source }) => source);
  }
  await examine(
    findings,
    'master key',
    async () => checkMasterKey(config),
    (text) => text,
  );
  const store = await examine(
    findings,
    'store',
    () => openMade(config),
    (found) => found?.dialect ?? 'will be made on first start',
  );
  if (store === undefined) return;
  await examine(
    findings,
    'schema',
    () => store.schemaVersion(),
    (version) => `version ${version} of ${newestVersion}`,
  );
  await examine(
    findings,
    'clock',
    () => checkClock(store),
    (text) => text,
  );
  await examine(
    findings,
    'account',
    async () => (await firstAccount(store))?.id,
    (id) => id ?? 'none yet: gatehouse serve makes one',
  );
  await examine(
    findings,
    'sealed secrets',
    () => checkSecrets(store, config),
    (count) => `${count} open with the master key`,
  );
  await store.close();
}

async function examine<T>(
  findings: Finding[],
  check: string,
  look: () => Promise<T>,
  tell: (found: T) => string,
): Promise<T | undefined> {
  try {
    const found = await look();
    findings.push({ check, ok: true, detail: tell(found) });
    return found;
  } catch (error) {
    findings.push({
      check,
      ok: false,
      detail: mendOf(error) ?? (error instanceof Error ? error.message : String(error)),
    });
    return undefined;
  }
}

function checkNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Node ${process.versions.node} is too old: 20.19 or newer is needed.`);
  return process.version;
}

/** Looking must not make anything: undefined for a store that is not there yet. */
async function openMade(config: Config): Promise<Store | undefined> {
  try {
    return await openStore(config, { make: false });
  } catch (error) {
    if (error instanceof StoreMissing) return undefined;
    throw error;
  }
}

function checkFolder(folder: string): string {
  if (!existsSync(folder)) return `${folder} will be made on first start`;
  accessSync(folder, constants.R_OK | constants.W_OK);
  return folder;
}

function checkMasterKey(config: Config): string {
  if (config.secrets.masterKeys !== undefined) return `from the environment, ${openKeyring(config).currentId}`;
  const file = config.settings.masterKeyFile;
  if (!existsSync(file)) return 'will be made on first start';
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Error(`${file} can be read by others (mode ${mode.toString(8)}). Mend it: chmod 600 ${file}`);
  return `${file}, ${openKeyring(config).currentId}`;
}

async function checkClock(store: Store): Promise<string> {
  const aheadMs = await store.clockAheadMs();
  if (Math.abs(aheadMs) <= apartMs) return store.dialect === 'postgres' ? "agrees with the database's" : 'our own';
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  throw new Error(
    `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. Set it right: what is due and what is too late goes by it.`,
  );
}

async function checkSecrets(store: Store, config: Config): Promise<number> {
  const secrets = await readSealed(store);
  if (secrets.length === 0) return 0;
  const keyring = openKeyring(config);
  for (const { column, appId, id, sealed, place } of secrets) {
    try {
      keyring.open(sealed, place);
    } catch (error) {
      throw new Error(`${column} ${id} of app ${appId}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return secrets.length;
}

function report(findings: readonly Finding[], options: StoreOptions): void {
  if (options.json === true) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else
    for (const { check, ok, detail } of findings)
      process.stdout.write(`${ok ? 'ok     ' : 'WRONG  '}${check}: ${detail}\n`);
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
}
