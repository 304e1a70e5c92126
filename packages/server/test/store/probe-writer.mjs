/** The writer thread of the tests of the store: the real one, with changes of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { runWriter } from '../../dist/store/sqlite-writer.js';
import { probeChanges } from './probe-changes.mjs';

await runWriter(parentPort, workerData, probeChanges);
