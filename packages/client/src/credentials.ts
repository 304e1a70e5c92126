/** Who is calling. One of: a back end of an app, an account's tools, a device, a person in a browser. */
export type Credentials =
  | { apikey: string }
  | { key: string; secret: string }
  | { authToken: string }
  /** The dashboard's cookie: the browser sends it, so nothing secret passes through here. */
  | { session: 'cookie' };

export function headersOf(
  credentials: Credentials,
  appId: string | undefined,
  isManagement: boolean,
): Record<string, string> {
  // A management path names its app; elsewhere the header does, and must agree with the credentials.
  const app: Record<string, string> = appId === undefined || isManagement ? {} : { appid: appId };
  if ('apikey' in credentials) return { ...app, apikey: credentials.apikey };
  if ('authToken' in credentials) return { ...app, authtoken: credentials.authToken };
  if ('key' in credentials) return { ...app, key: credentials.key, secret: credentials.secret };
  return app;
}
