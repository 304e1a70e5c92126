import { type Notification, type Outcome, parseRetryAfter, TokenWave } from '@gatehouse/courier';
import type { Asked } from '../webhooks/outside.ts';
import type { CustomSettings } from './custom-provider.ts';
import type { Outlet, OutletOptions, Post } from './outlets.ts';

const customTimeoutMs = 2000;
const retryAfterMs = 1000;
const customAtOnceMax = 64;
/** What a broadcast leaves free, so that a chat push never waits for one of its calls to end. */
const keptForUrgent = 16;

/** The app's own service: one call a user, answered within two seconds. */
export class CustomOutlet implements Outlet {
  isClosed = false;
  readonly isEnabled: boolean;
  private running = 0;
  /** One user whom the service does not know is that user's; half of them not known means that the address is wrong. */
  private readonly unknown = new TokenWave();
  private readonly listeners = new Set<() => void>();
  private readonly settings: CustomSettings;
  private readonly password: string;
  private readonly options: OutletOptions;

  constructor(settings: CustomSettings, password: string, options: OutletOptions) {
    this.settings = settings;
    this.isEnabled = settings.isEnabled;
    this.password = password;
    this.options = options;
  }

  variantOf(): string {
    return '';
  }

  load({ title, body, data }: Notification, _variant: string, isUrgent: boolean): Post {
    const { appId, region } = this.options;
    const payload = { title, body, ...data };
    const atOnceMax = isUrgent ? customAtOnceMax : customAtOnceMax - keptForUrgent;
    return (uid, context, onOutcome, id) => {
      if (this.isClosed || this.running >= atOnceMax) return false;
      const envelope = JSON.stringify({
        trigger: 'push-notification-payload-generated',
        data: { to: { uid }, notificationDetails: payload },
        appId,
        region,
        webhook: 'custom',
      });
      const end = (outcome: Outcome): void => {
        this.running--;
        onOutcome(context, outcome);
        for (const listener of this.listeners) listener();
      };
      this.running++;
      this.call(envelope, id).then(end, () => end(notCalled(id)));
      return true;
    };
  }

  onDrain(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  waiting(): number {
    return 0;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  private async call(body: string, id: string): Promise<Outcome> {
    const { webhookURL, useBasicAuth, basicAuthUsername } = this.settings;
    const basic = Buffer.from(`${basicAuthUsername}:${this.password}`).toString('base64');
    const secrets = useBasicAuth ? [basic, this.password] : [];
    const answer = await this.options.outside.ask({
      url: webhookURL,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        ...(useBasicAuth && { authorization: `Basic ${basic}` }),
      },
      body,
      timeoutMs: customTimeoutMs,
      answerBytesMax: 1024,
      isStatusEnough: true,
    });
    const outcome = outcomeOf(answer, id, secrets);
    if (answer.kind !== 'answered') return outcome;
    const isUnknown = answer.status === 404 || answer.status === 410;
    if (isUnknown) this.unknown.bad();
    else this.unknown.other();
    return isUnknown && this.unknown.isWave ? { ...outcome, kind: 'pauseProvider' } : outcome;
  }
}

/** Something of ours broke on the way: the same would happen again. */
function notCalled(id: string): Outcome {
  return { kind: 'failMessage', certainty: 'unknown', provider: { status: 0, reason: 'notBuilt', id } };
}

function outcomeOf(answer: Asked, id: string, secrets: readonly string[]): Outcome {
  const status = answer.kind === 'answered' ? answer.status : 0;
  const said = answer.kind === 'answered' ? excerptOf(answer.body, secrets) : answer.reason;
  const provider = { status, reason: status === 0 ? said : status < 300 ? '' : `http${status}`, id, detail: said };
  if (status >= 200 && status < 300) return { kind: 'sent', certainty: 'processed', provider };
  if (answer.kind === 'refused') return { kind: 'pauseProvider', certainty: 'notProcessed', provider };
  if (status === 401 || status === 403) return { kind: 'pauseProvider', certainty: 'processed', provider };
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    return { kind: 'failMessage', certainty: 'processed', provider };
  const asked = answer.kind === 'answered' ? parseRetryAfter(answer.retryAfter, Date.now()) : undefined;
  const afterMs = Math.max(retryAfterMs, asked ?? 0);
  return { kind: 'retry', afterMs, certainty: status === 0 ? 'unknown' : 'processed', provider };
}

/** What people need to see of an answer. A receiver that repeats what it was sent must not show them the password. */
function excerptOf(body: Buffer, secrets: readonly string[]): string {
  let text = body.toString('utf8');
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '[secret]');
  return text.slice(0, 200).replace(/\p{Cc}/gu, ' ');
}
