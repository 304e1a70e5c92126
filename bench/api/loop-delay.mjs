/** Preloaded into the service under test: tells, when asked by a signal, how long its event loop was held up. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const histogram = monitorEventLoopDelay({ resolution: 1 });
histogram.enable();
process.on('SIGUSR2', () => {
  process.stderr.write(
    `\nLOOP ${JSON.stringify({ p50: histogram.percentile(50) / 1e6, p99: histogram.percentile(99) / 1e6 })}\n`,
  );
  histogram.reset();
});
