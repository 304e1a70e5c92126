import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Secrets at rest: AES-256-GCM, a fresh nonce each, bound to the place they belong to (so that a sealed text copied to
 * another row does not open), and marked with the id of the master key that sealed them (so that keys can be rotated).
 */
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

interface MasterKey {
  id: string;
  key: Buffer;
}

export class Keyring {
  private keys: readonly MasterKey[];
  private readonly file: string | undefined;

  private constructor(keys: readonly MasterKey[], file: string | undefined) {
    this.keys = keys;
    this.file = file;
  }

  /** The current key first, older ones after it. */
  static fromTexts(texts: readonly string[]): Keyring {
    return new Keyring(texts.map(parseKey), undefined);
  }

  /** Reads the key file, or makes it, readable by its owner only. */
  static fromFile(file: string): Keyring {
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeKeys(file, [randomBytes(keyBytes).toString('base64')]);
    }
    return new Keyring(readKeys(file), file);
  }

  get isFromFile(): boolean {
    return this.file !== undefined;
  }

  get currentId(): string {
    return this.current().id;
  }

  seal(secret: string, place: string): string {
    const { id, key } = this.current();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  }

  open(sealed: string, place: string): string {
    const [version, id, nonce, text] = sealed.split('.');
    if (version !== 'v1' || id === undefined || nonce === undefined || text === undefined)
      throw new Error('Not a sealed text.');
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.find(id), Buffer.from(nonce, 'base64url'))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
  }

  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`v1.${this.currentId}.`);
  }

  /** Puts a new key in front of the file. The old ones stay until `forgetOld`, so that a cut in between loses nothing. */
  addNew(): void {
    if (this.file === undefined)
      throw new Error(
        'The master key comes from the environment: set a new GATEHOUSE_MASTER_KEY and put the old one into GATEHOUSE_MASTER_KEY_PREVIOUS.',
      );
    writeKeys(this.file, [
      randomBytes(keyBytes).toString('base64'),
      ...this.keys.map(({ key }) => key.toString('base64')),
    ]);
    this.keys = readKeys(this.file);
  }

  forgetOld(): void {
    if (this.file === undefined) return;
    writeKeys(this.file, [this.current().key.toString('base64')]);
    this.keys = readKeys(this.file);
  }

  private current(): MasterKey {
    const [current] = this.keys;
    if (current === undefined) throw new Error('There is no master key.');
    return current;
  }

  private find(id: string): Buffer {
    let found = this.keys.find((key) => key.id === id);
    if (found === undefined && this.file !== undefined) {
      // Another process may have rotated the key while this one was running.
      this.keys = readKeys(this.file);
      found = this.keys.find((key) => key.id === id);
    }
    if (found === undefined)
      throw new Error(
        `The master key ${id} that sealed this secret is not here. Bring it back, or add the provider anew.`,
      );
    return found.key;
  }
}

function readKeys(file: string): MasterKey[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map(parseKey);
}

function writeKeys(file: string, texts: readonly string[]): void {
  const temporary = `${file}.new`;
  const text = `# Gatehouse master keys, the current one first. Without this file the sealed secrets of the store cannot be read.\n${texts.join('\n')}\n`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}

function parseKey(text: string): MasterKey {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== keyBytes)
    throw new Error(
      `A master key is ${keyBytes} bytes as base64 or hex, for example from: openssl rand -base64 ${keyBytes}`,
    );
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 12), key };
}
