/**
 * The id a push has at its vendor: the same however often it is tried, so that a push sent twice replaces itself. It is the
 * notification's id with the token's hash laid over it, which is as good as random.
 */
export class PushIds {
  private readonly base: Buffer;
  private readonly mixed = Buffer.alloc(16);

  constructor(notificationId: string) {
    this.base = Buffer.from(notificationId.replaceAll('-', ''), 'hex');
  }

  /** A lower-case UUID, as APNs wants it. */
  of(hash: string): string {
    const { base, mixed } = this;
    mixed.fill(0);
    mixed.write(hash, 'base64url');
    for (let i = 0; i < 16; i++) mixed[i] = (mixed[i] ?? 0) ^ (base[i] ?? 0);
    const hex = mixed.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}
