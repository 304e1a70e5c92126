import { isoTime } from '../fields.ts';
import { pushTokenTypeOf, type TokenKind } from './platforms.ts';
import { shownToken } from './tokens.ts';

/** Between two fields and between two tokens. No field may hold a control character. */
const fieldEnd = '\u001f';
const tokenEnd = '\u001e';

/** All tokens of an auth token as one text: each value that crosses from SQLite into JavaScript costs as much as finding its row. */
export const tokensOfAuthToken = `SELECT string_agg(
    concat(kind, '${fieldEnd}', created_at, '${fieldEnd}', updated_at, '${fieldEnd}', platform, '","providerId":"', provider_id,
      '${fieldEnd}', push_token, '${fieldEnd}', uid), '${tokenEnd}') AS tokens
  FROM push_tokens WHERE app_id = $1 AND auth_token = $2`;

/** That text as the answer. Of what is not escaped, every character was checked when it was stored. */
export function tokensAsJson(text: string, authToken: string): string {
  const opening = `{"authToken":${JSON.stringify(authToken)},"pushTokenType":"`;
  let json = '{"data":{"pushTokens":[';
  for (let start = 0; start < text.length; ) {
    const kindEnd = text.indexOf(fieldEnd, start);
    const createdEnd = text.indexOf(fieldEnd, kindEnd + 1);
    const updatedEnd = text.indexOf(fieldEnd, createdEnd + 1);
    const providerEnd = text.indexOf(fieldEnd, updatedEnd + 1);
    const pushTokenEnd = text.indexOf(fieldEnd, providerEnd + 1);
    const end = endOf(text, pushTokenEnd);
    const kind = text.slice(start, kindEnd) as TokenKind;
    json +=
      `${start === 0 ? '' : ','}${opening}${pushTokenTypeOf(kind)}` +
      `","createdAt":"${isoTime(numberIn(text, kindEnd + 1, createdEnd))}` +
      `","updatedAt":"${isoTime(numberIn(text, createdEnd + 1, updatedEnd))}` +
      `","platform":"${text.slice(updatedEnd + 1, providerEnd)}` +
      `","pushToken":${quoted(shownToken(kind, text.slice(providerEnd + 1, pushTokenEnd)))}` +
      `,"uid":"${text.slice(pushTokenEnd + 1, end)}"}`;
    start = end + 1;
  }
  return `${json}]}}`;
}

function endOf(text: string, from: number): number {
  const end = text.indexOf(tokenEnd, from);
  return end === -1 ? text.length : end;
}

const toEscape = /["\\]/;

function quoted(text: string): string {
  return toEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Digits read where they stand, without cutting them out. */
function numberIn(text: string, start: number, end: number): number {
  let number = 0;
  for (let i = start; i < end; i++) number = number * 10 + text.charCodeAt(i) - 48;
  return number;
}
