import { spawn } from 'node:child_process';
import { CliError } from './output.ts';

/** Runs PostgreSQL's own pg_dump or pg_restore. The password goes by the environment: other users can see arguments. */
export function runPostgresTool(tool: 'pg_dump' | 'pg_restore', url: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, {
      env: { ...process.env, ...addressOf(url) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-2000);
    });
    child.once('error', () =>
      reject(
        new CliError(
          `${tool} is not installed here. Install the PostgreSQL client of the server's version or newer (Debian: apt-get install postgresql-client), or use the snapshots of whoever runs the database.`,
        ),
      ),
    );
    child.once('close', (code) => (code === 0 ? resolve() : reject(new CliError(`${tool} failed: ${said.trim()}`))));
  });
}

function addressOf(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const sslMode = searchParams.get('sslmode');
  // A socket's folder stands in the query, as node-postgres takes it.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return {
    ...(host !== '' && { PGHOST: host }),
    ...(port !== '' && { PGPORT: port }),
    ...(username !== '' && { PGUSER: decodeURIComponent(username) }),
    ...(password !== '' && { PGPASSWORD: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { PGDATABASE: decodeURIComponent(pathname.slice(1)) }),
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  };
}

/** PGDATABASE names the database to pg_dump; pg_restore wants it as an argument. */
export function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}
