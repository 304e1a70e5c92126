import { setTimeout as sleep } from 'node:timers/promises';
import type {
  GatehouseClient,
  ListMessagesAnswer,
  ListNotificationLogsAnswer,
  ListWebhookDeliveriesItem,
} from '@gatehouse/client';
import { Command } from 'commander';
import { CliError } from './output.ts';
import { onService, type ServiceOptions, withServiceOptions } from './service.ts';

interface TailOptions extends ServiceOptions {
  interval: string;
  count?: string;
}

type Log = ListNotificationLogsAnswer['data'][number];
type Message = ListMessagesAnswer['data'][number];
/** One try to bring an event to an endpoint. */
interface Told {
  endpoint: string;
  event: string;
  eventId: string;
  attempt: number;
  answer: ListWebhookDeliveriesItem['answers'][number];
}
interface Line {
  at: number;
  text: string;
  record: Record<string, unknown>;
}

/** How far back a message may be dated and still be news when it is judged. */
const lookBackSeconds = 60;

export function tailCommand(): Command {
  return withServiceOptions(
    new Command('tail').description('Show decisions, pushes and webhooks as they happen. Ctrl-C ends it.'),
  )
    .option('--interval <seconds>', 'how often to look', '1')
    .option('--count <lines>', 'end after so many lines')
    .addHelpText(
      'before',
      `Examples:
  gatehouse tail
  gatehouse tail --json | jq 'select(.kind == "push" and .success == false)'
  gatehouse tail --json | jq 'select(.kind == "webhook" and .status != 200)'

Approved messages are shown as long as the service keeps them (GATEHOUSE_APPROVED_HOURS).
`,
    )
    .action((options: TailOptions) => onService(options, (client) => tail(client, options)));
}

async function tail(client: GatehouseClient, options: TailOptions): Promise<void> {
  const intervalMs = Number(options.interval) * 1000;
  const most = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count);
  if (!(intervalMs >= 100) || !(most >= 1))
    throw new CliError('--interval is seconds, 0.1 or more; --count is 1 or more.');
  const decisions = new Fresh<Message>(({ id, moderation }) => `${id} ${moderation.status}`);
  const pushes = new Fresh<Log>(({ _id }) => _id);
  const webhooks = new Fresh<Told>(({ endpoint, eventId, answer }) => `${endpoint} ${eventId} ${answer.at}`);
  let shown = 0;
  for (let turn = 0; ; turn++) {
    const lines = [
      ...decisions.take(await recentMessages(client)).map(decisionLine),
      ...pushes.take((await client.listNotificationLogs({ limit: 100 })).data).map(pushLine),
      ...webhooks.take(await recentlyTold(client)).map(webhookLine),
    ].sort((a, b) => a.at - b.at);
    // What was there before is known, not news.
    if (turn > 0)
      for (const { text, record } of lines) {
        process.stdout.write(`${options.json === true ? JSON.stringify(record) : text}\n`);
        if (++shown >= most) return;
      }
    await sleep(intervalMs);
  }
}

/** Tells what is new of what is seen again and again, and forgets what is no longer seen. */
class Fresh<T> {
  private seen = new Set<string>();
  private readonly keyOf: (item: T) => string;

  constructor(keyOf: (item: T) => string) {
    this.keyOf = keyOf;
  }

  take(items: readonly T[]): T[] {
    const before = this.seen;
    this.seen = new Set(items.map(this.keyOf));
    return items.filter((item) => !before.has(this.keyOf(item)));
  }
}

async function recentMessages(client: GatehouseClient): Promise<Message[]> {
  const since = Math.floor(Date.now() / 1000) - lookBackSeconds;
  const { data } = await client.listMessages({ limit: 1000, affix: 'prepend' });
  return data.filter(({ sentAt, updatedAt }) => (updatedAt ?? sentAt) >= since);
}

function decisionLine({ id, sender, receiver, sentAt, updatedAt, moderation, data }: Message): Line {
  const at = (updatedAt ?? sentAt) * 1000;
  const because = moderation.rule === undefined ? '' : ` by ${moderation.rule.id}`;
  return {
    at,
    text: `${clock(at)}  ${moderation.status.padEnd(11)}  ${sender} -> ${receiver}  ${oneLine(data?.text ?? '')}${because}`,
    record: { kind: 'decision', at: new Date(at).toISOString(), id, sender, receiver, ...moderation },
  };
}

function pushLine({ _id, processingEndedAtMS, provider, member, success, outcome, reason, messageId }: Log): Line {
  const at = processingEndedAtMS;
  return {
    at,
    text: `${clock(at)}  ${(success ? 'pushed' : 'not pushed').padEnd(11)}  ${member}  ${`${provider} ${outcome}`.trim()}${reason === '' ? '' : `: ${oneLine(reason)}`}`,
    record: {
      kind: 'push',
      at: new Date(at).toISOString(),
      id: _id,
      member,
      provider,
      success,
      outcome,
      reason,
      messageId,
    },
  };
}

/** The newest events of each endpoint, and the older ones that it still has not taken. */
async function recentlyTold(client: GatehouseClient): Promise<Told[]> {
  const { data: endpoints } = await client.listWebhooks();
  const told: Told[] = [];
  for (const { id: webhookId } of endpoints) {
    const newest = (await client.listWebhookDeliveries({ webhookId, limit: 100 })).data;
    const seen = new Set(newest.map(({ eventId }) => eventId));
    const owed = (await client.listWebhookDeliveries({ webhookId, status: 'pending', limit: 100 })).data;
    for (const delivery of [...newest, ...owed.filter(({ eventId }) => !seen.has(eventId))])
      told.push(...triesOf(webhookId, delivery));
  }
  return told;
}

function triesOf(endpoint: string, { eventId, trigger, tries, answers }: ListWebhookDeliveriesItem): Told[] {
  // The last answer is that of the last try; one that was sent once more counts from one again.
  return answers.map((answer, i) => ({
    endpoint,
    event: trigger,
    eventId,
    attempt: Math.max(1, tries - (answers.length - 1 - i)),
    answer,
  }));
}

function webhookLine({ endpoint, event, eventId, attempt, answer: { at, ms, status, error, excerpt } }: Told): Line {
  const isTaken = status !== undefined && status >= 200 && status < 300;
  const said = [status, isTaken ? undefined : (error ?? excerpt)].filter((part) => part !== undefined).join(' ');
  return {
    at: Date.parse(at),
    text: `${clock(Date.parse(at))}  ${isTaken ? 'delivered  ' : 'undelivered'}  ${endpoint}  ${event} try ${attempt}: ${oneLine(said)} (${ms} ms)`,
    record: { kind: 'webhook', at, endpoint, event, eventId, attempt, status, error, ms },
  };
}

function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** What people write must not steer the terminal. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length > 60 ? `${plain.slice(0, 57)}...` : plain;
}
