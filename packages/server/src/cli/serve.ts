import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { openStore } from '../open-store.ts';
import { configOf, type StoreOptions, withStoreOptions } from './output.ts';

export interface ServeOptions extends StoreOptions {
  port?: string;
  host?: string;
  demo: boolean;
  keyLost?: boolean;
}

/**
 * V8 lets the heap grow to a multiple of what is alive before it looks again: 100 MB of garbage beside 35 MB that live, in
 * a broadcast. Looking earlier costs a tenth of a push.
 */
const heapGrowth = '--heap-growing-percent=40';

/**
 * The program is started with a larger nursery (its first line), for the thread that serves requests. This one has it by now; for
 * threads made from here on zero means V8's own size.
 */
const nurseryOfThreads = ['--min-semi-space-size=0', '--max-semi-space-size=0'];

/**
 * Node makes an object for every `process.nextTick`, three for each request. V8 forgets the shape of objects when it looks through
 * the whole heap and finds none of them, as happens while the program loads; and code that has met a shape before and after that
 * is never made quick again. One that stays keeps the shape.
 */
const keptTicks: object[] = [];
const keepTick = () => process.nextTick(() => keptTicks.push(executionAsyncResource()));

export function serveCommand(): Command {
  return withStoreOptions(
    new Command('serve').description('Run the service.').addHelpText(
      'before',
      `Examples:
  gatehouse serve
  gatehouse serve --no-demo --host 0.0.0.0 --port 8080 --data /var/lib/gatehouse
  DATABASE_URL=postgres://... gatehouse serve --json
`,
    ),
  )
    .option('--port <port>', 'port to listen on (8080, or GATEHOUSE_PORT)')
    .option('--host <address>', 'address to listen on (127.0.0.1, or GATEHOUSE_HOST)')
    .option('--no-demo', 'on first start, make an account and nothing else')
    .option('--key-lost', 'start though the master key of some secrets is lost, to add providers and webhooks anew')
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  keepTick();
  for (const flag of [heapGrowth, ...nurseryOfThreads]) setFlagsFromString(flag);
  const config = configOf(options, {
    ...(options.port !== undefined && { GATEHOUSE_PORT: options.port }),
    ...(options.host !== undefined && { GATEHOUSE_HOST: options.host }),
  });
  // The thread that writes into an embedded store has half of the service to load, and loads it while this one loads the rest.
  const opening = openStore(config);
  opening.catch(() => {});
  const { runService } = await import('./serving.ts');
  await runService(config, opening, options);
}
