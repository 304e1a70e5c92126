import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/**
 * A certificate authority made at start and forgotten at the end. Node can read X.509 but not write it; the few fields a loopback
 * server needs are written here in DER, and a test reads them back with OpenSSL's parser.
 */

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Uint8Array[]): Buffer => der(0x30, ...contents);
const octets = (...contents: Uint8Array[]): Buffer => der(0x04, ...contents);
const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.of(0), content);
const explicit = (number: number, content: Uint8Array): Buffer => der(0xa0 | number, content);
const TRUE = der(0x01, Buffer.of(0xff));

/** Object identifiers, as their DER contents. */
const OID = {
  ecdsaSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  extendedKeyUsage: '551d25',
  subjectAltName: '551d11',
  subjectKeyId: '551d0e',
  authorityKeyId: '551d23',
  serverAuth: '2b06010505070301',
} as const;
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const name = (text: string): Buffer => sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(text)))));
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
const extension = (id: string, isCritical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(id), ...(isCritical ? [TRUE] : []), octets(value));
const keyId = (spki: Uint8Array): Buffer => createHash('sha1').update(spki).digest();

const DAY_MS = 86_400_000;
const ALGORITHM = sequence(oid(OID.ecdsaSha256));

interface Subject {
  readonly name: string;
  readonly spki: Buffer;
}

function certificate(subject: Subject, issuer: Subject, issuerKey: KeyObject, extensions: Buffer[]): string {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  const body = sequence(
    explicit(0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    ALGORITHM,
    name(issuer.name),
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + 365 * DAY_MS))),
    name(subject.name),
    subject.spki,
    explicit(
      3,
      sequence(
        ...extensions,
        extension(OID.subjectKeyId, false, octets(keyId(subject.spki))),
        extension(OID.authorityKeyId, false, sequence(der(0x80, keyId(issuer.spki)))),
      ),
    ),
  );
  const signed = sequence(body, ALGORITHM, bits(sign('sha256', body, issuerKey)));
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

export interface Certificates {
  /** What clients must trust. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A new authority and one server certificate for the given names and IPv4 addresses. */
export function makeCertificates(names: readonly string[], addresses: readonly string[]): Certificates {
  const authority = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const server = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const root: Subject = {
    name: 'Gatehouse simulator',
    spki: authority.publicKey.export({ type: 'spki', format: 'der' }),
  };
  const leaf: Subject = {
    name: names[0] ?? 'localhost',
    spki: server.publicKey.export({ type: 'spki', format: 'der' }),
  };
  const alternatives = [
    ...names.map((text) => der(0x82, Buffer.from(text))),
    ...addresses.map((text) => der(0x87, Buffer.from(text.split('.').map(Number)))),
  ];
  return {
    ca: certificate(root, root, authority.privateKey, [
      extension(OID.basicConstraints, true, sequence(TRUE)),
      extension(OID.keyUsage, true, der(0x03, Buffer.of(1, 0x06))),
    ]),
    cert: certificate(leaf, root, authority.privateKey, [
      extension(OID.basicConstraints, true, sequence()),
      extension(OID.keyUsage, true, der(0x03, Buffer.of(7, 0x80))),
      extension(OID.extendedKeyUsage, false, sequence(oid(OID.serverAuth))),
      extension(OID.subjectAltName, false, sequence(...alternatives)),
    ]),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
