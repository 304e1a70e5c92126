/** Keys for the tests, made when they run: no key is ever part of the sources. */
import { generateKeyPairSync } from 'node:crypto';

export interface SigningKey {
  /** As in the .p8 file that Apple gives out. */
  pem: string;
  /** Its middle on one line: what a leak would look like in any other wrapping. */
  base64: string;
}

export function makeP8(namedCurve = 'P-256'): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { pem, base64: bare(pem) };
}

export function bare(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, '');
}

/** A provider that holds tokens; its key signs nothing that anybody checks. */
export function fcmProvider(providerId: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    providerId,
    serviceAccountCreds: {
      project_id: 'chat-12345',
      client_email: 'push@chat-12345.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  };
}

/** The five fields that a provider cannot do without. */
export function apnsProvider(providerId: string, p8Key = makeP8().pem) {
  return { providerId, keyId: 'ABC123DEFG', teamId: 'TEAM123456', bundleId: 'org.example.chat', p8Key };
}
