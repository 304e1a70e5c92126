import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from '../store/sqlite-connection.ts';

/** Copies a store that may be in use, apart from the thread that draws the bar. */
const { from, to, busyTimeoutMs } = workerData as { from: string; to: string; busyTimeoutMs: number };
const connection = await SqliteConnection.open(from, busyTimeoutMs);
// One read transaction: what is written meanwhile is not in the copy, and nobody who writes waits for it.
connection.run('VACUUM INTO $1', [to]);
connection.close();
parentPort?.postMessage('done');
