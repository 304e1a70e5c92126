import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

const KEPT_MAX = 16;
const contexts = new Map<string, SecureContext>();

/** The authorities everybody trusts, and these. Node takes a `ca` for all there are. */
export function authorities(extra: string | readonly string[]): string[] {
  return [...rootCertificates, ...(typeof extra === 'string' ? [extra] : extra)];
}

/** What a connection trusts that has authorities of its own. Reading some 150 certificates takes milliseconds, so it is done once. */
export function trusting(extra: string | readonly string[]): SecureContext {
  const key = typeof extra === 'string' ? extra : extra.join('\n');
  let context = contexts.get(key);
  if (context === undefined) {
    context = createSecureContext({ ca: authorities(extra), minVersion: 'TLSv1.2' });
    if (contexts.size >= KEPT_MAX) contexts.clear();
    contexts.set(key, context);
  }
  return context;
}
