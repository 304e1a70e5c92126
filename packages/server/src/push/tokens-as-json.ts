import { escaped } from '../escaped.ts';
import { isoTime } from '../fields.ts';
import { pushTokenTypeOf, type TokenKind } from './platforms.ts';
import { shownToken } from './web-push-subscription.ts';

/** Between two parts and between two tokens. No field may hold a control character. */
const partEnd = '\u001f';
const tokenEnd = '\u001e';

/**
 * All tokens of an auth token as one text: each value that crosses from SQLite into JavaScript costs as much as finding its row. What
 * needs nothing more done to it is put together there as it stands in the answer; every character of it was checked when it was stored.
 */
export const tokensOfAuthToken = `SELECT string_agg(
    concat(kind, '${partEnd}', created_at, '${partEnd}', updated_at, '${partEnd}","platform":"', platform, '","providerId":"', provider_id,
      '","pushToken":"${partEnd}', push_token, '${partEnd}","uid":"', uid, '"}'), ',${tokenEnd}') AS tokens
  FROM push_tokens WHERE app_id = $1 AND auth_token = $2`;

export type TokensOfAuthToken = { tokens: string | null };

/** What stands between the auth token and the first time. */
const typeFields: Record<TokenKind, string> = {
  fcm: typeField('fcm'),
  apns: typeField('apns'),
  voip: typeField('voip'),
  activity: typeField('activity'),
  webpush: typeField('webpush'),
};

/** Joined, since V8 keeps what is added up in its pieces and would gather them again for every token. */
function typeField(kind: TokenKind): string {
  return [',"pushTokenType":"', pushTokenTypeOf(kind), '","createdAt":"'].join('');
}

/** That text as the answer. */
export function tokensAsJson(text: string, authToken: string): string {
  const opening = `{"authToken":"${escaped(authToken)}"`;
  const hasBackslash = text.includes('\\');
  let json = '{"data":{"pushTokens":[';
  for (let start = 0; start < text.length; ) {
    const kindEnd = text.indexOf(partEnd, start);
    const createdEnd = text.indexOf(partEnd, kindEnd + 1);
    const updatedEnd = text.indexOf(partEnd, createdEnd + 1);
    const providerEnd = text.indexOf(partEnd, updatedEnd + 1);
    const pushTokenEnd = text.indexOf(partEnd, providerEnd + 1);
    const end = endOf(text, pushTokenEnd);
    const kind = text.slice(start, kindEnd) as TokenKind;
    const createdMs = numberIn(text, kindEnd + 1, createdEnd);
    const updatedMs = numberIn(text, createdEnd + 1, updatedEnd);
    const createdAt = isoTime(createdMs);
    const updatedAt = updatedMs === createdMs ? createdAt : isoTime(updatedMs);
    // The next part begins with a quote: where that is the first to come, the token holds none.
    const isPlain = !hasBackslash && kind !== 'webpush' && text.indexOf('"', providerEnd) === pushTokenEnd + 1;
    const stored = text.slice(providerEnd + 1, pushTokenEnd);
    const pushToken = isPlain ? stored : escaped(shownToken(kind, stored));
    json += `${opening}${typeFields[kind]}${createdAt}","updatedAt":"${updatedAt}${text.slice(updatedEnd + 1, providerEnd)}${pushToken}${text.slice(pushTokenEnd + 1, end)}`;
    start = end + 1;
  }
  return `${json}]}}`;
}

function endOf(text: string, from: number): number {
  const end = text.indexOf(tokenEnd, from);
  return end === -1 ? text.length : end;
}

/** Digits read where they stand, without cutting them out. */
function numberIn(text: string, start: number, end: number): number {
  let number = 0;
  for (let i = start; i < end; i++) number = number * 10 + text.charCodeAt(i) - 48;
  return number;
}
