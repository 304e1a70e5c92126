import { type GatehouseClient, GatehouseError, type UpdateNotificationSettingsBody } from '@gatehouse/client';
import { type Fields, listOf, type Platform, PlatformRefused, recordIn } from './import-platform.ts';
import { count, type ImportReport } from './import-report.ts';
import type { ImportState } from './import-state.ts';
import { kinds, type PolicyKind, type PolicyRecord, readPolicy } from './policy.ts';

interface Import {
  platform: Platform;
  client: GatehouseClient;
  state: ImportState;
  report: ImportReport;
}

/** Lists, reasons, rules (which name lists) and settings, one by one; what is refused is reported and the rest goes on. */
export async function importPolicy(work: Import): Promise<void> {
  const here = await readPolicy(work.client);
  for (const [id, list] of await readAll(work, '/moderation/keywords', 'lists')) {
    if (list.default === true) continue;
    const terms = listOf(list.searchTerms);
    const whole =
      terms.length > 0 ? list : recordIn(await work.platform.ask(`/moderation/keywords/${encodeURIComponent(id)}`));
    await carry(work, 'lists', id, { ...whole, searchTerms: listOf(whole.searchTerms) }, here.lists.has(id));
  }
  for (const [id, reason] of await readAll(work, '/moderation/reasons', 'reasons'))
    if (reason.default !== true) await carry(work, 'reasons', id, reason, here.reasons.has(id));
  for (const [id, rule] of await readAll(work, '/moderation/rules', 'rules'))
    await carryRule(work, id, rule, here.rules);
  await carrySettings(work);
}

/** Of a built-in rule only the switch and the action are the app's own; what it looks for is ours, and better. */
async function carryRule(work: Import, id: string, rule: Fields, here: Map<string, PolicyRecord>): Promise<void> {
  const ours = here.get(id);
  const fixed = {
    ...rule,
    action: listOf(rule.action),
    conditions: listOf(rule.conditions),
    ...(rule.filters !== undefined && { filters: listOf(rule.filters) }),
  };
  if (rule.default === true && ours !== undefined) {
    const carried = {
      ...ours,
      enabled: rule.enabled === true,
      ...(fixed.action.length > 0 && { action: fixed.action }),
    };
    // A built-in rule that stands there as it stands here has nothing to carry.
    if (JSON.stringify(carried) === JSON.stringify(ours))
      work.state.carry(`rules/${id}`, kinds.rules.normal(carried, id));
    await carry(work, 'rules', id, carried, true);
    return;
  }
  if (fixed.filters !== undefined && fixed.filters.length === 0) delete fixed.filters;
  lookAtPatterns(work.report, id, fixed.conditions);
  await carry(work, 'rules', id, fixed, ours !== undefined);
}

async function carry(work: Import, kind: PolicyKind, id: string, source: Fields, exists: boolean): Promise<void> {
  const { client, state, report } = work;
  const record = kinds[kind].normal(source, id);
  const key = `${kind}/${id}`;
  if (state.isCarried(key, record)) {
    report.unchanged++;
    return;
  }
  try {
    await (exists ? kinds[kind].replace(client, id, record) : kinds[kind].create(client, id, record));
    state.carry(key, record);
    count(report, kind);
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    report.notCarried.push({ what: `${kinds[kind].one} ${id}`, reason: error.message });
  }
}

/** The platform prints the classes of some patterns with braces: as they stand they find nothing. */
function lookAtPatterns(report: ImportReport, id: string, conditions: readonly unknown[]): void {
  for (const condition of conditions) {
    const { category, value } = { ...(condition as Fields | null) };
    if (category !== 'pattern') continue;
    for (const pattern of listOf(value))
      if (typeof pattern === 'string' && /\{[^}\d,][^}]*\}/.test(pattern.replaceAll(/\\[pPx]\{[^}]*\}/g, '')))
        report.lookAt.push({
          what: `rule ${id}`,
          reason: `its pattern has { } where [ ] was probably meant: ${pattern.slice(0, 100)}`,
        });
  }
}

async function carrySettings({ platform, client, state, report }: Import): Promise<void> {
  const settings = await maybe(report, 'notification settings', async () =>
    recordIn(await platform.ask('/notifications/v1/settings')),
  );
  if (settings === undefined || Object.keys(settings).length === 0 || state.isCarried('settings', settings)) return;
  try {
    await client.updateNotificationSettings({ body: settings as UpdateNotificationSettingsBody });
    state.carry('settings', settings);
    count(report, 'settings');
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    report.notCarried.push({ what: 'notification settings', reason: error.message });
  }
}

async function readAll({ platform, report }: Import, path: string, kind: string): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>();
  await maybe(report, kind, async () => {
    // The newest are listed first and must be made last, so that they are the newest here too.
    for await (const { records } of platform.pages(path, { limit: '100' }))
      for (const record of records) if (typeof record.id === 'string') found.set(record.id, record);
  });
  return new Map([...found].reverse());
}

/** A platform may not have everything; that is said, and is no reason to stop. */
export async function maybe<T>(report: ImportReport, what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlatformRefused) || error.status === 401 || error.status === 403) throw error;
    report.notCarried.push({ what, reason: error.status === 404 ? 'the platform has none to list.' : error.message });
    return undefined;
  }
}
