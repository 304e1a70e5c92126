/** The command line as a person or a script runs it: the built program in a process of its own, with or without a terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
}

/** Nothing of the tester's own settings reaches the program. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...more };
}

export function gatehouse(args: readonly string[], { env, input, cwd }: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], {
    env: environment(env),
    ...(cwd !== undefined && { cwd }),
  });
  child.stdin.end(input ?? '');
  return ended(child);
}

/** In a pseudo terminal, where both streams arrive as one. */
export function inTerminal(args: readonly string[], { env, cwd }: RunOptions = {}): Promise<Ran> {
  const line = [process.execPath, program, ...args].map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: environment({ TERM: 'xterm', ...env }),
    ...(cwd !== undefined && { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(child);
}

function ended(child: ChildProcess): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part: Buffer) => {
    stdout += part.toString();
  });
  child.stderr?.on('data', (part: Buffer) => {
    stderr += part.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
