import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { badField } from '../errors.ts';

/** An APNs signing key, checked and in one form. The PEM is a secret; the fingerprint of its public half is not. */
export interface P8Key {
  pem: string;
  fingerprint: string;
}

const help = 'Send the content of the AuthKey_XXXXXXXXXX.p8 file that Apple gave you';

/** Takes PEM, PEM with its line breaks written as \n, and the bare base64 of its middle. */
export function parseP8Key(sent: string): P8Key {
  const key = readKey(toPem(sent));
  if (key.asymmetricKeyType !== 'ec') throw refused(`is a key of type ${key.asymmetricKeyType}, not an EC key`);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw refused(`is on the curve ${key.asymmetricKeyDetails?.namedCurve}, not P-256`);
  const publicDer = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: createHash('sha256').update(publicDer).digest('hex'),
  };
}

function toPem(sent: string): string {
  const text = sent.replaceAll('\\r', '').replaceAll('\\n', '\n').trim();
  if (text.includes('-----BEGIN')) {
    const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
    if (label === undefined) throw refused('has a damaged first line');
    if (label.includes('PUBLIC')) throw refused('is a public key');
    if (label.includes('CERTIFICATE')) throw refused('is a certificate');
    if (label !== 'PRIVATE KEY') throw refused(`is a PEM of type "${label}", not PKCS#8 "PRIVATE KEY"`);
    const body = /-----BEGIN PRIVATE KEY-----([\s\S]*?)-----END PRIVATE KEY-----/.exec(text)?.[1];
    if (body === undefined) throw refused('is cut off: its last line is missing');
    return wrap(body);
  }
  return wrap(text);
}

function wrap(base64: string): string {
  const bare = base64.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(bare)) throw refused('is neither PEM nor base64');
  const lines =
    Buffer.from(bare, 'base64')
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // The cause may quote the key; the sentence must not.
    throw refused('is not a PKCS#8 private key');
  }
}

function refused(why: string) {
  return badField('p8Key', `The key ${why}. ${help}: a PKCS#8 EC P-256 private key.`);
}
