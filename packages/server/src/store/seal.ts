import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Secrets at rest: AES-256-GCM, a fresh nonce each, bound to the place they belong to (so that a sealed text copied to
 * another row does not open), and marked with the id of the master key that sealed them (so that keys can be rotated).
 */
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Something is wrong with the key itself; the message says what to do. */
export class MasterKeyError extends Error {}

interface MasterKey {
  id: string;
  key: Buffer;
}

export class Keyring {
  private keys: readonly MasterKey[];
  private readonly file: string | undefined;
  /** Which state of the file the keys were read from. */
  private seen: string | undefined;

  private constructor(keys: readonly MasterKey[], file?: string) {
    this.keys = keys;
    this.file = file;
  }

  /** The current key first, older ones after it. */
  static fromTexts(texts: readonly string[]): Keyring {
    return new Keyring(texts.map(parseKey));
  }

  /** Reads the key file, or makes it, readable by its owner only. */
  static fromFile(file: string): Keyring {
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      makeKeys(file);
    }
    const keyring = new Keyring([], file);
    keyring.refresh();
    return keyring;
  }

  get isFromFile(): boolean {
    return this.file !== undefined;
  }

  get currentId(): string {
    return this.current().id;
  }

  seal(secret: string, place: string): string {
    this.refresh();
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

  /** Whether the key that sealed it is here. */
  knows(sealed: string): boolean {
    return this.keyOf(sealed.split('.')[1] ?? '') !== undefined;
  }

  /** Puts a new key in front of the file. The old ones stay, so that a cut before everything is sealed anew loses nothing. */
  addNew(): void {
    if (this.file === undefined)
      throw new MasterKeyError(
        'The master key comes from the environment: set a new GATEHOUSE_MASTER_KEY and put the old one into GATEHOUSE_MASTER_KEY_PREVIOUS.',
      );
    this.refresh();
    this.replaceFile([randomBytes(keyBytes).toString('base64'), ...this.keys.map(asText)]);
  }

  /**
   * Once everything is sealed with the current key. The one before it stays until the next rotation: a service that was
   * sealing at that very moment may have used it.
   */
  forgetOld(): void {
    if (this.file !== undefined) this.replaceFile(this.keys.slice(0, 2).map(asText));
  }

  private replaceFile(texts: readonly string[]): void {
    if (this.file === undefined) return;
    renameSync(writeBeside(this.file, texts), this.file);
    flushFolder(this.file);
    this.refresh();
  }

  /** Another process may have rotated the key while this one was running: what is sealed from now on must use the new one. */
  private refresh(): void {
    if (this.file === undefined) return;
    const { ino, mtimeMs, size } = statSync(this.file);
    const state = `${ino}:${mtimeMs}:${size}`;
    if (state === this.seen) return;
    this.keys = readKeys(this.file);
    this.seen = state;
  }

  private current(): MasterKey {
    const [current] = this.keys;
    if (current === undefined) throw new Error('There is no master key.');
    return current;
  }

  private keyOf(id: string): Buffer | undefined {
    const find = () => this.keys.find((key) => key.id === id)?.key;
    const known = find();
    if (known !== undefined) return known;
    this.refresh();
    return find();
  }

  private find(id: string): Buffer {
    const found = this.keyOf(id);
    if (found === undefined)
      throw new MasterKeyError(
        `The master key ${id} that sealed this secret is not here. Bring it back, or add the provider anew.`,
      );
    return found;
  }
}

function readKeys(file: string): MasterKey[] {
  const keys = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map(parseKey);
  if (keys.length === 0)
    throw new MasterKeyError(`There is no master key in ${file}. Bring the file back from a backup.`);
  return keys;
}

/** Two processes may start at once on an empty folder: the first to link its file has made the key, the other reads it. */
function makeKeys(file: string): void {
  const made = writeBeside(file, [randomBytes(keyBytes).toString('base64')]);
  try {
    linkSync(made, file);
    flushFolder(file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(made, { force: true });
  }
}

function writeBeside(file: string, texts: readonly string[]): string {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.new`;
  const text = `# Gatehouse master keys, the current one first. Without this file the sealed secrets of the store cannot be read.\n${texts.join('\n')}\n`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true, flag: 'wx' });
  return temporary;
}

/** A new name in a folder outlives a power cut only once the folder itself is on the disk. */
function flushFolder(file: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function asText({ key }: MasterKey): string {
  return key.toString('base64');
}

function parseKey(text: string): MasterKey {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== keyBytes || !/^([0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(trimmed))
    throw new MasterKeyError(
      `A master key is ${keyBytes} bytes as base64 or hex, for example from: openssl rand -base64 ${keyBytes}`,
    );
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 12), key };
}
