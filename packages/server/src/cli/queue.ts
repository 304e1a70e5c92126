import { Command } from 'commander';
import { type LaneState, readLanes, resumeLane } from '../outbox/lanes.ts';
import { redriveLane } from '../outbox/settle.ts';
import { onStore, print, type StoreOptions, withStoreOptions } from './output.ts';

/** What waits to be sent, to whom, since when, and why not. */
export function queueCommand(): Command {
  const command = new Command('queue')
    .description('What waits to be sent: pushes and webhooks, lane by lane.')
    .addHelpText(
      'before',
      `Examples:
  gatehouse queue
  gatehouse queue resume webhook a1b2c3d4e5f60718/audit-trail
  gatehouse queue redrive push a1b2c3d4e5f60718:apns:apns-main
`,
    );
  withStoreOptions(command).action((options: StoreOptions) =>
    onStore(options, async (store) => print((await readLanes(store, Date.now())).map(shown), options)),
  );
  withStoreOptions(
    command.command('resume <kind> <lane>').description('go on with a paused lane (kind: push or webhook)'),
  ).action((kind: string, lane: string, options: StoreOptions) =>
    onStore(options, async (store) =>
      print({ kind, lane, resumed: await store.change(resumeLane, { kind, lane }) }, options),
    ),
  );
  withStoreOptions(
    command.command('redrive <kind> <lane>').description('try again what was given up in a lane'),
  ).action((kind: string, lane: string, options: StoreOptions) =>
    onStore(options, async (store) =>
      print({ kind, lane, redriven: await store.change(redriveLane, { kind, lane }) }, options),
    ),
  );
  return command;
}

function shown({ kind, lane, jobs, size, leased, oldestDueMs, dead, paused }: LaneState): Record<string, unknown> {
  return {
    kind,
    lane,
    jobs,
    waiting: size,
    inHand: leased,
    oldestSeconds: Math.round(oldestDueMs / 1000),
    givenUp: dead,
    paused: paused ?? '',
  };
}
