import { ApiError } from '../errors.ts';

/** Which side of the house a request came to, and the app that its host name names, if it names one. */
export interface HostSeen {
  appId: string | undefined;
}

export interface HostConfig {
  /** `example.org` in `{appId}.api-{region}.example.org`; undefined: any host name is served. */
  domain: string | undefined;
  managementHost: string | undefined;
  region: string;
}

export type Side = 'app' | 'mgmt';

const appHostPattern = /^([0-9a-f]{16})\.api-([a-z0-9-]+)\.(.+)$/;

/** The host must serve this side, and its region must be ours; the answer to a wrong one says which is right. */
export function resolveHost(hostHeader: string | undefined, side: Side, config: HostConfig): HostSeen {
  const host = withoutPort(hostHeader ?? '').toLowerCase();
  const found = appHostPattern.exec(host);
  if (config.domain === undefined) return { appId: found?.[1] };
  if (side === 'mgmt') {
    if (host === config.managementHost) return { appId: undefined };
    throw wrongHost(`Management requests go to ${config.managementHost}.`);
  }
  const [, appId, region, domain] = found ?? [];
  if (appId === undefined || domain !== config.domain)
    throw wrongHost(`Requests of an app go to {appId}.api-${config.region}.${config.domain}.`);
  if (region !== config.region)
    throw wrongHost(`This is region ${config.region}: use ${appId}.api-${config.region}.${config.domain}.`);
  return { appId };
}

function wrongHost(message: string): ApiError {
  return new ApiError('ERR_WRONG_HOST', { message });
}

function withoutPort(host: string): string {
  const bracket = host.lastIndexOf(']');
  const colon = host.lastIndexOf(':');
  return colon > bracket ? host.slice(0, colon) : host;
}
