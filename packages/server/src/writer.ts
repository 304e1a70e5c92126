/** The wiring of the writer thread of an embedded store: every change that the rooms make, by name. */
import { parentPort, workerData } from 'node:worker_threads';
import { changes } from './changes.ts';
import type { SqliteOptions } from './store/sqlite-connection.ts';
import { runWriter } from './store/sqlite-writer.ts';

if (parentPort === null) throw new Error('writer.ts is the entry of a worker thread.');
await runWriter(parentPort, workerData as SqliteOptions, changes);
