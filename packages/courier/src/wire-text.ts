/**
 * Text that leaves as UTF-8. The first time it is written straight into the frame, so that a message of one's own leaves no buffer
 * behind; from the second time on it goes to many, and its bytes are kept to be copied.
 */
export class WireText {
  readonly text: string;
  /** In bytes. */
  readonly length: number;
  #wasWritten = false;
  #bytes: Buffer | undefined;

  constructor(text: string, length = Buffer.byteLength(text)) {
    this.text = text;
    this.length = length;
  }

  writeTo(target: Buffer, offset: number): void {
    if (this.#wasWritten) {
      this.#bytes ??= Buffer.from(this.text);
      target.set(this.#bytes, offset);
      return;
    }
    this.#wasWritten = true;
    target.write(this.text, offset);
  }
}
