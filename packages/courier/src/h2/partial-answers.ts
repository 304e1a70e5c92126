interface Partial {
  readonly status: number;
  readonly block: Uint8Array;
  readonly parts: Uint8Array[];
  bytes: number;
}

/** Answers whose end has not come yet: their header block and body so far, copied out of the receive buffer. */
export class PartialAnswers {
  readonly #answers = new Map<number, Partial>();

  begin(streamId: number, status: number, block: Uint8Array): void {
    this.#answers.set(streamId, { status, block: Buffer.from(block), parts: [], bytes: 0 });
  }

  has(streamId: number): boolean {
    return this.#answers.has(streamId);
  }

  /** Bytes held for the stream after adding these. */
  append(streamId: number, bytes: Uint8Array): number {
    const answer = this.#answers.get(streamId);
    if (answer === undefined) return 0;
    if (bytes.length > 0) answer.parts.push(Buffer.from(bytes));
    answer.bytes += bytes.length;
    return answer.bytes;
  }

  take(streamId: number): { status: number; block: Uint8Array; body: Uint8Array } | undefined {
    const answer = this.#answers.get(streamId);
    if (answer === undefined) return undefined;
    this.#answers.delete(streamId);
    return { status: answer.status, block: answer.block, body: Buffer.concat(answer.parts) };
  }

  drop(streamId: number): void {
    if (this.#answers.size > 0) this.#answers.delete(streamId);
  }
}
