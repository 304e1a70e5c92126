/** What the service sends to webhook endpoints. `data` is as the event's own page says. */
export interface WebhookEvent {
  trigger: string;
  data: unknown;
  appId: string;
  region: string;
  /** The id of the endpoint that was told. */
  webhook: string;
}

/** The request is not from the service, is too old, or was changed on the way. Answer it with 401 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

export interface VerifyOptions {
  /** How far the sender's clock may be from ours. */
  toleranceSeconds?: number;
  now?: () => number;
}

type AnyHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/**
 * Checks the signature of a webhook (Standard Webhooks: HMAC-SHA256 over id, time and body) and reads it. Hand it the
 * body as it came, before any JSON parser. `secrets` may be several, while one is being rotated out. The same id comes
 * again when an answer was lost: keep the ids that were done.
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: AnyHeaders,
  body: string,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent & { id: string }> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature').split(' ');
  if (!/^\d+$/.test(timestamp) || Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefused('The webhook is too old, or a clock is wrong.');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''));
    if (bytes.length === 0) throw new TypeError('The secret of the endpoint is whsec_ and base64.');
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) {
      const [version, value] = signature.split(',');
      if (version !== 'v1' || value === undefined) continue;
      if (await crypto.subtle.verify(algorithm.name, key, bytesOf(value), signed))
        return { id, ...(JSON.parse(body) as WebhookEvent) };
    }
  }
  throw new WebhookRefused('No signature fits: the secret is another, or the body was changed.');
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

function header(headers: AnyHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookRefused(`The header ${name} is missing.`);
  return value;
}

/** What is not base64 cannot be a signature or a secret of ours: no bytes, which fit nothing. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  } catch {
    return new Uint8Array(0);
  }
}
