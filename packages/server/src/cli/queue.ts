import { Command } from 'commander';
import { type LaneState, readLanes, readPauses } from '../outbox/lanes.ts';
import { providerKinds } from '../push/provider.ts';
import { resumeProvider } from '../push/providers.ts';
import { jobKind as pushKind } from '../push/segment.ts';
import type { Store } from '../store/store.ts';
import { jobKind as webhookKind } from '../webhooks/delivery.ts';
import { resumeWebhook } from '../webhooks/endpoints.ts';
import { actor } from './app.ts';
import { CliError, onStore, print, type StoreOptions, withStoreOptions } from './output.ts';

/** What waits to be sent, to whom, since when, and why not. */
export function queueCommand(): Command {
  const command = new Command('queue')
    .description('What waits to be sent: pushes and webhooks, lane by lane.')
    .addHelpText(
      'before',
      `Examples:
  gatehouse queue
  gatehouse queue resume webhook a1b2c3d4e5f60718/audit-trail
`,
    );
  withStoreOptions(command).action((options: StoreOptions) =>
    onStore(options, async (store) => print((await readLanes(store, Date.now())).map(shown), options)),
  );
  withStoreOptions(
    command.command('resume <kind> <lane>').description('go on with a paused lane (kind: push or webhook)'),
  ).action((kind: string, lane: string, _: StoreOptions, command: Command) => {
    // `gatehouse queue` has the same options and takes them, wherever they stand.
    const options = command.optsWithGlobals<StoreOptions>();
    return onStore(options, async (store) => print({ kind, lane, resumed: await resume(store, kind, lane) }, options));
  });
  return command;
}

/**
 * As the operations of the service do it: a lane alone would go on with a sender, or for an endpoint, that still counts as
 * stopped. Answers whether the lane was paused.
 */
async function resume(store: Store, kind: string, lane: string): Promise<boolean> {
  const wasPaused = (await readPauses(store, kind, Date.now())).some((pause) => pause.lane === lane);
  if (kind === pushKind) {
    const [appId = '', providerKind, providerId] = lane.split(':');
    const known = providerKinds.find((one) => one === providerKind);
    if (known === undefined || providerId === undefined) throw noLane(kind, lane, '<appId>:<kind>:<providerId>');
    await store.change(resumeProvider, { appId, kind: known, providerId, actor });
  } else if (kind === webhookKind) {
    const [appId = '', id] = lane.split('/');
    if (id === undefined) throw noLane(kind, lane, '<appId>/<webhookId>');
    await store.change(resumeWebhook, { appId, id, actor });
  } else throw new CliError(`The kind must be ${pushKind} or ${webhookKind}, not "${kind}".`);
  return wasPaused;
}

function noLane(kind: string, lane: string, form: string): CliError {
  return new CliError(`"${lane}" is no lane of ${kind}: it must be ${form}, as gatehouse queue shows it.`);
}

function shown({ kind, lane, jobs, size, leased, oldestDueMs, paused }: LaneState): Record<string, unknown> {
  return {
    kind,
    lane,
    jobs,
    waiting: size,
    inHand: leased,
    oldestSeconds: Math.round(oldestDueMs / 1000),
    paused: paused ?? '',
  };
}
