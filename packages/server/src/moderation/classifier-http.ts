import { createHash } from 'node:crypto';
import type { Events } from '../events.ts';
import type { Outside } from '../webhooks/outside.ts';
import type { Classified, Classifier, Picture, Scores } from './classifier.ts';

const answerBytesMax = 65_536;
const labelsMax = 100;
const labelLengthMax = 100;

export interface HttpClassifierOptions {
  url: string;
  token: string | undefined;
  version: string;
}

/** Somebody else's model behind an address of the operator's. The contract is in docs/guide/classifier.md. */
export class HttpClassifier implements Classifier {
  readonly name: string;
  readonly labels = undefined;
  private readonly outside: Outside;
  private readonly events: Events;
  private readonly options: HttpClassifierOptions;

  constructor(outside: Outside, events: Events, options: HttpClassifierOptions) {
    this.outside = outside;
    this.events = events;
    this.options = options;
    const address = createHash('sha256').update(options.url).digest('hex').slice(0, 12);
    this.name = `http:${address}:${options.version}`;
  }

  async classify({ bytes, mimeType }: Picture, timeoutMs: number): Promise<Classified> {
    const { url, token } = this.options;
    const asked = await this.outside.ask({
      url,
      method: 'POST',
      headers: {
        'content-type': mimeType,
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: bytes,
      timeoutMs,
      answerBytesMax,
      isOfOperator: true,
    });
    this.events.asked('classifier', asked.kind === 'answered' ? String(asked.status) : asked.kind, asked.ms);
    if (asked.kind !== 'answered') return { kind: 'failed', reason: `The classifier did not answer: ${asked.reason}` };
    if (asked.status !== 200) return { kind: 'failed', reason: `The classifier answered ${asked.status}, not 200.` };
    const scores = asked.isCut ? undefined : readScores(asked.body.toString('utf8'));
    return scores === undefined
      ? { kind: 'failed', reason: 'The classifier did not answer {scores: {<label>: 0 to 100}}.' }
      : { kind: 'scored', scores };
  }

  whyNot(): undefined {}

  async close(): Promise<void> {}
}

function readScores(text: string): Scores | undefined {
  const answer = parse(text);
  if (typeof answer !== 'object' || answer === null || !('scores' in answer)) return undefined;
  const { scores } = answer;
  if (typeof scores !== 'object' || scores === null || Array.isArray(scores)) return undefined;
  const entries = Object.entries(scores);
  const isGood = ([label, score]: [string, unknown]): boolean =>
    label.length <= labelLengthMax && typeof score === 'number' && score >= 0 && score <= 100;
  return entries.length <= labelsMax && entries.every(isGood) ? Object.fromEntries(entries) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
