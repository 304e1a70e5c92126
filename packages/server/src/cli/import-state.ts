import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CliError } from './output.ts';

/** What an import has done so far, so that the same command goes on where it stopped. */
interface Saved {
  from: string;
  /** What was carried over, by its hash: the same record is not carried twice, nor over what was changed here since. */
  carried: Record<string, string>;
  /** Where the next page of tokens begins; null when all were read. */
  tokensAt?: Record<string, string> | null;
  tokens: { imported: number; refused: number };
}

export class ImportState {
  private readonly file: string;
  private saved: Saved;

  constructor(file: string, from: string, restart: boolean) {
    this.file = file;
    const fresh: Saved = { from, carried: {}, tokens: { imported: 0, refused: 0 } };
    this.saved = !restart && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Saved) : fresh;
    if (this.saved.from !== from)
      throw new CliError(
        `${file} is of an import from ${this.saved.from}. Name another with --state, or begin anew with --restart.`,
      );
  }

  isCarried(key: string, record: unknown): boolean {
    return this.saved.carried[key] === hash(record);
  }

  carry(key: string, record: unknown): void {
    this.saved.carried[key] = hash(record);
    this.save();
  }

  get tokensAt(): Record<string, string> | null | undefined {
    return this.saved.tokensAt;
  }

  get tokens(): { imported: number; refused: number } {
    return this.saved.tokens;
  }

  passTokens(next: Record<string, string> | undefined, imported: number, refused: number): void {
    this.saved.tokensAt = next ?? null;
    this.saved.tokens.imported += imported;
    this.saved.tokens.refused += refused;
    this.save();
  }

  /** Tokens that were left out may fit next time: they are read again from the start, and what is there stays. */
  readTokensAgain(): void {
    delete this.saved.tokensAt;
    this.saved.tokens = { imported: 0, refused: 0 };
    this.save();
  }

  private save(): void {
    const unfinished = `${this.file}.unfinished`;
    writeFileSync(unfinished, `${JSON.stringify(this.saved)}\n`, { mode: 0o600 });
    renameSync(unfinished, this.file);
  }
}

function hash(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url');
}
