import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keyring } from '../../src/store/seal.ts';

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

describe('sealing', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-seal-'));
    file = join(folder, 'data', 'master.key');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('opens in its place what was sealed for it, and never seals alike twice', () => {
    const keyring = Keyring.fromTexts([keyOf(1)]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, place) => {
        const sealed = keyring.seal(secret, place);
        expect(keyring.open(sealed, place)).toBe(secret);
        expect(keyring.seal(secret, place)).not.toBe(sealed);
        if (secret.length > 3) expect(sealed).not.toContain(secret);
      }),
    );
  });

  it('does not open in another place, or with any character changed', () => {
    const keyring = Keyring.fromTexts([keyOf(1)]);
    const sealed = keyring.seal('the secret of a provider', 'provider:a');
    expect(() => keyring.open(sealed, 'provider:b')).toThrow();
    for (let i = 0; i < sealed.length; i++) {
      const changed = `${sealed.slice(0, i)}${sealed[i] === 'A' ? 'B' : 'A'}${sealed.slice(i + 1)}`;
      // The last character of base64 has bits that mean nothing.
      const same = Buffer.from(changed.split('.')[3] ?? '', 'base64url').equals(
        Buffer.from(sealed.split('.')[3] ?? '', 'base64url'),
      );
      if (same && changed.split('.').slice(0, 3).join() === sealed.split('.').slice(0, 3).join()) continue;
      expect(() => keyring.open(changed, 'provider:a'), changed).toThrow();
    }
    for (const cut of [sealed.slice(0, -30), sealed.split('.').slice(0, 3).join('.'), '', 'v2.x.y.z'])
      expect(() => keyring.open(cut, 'provider:a')).toThrow();
  });

  it('says which key is missing and not what the secret is', () => {
    const sealed = Keyring.fromTexts([keyOf(1)]).seal('hidden', 'p');
    const id = sealed.split('.')[1];
    expect(() => Keyring.fromTexts([keyOf(2)]).open(sealed, 'p')).toThrow(new RegExp(`master key ${id}.*not here`));
    expect(Keyring.fromTexts([keyOf(2), keyOf(1)]).open(sealed, 'p')).toBe('hidden');
  });

  it('takes a key as base64 or as hex, and refuses any other without repeating it', () => {
    const hex = Buffer.alloc(32, 7).toString('hex');
    expect(Keyring.fromTexts([hex]).currentId).toBe(Keyring.fromTexts([keyOf(7)]).currentId);
    for (const bad of ['short-key-of-mine', hex.slice(2), `${keyOf(1)}AAAA`])
      expect(() => Keyring.fromTexts([bad])).toThrow(/^(?!.*short-key-of-mine).*32 bytes/);
  });

  it('makes a key file that only its owner can read, in a folder of the same kind', () => {
    const first = Keyring.fromFile(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    expect(Keyring.fromFile(file).currentId).toBe(first.currentId);
    expect(readdirSync(join(folder, 'data'))).toEqual(['master.key']);
  });

  it('makes one key when several processes start on an empty folder at the same time', async () => {
    const script = `import { Keyring } from ${JSON.stringify(join(import.meta.dirname, '../../dist/store/seal.js'))};
      console.log(Keyring.fromFile(${JSON.stringify(file)}).currentId);`;
    const starts = Array.from({ length: 8 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]),
    );
    const ids = new Set((await Promise.all(starts)).map(({ stdout }) => stdout));
    expect(ids.size).toBe(1);
    expect(readdirSync(join(folder, 'data'))).toEqual(['master.key']);
  });

  it('seals with the new key from the moment that another process has rotated it', () => {
    const [service, rotating] = [Keyring.fromFile(file), Keyring.fromFile(file)];
    const old = service.seal('old', 'p');
    rotating.addNew();
    const between = service.seal('between', 'p');
    expect(rotating.isCurrent(between)).toBe(true);
    expect(rotating.isCurrent(old)).toBe(false);
    rotating.forgetOld();
    expect([service.open(old, 'p'), service.open(between, 'p')]).toEqual(['old', 'between']);
    expect(rotating.isCurrent(service.seal('after', 'p'))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps the key before the current one until the next rotation, and none older', () => {
    const keyring = Keyring.fromFile(file);
    const sealed = keyring.seal('kept', 'p');
    keyring.addNew();
    keyring.forgetOld();
    expect(Keyring.fromFile(file).open(sealed, 'p')).toBe('kept');
    keyring.addNew();
    keyring.forgetOld();
    expect(() => Keyring.fromFile(file).open(sealed, 'p')).toThrow(/not here/);
    expect(readFileSync(file, 'utf8').match(/^[^#\n].*$/gm)).toHaveLength(2);
  });

  it('refuses a damaged key file without repeating it', () => {
    Keyring.fromFile(file);
    writeFileSync(file, 'not-a-key-but-private\n');
    expect(() => Keyring.fromFile(file)).toThrow(/^(?!.*not-a-key-but-private).*32 bytes/);
    writeFileSync(file, '# empty\n');
    expect(() => Keyring.fromFile(file)).toThrow(/no master key in .*backup/);
  });
});
