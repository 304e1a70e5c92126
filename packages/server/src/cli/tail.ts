import { setTimeout as sleep } from 'node:timers/promises';
import type { GatehouseClient, ListMessagesAnswer, ListNotificationLogsAnswer } from '@gatehouse/client';
import { Command } from 'commander';
import { CliError } from './output.ts';
import { onService, type ServiceOptions, withServiceOptions } from './service.ts';

interface TailOptions extends ServiceOptions {
  interval: string;
  count?: string;
}

type Log = ListNotificationLogsAnswer['data'][number];
type Message = ListMessagesAnswer['data'][number];
interface Line {
  at: number;
  text: string;
  record: Record<string, unknown>;
}

/** How far back a message may be dated and still be news when it is judged. */
const lookBackSeconds = 60;

export function tailCommand(): Command {
  return withServiceOptions(
    new Command('tail').description('Show decisions and deliveries as they happen. Ctrl-C ends it.'),
  )
    .option('--interval <seconds>', 'how often to look', '1')
    .option('--count <lines>', 'end after so many lines')
    .addHelpText(
      'before',
      `Examples:
  gatehouse tail
  gatehouse tail --json | jq 'select(.kind == "push" and .success == false)'

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
  const deliveries = new Fresh<Log>(({ _id }) => _id);
  let shown = 0;
  for (let turn = 0; ; turn++) {
    const lines = [
      ...decisions.take(await recentMessages(client)).map(decisionLine),
      ...deliveries.take((await client.listNotificationLogs({ limit: 100 })).data).map(deliveryLine),
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

function deliveryLine({ _id, processingEndedAtMS, provider, member, success, outcome, reason, messageId }: Log): Line {
  const at = processingEndedAtMS;
  return {
    at,
    text: `${clock(at)}  ${(success ? 'pushed' : 'not pushed').padEnd(11)}  ${member}  ${provider} ${outcome}${reason === '' ? '' : `: ${oneLine(reason)}`}`,
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

function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** What people write must not steer the terminal. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length > 60 ? `${plain.slice(0, 57)}...` : plain;
}
