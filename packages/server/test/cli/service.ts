/** `gatehouse serve` as a person or a script starts it: a process of its own, read by what it prints. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cli } from '../store/place.ts';

export interface Service {
  process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Where it listens, as it said. */
  url: string;
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

/** Waits until the first start's summary, or the line of a later start, is there. */
export async function startService(environment: Record<string, string>, ...args: string[]): Promise<Service> {
  return readService(
    spawn(process.execPath, [cli, 'serve', ...args], {
      env: { PATH: process.env.PATH ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

export async function readService(child: ChildProcess): Promise<Service> {
  let [stdout, stderr] = ['', ''];
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? -1)),
  );
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /http:\/\/[\w.:[\]-]+:\d+/.exec(stdout)?.[0];
      if (found !== undefined && stdout.endsWith('\n')) resolve(found);
    });
    void ended.then((code) => reject(new Error(`gatehouse serve ended with ${code}: ${stderr}`)));
  });
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    url,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}
