/** The service as operators run it: the built program in a process of its own, which a test may kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../dist/cli/main.js');

export interface Service {
  url: string;
  pid: number;
  /** What the first start printed; later starts print no keys. */
  first: { appId: string; apiKeys: { fullAccess: string } } | undefined;
  /** SIGKILL: nothing is finished, nothing is flushed. */
  kill(): Promise<void>;
  /** SIGTERM. */
  stop(): Promise<void>;
}

export async function startService(environment: Record<string, string>): Promise<Service> {
  const child = spawn(process.execPath, [program, 'serve', '--json'], {
    env: {
      ...process.env,
      GATEHOUSE_PORT: '0',
      GATEHOUSE_LOG_LEVEL: 'fatal',
      GATEHOUSE_RATE_PER_MINUTE: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const summary = JSON.parse(await firstLine(child));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    return ended;
  };
  return {
    url: summary.baseUrl,
    pid: child.pid ?? 0,
    first: summary.appId === undefined ? undefined : summary,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes('\n')) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}
