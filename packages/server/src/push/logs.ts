import { type Static, Type } from '#typebox';
import type { Store } from '../store/store.ts';
import { allIn, inList } from './in-list.ts';
import { idsAt, type LogEntry } from './log.ts';
import type { TokenKind } from './platforms.ts';
import { PushIds } from './push-id.ts';
import { shownToken } from './web-push-subscription.ts';

export const logAnswer = Type.Object({
  _id: Type.String(),
  processingStartedAtMS: Type.Integer(),
  processingEndedAtMS: Type.Integer(),
  totalProcessingTimeInMS: Type.Integer(),
  component: Type.String(),
  channel: Type.String(),
  provider: Type.String({ description: 'Empty for somebody without a device.' }),
  providerId: Type.String(),
  trigger: Type.String(),
  notificationId: Type.String(),
  member: Type.String({ description: 'The user it was for.' }),
  tokenType: Type.String(),
  notificationTriggered: Type.Boolean({ description: 'False for a user who did not want it or cannot be reached.' }),
  success: Type.Boolean(),
  outcome: Type.String({ description: 'sent, dropped, failed, skipped, retry or held.' }),
  status: Type.Integer({ description: 'HTTP status of the vendor; 0 without an answer.' }),
  reason: Type.String({ description: "The vendor's word, or why it was skipped." }),
  vendorId: Type.String(),
  messageId: Type.Optional(Type.String()),
  sender: Type.Optional(Type.String()),
  receiver: Type.Optional(Type.String()),
  receiverType: Type.Optional(Type.String()),
  pushToken: Type.Optional(Type.String({ description: 'While the device is registered.' })),
});

export type Log = Static<typeof logAnswer>;

export interface LogFilter {
  messageId?: string;
  notificationId?: string;
  from?: number;
  to?: number;
  receiver?: string;
  receiverType?: string;
  sender?: string;
  provider?: string;
  notificationTriggered?: boolean;
  reason?: string;
  success?: boolean;
}

export interface LogPlace {
  affix: 'append' | 'prepend';
  logId: string;
}

type LogRow = {
  id: string;
  started_at: number;
  ended_at: number;
  notification_id: string;
  message_id: string;
  sender: string;
  receiver: string;
  receiver_type: string;
  receiver_uid: string;
  trigger_name: string;
  provider: string;
  provider_id: string;
  entries: string;
};

const rowsPerRead = 20;
/** A filter that fits nothing must end: after this many rows the caller gets what there is and may ask on. */
const rowsPerRequest = 2000;

/** What picks out few rows has an index, which is used only where the words of the statement ask for it. */
const narrow = [
  ['messageId', (n: number) => `AND message_id = $${n} AND message_id <> ''`],
  ['notificationId', (n: number) => `AND notification_id = $${n}`],
] as const;
const commonParams = 9;

function statementOf(affix: LogPlace['affix'], filter: LogFilter): { sql: string; narrowed: string[] } {
  const narrowed: string[] = [];
  let clauses = '';
  for (const [name, clause] of narrow) {
    const wanted = filter[name];
    if (wanted === undefined) continue;
    narrowed.push(wanted);
    clauses += ` ${clause(commonParams + narrowed.length)}`;
  }
  const [compare, direction] = affix === 'append' ? ['<=', 'DESC'] : ['>=', 'ASC'];
  const sql = `
  SELECT id, started_at, ended_at, notification_id, message_id, sender, receiver, receiver_type, receiver_uid, trigger_name, provider, provider_id, entries
  FROM push_logs WHERE app_id = $1 AND id ${compare} $2 AND id >= $3 AND id <= $4 AND ($5 = '' OR provider = $5)
    AND ($6 = '' OR sender = $6) AND ($7 = '' OR receiver_type = $7)
    AND ($8 = '' OR receiver = $8 OR receiver_uid = $8 OR (receiver_uid = '' AND entries LIKE $9))${clauses}
  ORDER BY id ${direction} LIMIT ${rowsPerRead}`;
  return { sql, narrowed };
}

const newest = '~';
/** The last time that an id can tell, in the year 5188. */
const lastMs = 36 ** 9 - 1;
const tokensOf = inList(
  't.token_hash, t.kind, t.push_token',
  'push_tokens t WHERE t.app_id = $1 AND t.token_hash = wanted.value',
  1,
);

/** What became of every push, newest first, in the platform's words. */
export class PushLogs {
  private readonly store: Store;
  private readonly rowsMax: number;

  constructor(store: Store, rowsMax = rowsPerRequest) {
    this.store = store;
    this.rowsMax = rowsMax;
  }

  async listLogs(appId: string, filter: LogFilter, limit: number, place?: LogPlace) {
    const affix = place?.affix ?? 'append';
    const found = await this.read(appId, filter, limit + 1, affix, place?.logId);
    const shown = found.logs.slice(0, limit);
    const hasMore = found.logs.length > limit || found.isCut;
    if (affix === 'prepend') shown.reverse();
    // What was looked at in vain is not looked at again.
    const reached = found.isCut ? found.lastRow : undefined;
    const first = (affix === 'prepend' ? reached : undefined) ?? shown[0]?._id;
    const last = (affix === 'append' ? reached : undefined) ?? shown.at(-1)?._id;
    const hasNext = affix === 'append' ? hasMore : shown.length > 0;
    const hasPrevious = affix === 'append' ? place !== undefined && shown.length > 0 : hasMore;
    return {
      data: await this.withTokens(appId, shown),
      meta: {
        ...(hasPrevious && first !== undefined && { previous: { affix: 'prepend', logId: first } }),
        current: { limit, count: shown.length },
        ...(hasNext && last !== undefined && { next: { affix: 'append', logId: last } }),
      },
    };
  }

