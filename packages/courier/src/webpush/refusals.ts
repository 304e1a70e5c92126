/** Subscriptions refused with no success between them that mean a mistake of ours: before anything was accepted, and after. */
const NEVER_SENT_MIN = 25;
const SENT_MIN = 200;

/**
 * Tells a subscription that a push service refuses from a key of ours that all refuse. Anybody may register subscriptions that are
 * refused, at a push service of his own too: hence each counts once, however often it is tried, and any success begins the count anew.
 */
export class Refusals {
  readonly #refused = new Set<string>();
  #hasSent = false;

  sent(): void {
    this.#hasSent = true;
    if (this.#refused.size > 0) this.#refused.clear();
  }

  /** Notes that this subscription was refused; true when the mistake must be ours. */
  refuse(subscription: string): boolean {
    if (!this.#isOurs()) this.#refused.add(subscription);
    return this.#isOurs();
  }

  clear(): void {
    this.#refused.clear();
    this.#hasSent = false;
  }

  #isOurs(): boolean {
    return this.#refused.size >= (this.#hasSent ? SENT_MIN : NEVER_SENT_MIN);
  }
}
