import { setTimeout as sleep } from 'node:timers/promises';
import type { GatehouseClient, SendNotificationBody } from '@gatehouse/client';
import { Command } from 'commander';
import { CliError, print } from './output.ts';
import { startProgress } from './progress.ts';
import { onService, parseJson, readText, type ServiceOptions, withServiceOptions } from './service.ts';

interface SendOptions extends ServiceOptions {
  uid?: string[];
  all?: boolean;
  title?: string;
  body?: string;
  file?: string;
  dryRun?: boolean;
  wait?: boolean;
}

const pollMs = 250;

export function sendCommand(): Command {
  return withServiceOptions(new Command('send').description("Send a push to users' devices."))
    .option('--uid <uid...>', 'to the devices of these users')
    .option('--all', 'to every device of the app')
    .option('--title <text>', 'title')
    .option('--body <text>', 'text')
    .option(
      '--file <file>',
      'the whole notification as JSON (see sendNotification in the reference); - for standard input',
    )
    .option('--dry-run', 'check everything and count the devices; send nothing')
    .option('--wait', 'wait until it is finished and say what became of it; exit with 1 if any push failed')
    .addHelpText(
      'before',
      `Examples:
  gatehouse send --uid ada --title Hello --body "Your table is ready" --wait
  gatehouse send --all --title "Back at noon" --dry-run
  gatehouse send --file notification.json
`,
    )
    .action((options: SendOptions) => onService(options, (client) => send(client, options)));
}

async function send(client: GatehouseClient, options: SendOptions): Promise<void> {
  const { data } = await client.sendNotification({ body: notificationOf(options) });
  const id = 'id' in data ? data.id : undefined;
  if (options.wait !== true || id === undefined) {
    print(data, options);
    return;
  }
  const finished = await finish(client, id);
  print(finished, options);
  if (finished.failed > 0) process.exitCode = 1;
}

function notificationOf({ file, uid, all, title, body, dryRun }: SendOptions): SendNotificationBody {
  const fields = file === undefined ? {} : parseJson(readText(file), file);
  if (typeof fields !== 'object' || fields === null) throw new CliError('The notification must be one JSON object.');
  const to = all === true ? { all: true } : uid === undefined ? undefined : { uids: uid };
  if (to === undefined && !('to' in fields))
    throw new CliError('To whom? Name users with --uid, or everybody with --all.');
  // The service checks what the file holds and says what to mend.
  return {
    ...fields,
    ...(to && { to }),
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    ...(dryRun === true && { dryRun }),
  } as SendNotificationBody;
}

async function finish(client: GatehouseClient, id: string) {
  const progress = startProgress('Sending');
  try {
    for (;;) {
      const { data } = await client.getNotification({ notificationId: id });
      const { counts } = data;
      const settled = counts.sent + counts.failed + counts.skipped + counts.droppedTokens + counts.cancelled;
      progress.at(settled, settled + counts.queued);
      if (data.state === 'finished' || data.state === 'cancelled')
        return { id, state: data.state, ...counts, ...(counts.failed > 0 && { failedByReason: data.failedByReason }) };
      await sleep(pollMs);
    }
  } finally {
    progress.end();
  }
}