  private async read(appId: string, filter: LogFilter, wanted: number, affix: LogPlace['affix'], after?: string) {
    const logs: { hash: string; log: Log }[] = [];
    let [row = affix === 'append' ? newest : '', entry] = after === undefined ? [] : placeOf(after);
    let lastRow: string | undefined;
    const { sql, narrowed } = statementOf(affix, filter);
    for (let rows = 0; rows < this.rowsMax; rows += rowsPerRead) {
      const batch = await this.store.all<LogRow>(sql, [...paramsOf(appId, row, filter), ...narrowed]);
      for (const one of batch) {
        const expanded = expand(one, filter);
        if (affix === 'prepend') expanded.reverse();
        const isSeen = (index: number): boolean =>
          entry !== undefined && one.id === row && (affix === 'append' ? index <= entry : index >= entry);
        logs.push(...expanded.filter(({ index }) => !isSeen(index)));
        lastRow = `${one.id}-${affix === 'append' ? 999_999 : 0}`;
        if (logs.length >= wanted) return { logs: logs.map(({ log }) => log), isCut: false, lastRow };
      }
      const last = batch.at(-1)?.id;
      if (last === undefined || batch.length < rowsPerRead)
        return { logs: logs.map(({ log }) => log), isCut: false, lastRow };
      [row, entry] = [last, affix === 'append' ? 999_999 : -1];
    }
    return { logs: logs.map(({ log }) => log), isCut: true, lastRow };
  }

  private async withTokens(appId: string, logs: readonly Log[]): Promise<Log[]> {
    const hashes = [...new Set(logs.map(({ pushToken = '' }) => pushToken))];
    type Row = { token_hash: string; kind: TokenKind; push_token: string };
    const rows = await allIn<Row>(this.store, tokensOf, [appId], hashes);
    const tokens = new Map(rows.map((row) => [row.token_hash, shownToken(row.kind, row.push_token)]));
    return logs.map(({ pushToken: hash = '', ...log }) => {
      const pushToken = tokens.get(hash);
      return { ...log, ...(pushToken !== undefined && { pushToken }) };
    });
  }
}

function placeOf(logId: string): [string, number] {
  const at = logId.lastIndexOf('-');
  return [logId.slice(0, at), Number(logId.slice(at + 1))];
}

function paramsOf(appId: string, row: string, filter: LogFilter): (string | number)[] {
  const { from = 0, to = lastMs, receiver = '', receiverType = '', sender = '' } = filter;
  const [first, last] = [from, to].map((ms) => idsAt(Math.min(ms, lastMs)));
  return [
    appId,
    row,
    first ?? '',
    `${last}${newest}`,
    filter.provider ?? '',
    sender,
    receiverType,
    receiver,
    `%${JSON.stringify(receiver)}%`,
  ];
}

/** A row is many pushes; those that fit the filter come out one by one. */
function expand(row: LogRow, filter: LogFilter): { index: number; hash: string; log: Log }[] {
  const ids = new PushIds(row.notification_id);
  const found: { index: number; hash: string; log: Log }[] = [];
  for (const [index, entry] of (JSON.parse(row.entries) as LogEntry[]).entries()) {
    const [uid, hash, platform, outcome = 'sent', status = 200, reason = '', id] = entry;
    const isTriggered = outcome !== 'skipped';
    const isSuccess = outcome === 'sent';
    if (filter.receiver !== undefined && filter.receiver !== uid && filter.receiver !== row.receiver) continue;
    if (filter.notificationTriggered !== undefined && filter.notificationTriggered !== isTriggered) continue;
    if (filter.success !== undefined && filter.success !== isSuccess) continue;
    if (filter.reason !== undefined && filter.reason !== reason) continue;
    const log: Log = {
      _id: `${row.id}-${index}`,
      processingStartedAtMS: row.started_at,
      processingEndedAtMS: row.ended_at,
      totalProcessingTimeInMS: row.ended_at - row.started_at,
      component: 'gatehouse',
      channel: 'push',
      provider: row.provider,
      providerId: row.provider_id,
      trigger: row.trigger_name,
      notificationId: row.notification_id,
      member: uid,
      tokenType: platform,
      notificationTriggered: isTriggered,
      success: isSuccess,
      outcome,
      status,
      reason,
      vendorId: id ?? (isTriggered ? ids.of(hash) : ''),
      ...(row.message_id !== '' && {
        messageId: row.message_id,
        sender: row.sender,
        receiver: row.receiver,
        receiverType: row.receiver_type,
      }),
      pushToken: hash,
    };
    found.push({ index, hash, log });
  }
  return found;
}
