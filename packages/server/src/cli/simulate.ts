import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Faults, parseFaults, type Simulator, startSimulator } from '@gatehouse/courier/simulator';
import { Command } from 'commander';
import { CliError } from './output.ts';

interface SimulateOptions {
  ca: string;
  port?: string;
  fault: string[];
  seed?: string;
  json?: boolean;
}

/** APNs, FCM and Web Push on this machine: a push can be tried without an account at Apple or Google. */
export function simulateCommand(): Command {
  return new Command('simulate')
    .description('Run simulated APNs, FCM and Web Push on this machine, strict about every header.')
    .addHelpText(
      'before',
      `Examples:
  gatehouse simulate
  gatehouse simulate --port 9100 --json
  gatehouse simulate --fault latencyMs=50 --fault errorShare=0.01 --seed 7
`,
    )
    .option('--ca <file>', 'where to write the certificate authority to trust', './simulator-ca.pem')
    .option('--port <port>', 'first of five ports in a row: APNs, FCM, Web Push, OAuth, control (free ones by default)')
    .option(
      '--fault <name=value>',
      'what goes wrong from the start, such as latencyMs=20 or errorShare=0.1; may be given more than once',
      (pair: string, before: string[]) => [...before, pair],
      [],
    )
    .option('--seed <number>', 'makes what goes wrong repeatable')
    .option('--json', 'print JSON')
    .action(simulate);
}

async function simulate(options: SimulateOptions): Promise<void> {
  const first = options.port === undefined ? undefined : Number(options.port);
  if (first !== undefined && !(Number.isInteger(first) && first > 0 && first < 65_531))
    throw new CliError('--port must be a whole number from 1 to 65530.');
  const seed = options.seed === undefined ? undefined : Number(options.seed);
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw new CliError('--seed must be a whole number.');
  const simulator = await startSimulator({
    faults: readFaults(options.fault),
    ...(seed !== undefined && { seed }),
    ...(first !== undefined && {
      ports: { apns: first, fcm: first + 1, webpush: first + 2, oauth: first + 3, control: first + 4 },
    }),
  });
  const caFile = resolve(options.ca);
  writeFileSync(caFile, simulator.ca);
  process.stdout.write(
    options.json === true ? `${JSON.stringify(summaryOf(simulator, caFile))}\n` : textOf(simulator, caFile),
  );
  const stop = (): void => void simulator.close().then(() => process.exit(0));
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function readFaults(pairs: readonly string[]): Faults {
  try {
    return parseFaults(pairs);
  } catch (error) {
    throw new CliError(`--fault: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function summaryOf({ apns, fcm, webpush, controlUrl }: Simulator, caFile: string) {
  const { host, keyId, teamId, bundleId, p8Key } = apns;
  return {
    environment: {
      GATEHOUSE_APNS_HOST: host,
      GATEHOUSE_FCM_HOST: new URL(fcm.endpoint).host,
      GATEHOUSE_PUSH_CA: caFile,
      GATEHOUSE_PRIVATE_HOSTS: 'localhost',
    },
    apns: { keyId, teamId, bundleId, p8Key },
    fcm: { serviceAccountCreds: fcm.serviceAccount },
    webpush: { origin: webpush.origin },
    controlUrl,
  };
}

function textOf(simulator: Simulator, caFile: string): string {
  const { environment, apns, fcm } = summaryOf(simulator, caFile);
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return `Simulated APNs, FCM and Web Push are ready.

Start the service so that it sends here:

  ${settings.join(' \\\n  ')} \\
  gatehouse serve

The keys below are made for this run and open nothing but this simulator. Add the providers with them:

  POST /v3/notifications/push/v1/providers/apns
  ${JSON.stringify({ providerId: 'apns-demo', ...apns })}

  POST /v3/notifications/push/v1/providers/fcm
  ${JSON.stringify({ providerId: 'fcm-demo', ...fcm })}

See what arrived, and make things go wrong: ${simulator.controlUrl}/state, /records, PUT /faults
Stop with Ctrl-C.
`;
}
