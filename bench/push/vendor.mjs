// The simulated Apple in a process of its own. Counts everything, keeps nothing.
import { startSimulator } from '../../packages/courier/dist/simulator/index.js';

const simulator = await startSimulator({ keepLatest: Number(process.argv[2] ?? 0) });
const { host, keyId, teamId, bundleId, p8Key } = simulator.apns;
process.send?.({ ca: simulator.ca, apns: { host, keyId, teamId, bundleId, p8Key } });
process.on('message', (message) => {
  if (message === 'stop') process.exit(0);
  process.send?.({
    counts: simulator.apns.records.counts(),
    latest: simulator.apns.records.latest().map(({ target, atMs }) => ({ target, atMs })),
  });
  simulator.apns.records.clear();
});
