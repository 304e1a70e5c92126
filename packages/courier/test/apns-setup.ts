import { afterEach, beforeEach } from 'vitest';
import { ApnsHubs, type ApnsSender, createApnsSender } from '../src/index.ts';
import { type Simulator, startSimulator } from '../src/simulator/index.ts';
import { ShiftedClock } from './sim.ts';

/** A simulated Apple for each test, and senders that are closed after it. */
export let simulator: Simulator;
let senders: ApnsSender[];
export const clock = new ShiftedClock();

export function sender(
  options: Partial<Parameters<typeof createApnsSender>[0]> = {},
  hubs = new ApnsHubs(clock),
): ApnsSender {
  const made = createApnsSender({ ...simulator.apns, production: false, ca: simulator.ca, ...options }, hubs);
  senders.push(made);
  return made;
}

beforeEach(async () => {
  senders = [];
  clock.shiftMs = 0;
  simulator = await startSimulator({ clock });
});

afterEach(async () => {
  await Promise.all(senders.map((each) => each.close()));
  await simulator.close();
});

/** What came last. */
export function received(): { headers: Readonly<Record<string, string>>; payload: unknown } {
  const record = simulator.apns.records.latest().at(-1);
  return { headers: record?.headers ?? {}, payload: JSON.parse(record?.body ?? 'null') };
}
