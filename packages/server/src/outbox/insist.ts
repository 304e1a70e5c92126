import { StoreUnavailable } from '../store/store.ts';

const firstMs = 50;
const lastMs = 2000;

/**
 * Writes what came of a job as soon as the store takes it. To do the job again because that could not be written would send
 * it twice. The job stays in hand meanwhile, so that its lane takes no more than the store can hold.
 */
export async function insist<T>(write: () => Promise<T>, onFailure: (error: StoreUnavailable) => void): Promise<T> {
  for (let waitMs = firstMs; ; waitMs = Math.min(2 * waitMs, lastMs)) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (waitMs === firstMs) onFailure(error);
    }
    // A process that wants to end is not kept from it: its leases end too.
    await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
  }
}
