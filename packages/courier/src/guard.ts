import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that strangers may not make us call. */
export class GuardError extends Error {
  readonly code = 'EGUARD';
  constructor(message: string) {
    super(message);
    this.name = 'GuardError';
  }
}

/**
 * Whether an address lies in the open internet: not loopback, private, link-local, carrier-grade NAT, multicast, documentation,
 * benchmark or reserved, nor one of those wrapped in IPv6 (mapped, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return false;
  const parsed = ipaddr.process(bare);
  if (parsed.range() !== 'unicast') return false;
  // Global IPv6 is 2000::/3; whatever lies outside (such as ::127.0.0.1) is old, odd or ours.
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6);
}

const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

export interface GuardOptions {
  /** Lets private addresses through: for a simulator or services of one's own. */
  readonly allowPrivate?: boolean;
  /** Lets `http:` through; else only `https:`. */
  readonly allowHttp?: boolean;
  readonly urlBytesMax?: number;
}

/** Parses an address given by a stranger. What a name resolves to is only known, and checked, at connect: see `guardedLookup`. */
export function guardUrl(text: string, options: GuardOptions = {}): URL {
  if (Buffer.byteLength(text) > (options.urlBytesMax ?? 2_048)) throw new GuardError('address too long');
  if (!URL.canParse(text)) throw new GuardError('not an address');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(options.allowHttp === true && url.protocol === 'http:')) {
    throw new GuardError(`an address that begins with ${url.protocol}// is not allowed`);
  }
  if (url.username !== '' || url.password !== '') throw new GuardError('an address may not carry credentials');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (options.allowPrivate !== true && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw new GuardError('the address is not public');
  }
  return url;
}

/**
 * A `lookup` for `net.connect`, `tls.connect` and `http.request` that hands over public addresses only. The check and the connection
 * use the same answer, so a name cannot be changed in between (DNS rebinding). Follow no redirects: each would need `guardUrl` again.
 * Sockets do not look up literal addresses; `guardUrl` has refused those.
 */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0);
    const open = addresses.filter(({ address }) => isPublicAddress(address));
    const first = open[0];
    if (first === undefined) return callback(new GuardError(`${hostname} has no public address`), '', 0);
    if (options.all === true) callback(null, open);
    else callback(null, first.address, first.family);
  });
};
