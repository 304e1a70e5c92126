import type { Reader } from '../store/store.ts';
import { hashPushToken, isAppleToken, isToken, tokenLengthMax } from './device-token.ts';
import type { ImportRow } from './import.ts';
import { importedTime } from './import-time.ts';
import { platforms, providerKindOf, tokenFields } from './platforms.ts';
import { type ProviderRow, readProviders } from './provider.ts';
import { checkTimezone } from './timezone.ts';

/** Turns lines into rows, or into a sentence that says what is wrong with them. */
export class LineReader {
  private readonly providers: ReadonlyMap<string, readonly ProviderRow[]>;
  private readonly timezones = new Map<string, string>();

  private constructor(providers: ReadonlyMap<string, readonly ProviderRow[]>) {
    this.providers = providers;
  }

  static async for(store: Reader, appId: string): Promise<LineReader> {
    const kinds = ['apns', 'fcm', 'webpush'] as const;
    const rows = await Promise.all(kinds.map((kind) => readProviders(store, appId, kind)));
    return new LineReader(new Map(kinds.map((kind, i) => [kind, rows[i] ?? []])));
  }

  read(record: Record<string, unknown>): ImportRow | string {
    const field = (name: string): string => {
      const value = record[name];
      return typeof value === 'string' ? value : '';
    };
    const uid = field('uid');
    if (!/^[A-Za-z0-9_.@:-]{1,100}$/.test(uid)) return 'uid is missing or has characters that it may not have';
    const platform = field('platform');
    const kind = platforms.get(platform);
    if (kind === undefined) return `platform "${platform.slice(0, 50)}" is not known`;
    if (kind === 'webpush') return 'browsers cannot be imported: their keys belong to the page that subscribed them';
    const pushToken = field('pushToken') || field(tokenFields[kind]);
    if (pushToken === '' || pushToken.length > tokenLengthMax || !isToken.test(pushToken))
      return 'pushToken is missing, too long or has spaces';
    if (providerKindOf(kind) === 'apns' && !isAppleToken.test(pushToken))
      return "pushToken is not the bytes of Apple's token as hex, two digits for each byte";
    const provider = this.providerOf(providerKindOf(kind), field('providerId') || 'default');
    if (provider === undefined) return `there is no ${providerKindOf(kind).toUpperCase()} provider for it`;
    const authToken = field('authToken');
    if (authToken !== '' && !/^[^\s\p{Cc}]{1,255}$/u.test(authToken))
      return 'authToken has characters that it may not have';
    const timezone = this.timezoneOf(field('timezone'));
    if (timezone === undefined) return 'timezone is not an IANA time zone';
    const createdAt = importedTime(record.createdAt);
    const updatedAt = importedTime(record.updatedAt);
    if (Number.isNaN(createdAt) || Number.isNaN(updatedAt))
      return 'createdAt or updatedAt is neither an ISO 8601 date and time nor epoch seconds or milliseconds';
    return {
      hash: hashPushToken(pushToken),
      stored: pushToken,
      uid,
      kind,
      platform,
      providerId: provider,
      ...(authToken !== '' && { authToken }),
      ...(timezone !== '' && { timezone }),
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { updatedAt }),
    };
  }

  private providerOf(kind: string, providerId: string): string | undefined {
    const rows = this.providers.get(kind) ?? [];
    const named = rows.find((row) => row.provider_id === providerId);
    return (named ?? (providerId === 'default' ? rows.find((row) => row.is_default === 1) : undefined))?.provider_id;
  }

  private timezoneOf(sent: string): string | undefined {
    if (sent === '') return '';
    const known = this.timezones.get(sent);
    if (known !== undefined) return known;
    try {
      const checked = checkTimezone(sent);
      this.timezones.set(sent, checked);
      return checked;
    } catch {
      return undefined;
    }
  }
}
