import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** What OWASP asks of scrypt: 32 MiB of memory three times over, about a quarter of a second. It runs beside the event loop. */
const cost = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;
const keyBytes = 32;

/** The cost is kept with the hash, so that it can be raised without locking anybody out. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Takes as long for a person who does not exist or has no password yet as for one who has. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [kind, N, r, p, salt, key] = (stored ?? '').split('$');
  if (kind !== 'scrypt' || salt === undefined || key === undefined) {
    await derive(password, Buffer.alloc(saltBytes), cost);
    return false;
  }
  const found = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  const wanted = Buffer.from(key, 'base64url');
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same word typed on two keyboards must be the same bytes.
    scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
