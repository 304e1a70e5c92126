/** What a classifier sees in a picture: a confidence of 0 to 100 for each label. A label it does not know is not there. */
export type Scores = Readonly<Record<string, number>>;

export type Classified = { kind: 'scored'; scores: Scores } | { kind: 'failed'; reason: string };

export interface Picture {
  bytes: Buffer;
  mimeType: string;
}

/** The port: whatever can look at a picture. It answers in time or says why not; it never throws. */
export interface Classifier {
  /** Scores are remembered under this name: it changes with the model. */
  readonly name: string;
  /** The labels it can see at all; undefined when only it knows. */
  readonly labels: readonly string[] | undefined;
  /** Why it can look at nothing at all, and how to mend it; undefined where nothing is known to be wrong. */
  whyNot(): string | undefined;
  classify(picture: Picture, timeoutMs: number): Promise<Classified>;
  close(): Promise<void>;
}

/** Of several pictures of one thing (frames of a film or of an animation), the worst counts. */
export function worstOf(all: readonly Scores[]): Scores {
  const worst: Record<string, number> = {};
  for (const scores of all)
    for (const [label, score] of Object.entries(scores)) worst[label] = Math.max(worst[label] ?? 0, score);
  return worst;
}
