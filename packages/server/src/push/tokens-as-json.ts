import { isoTime } from '../fields.ts';
import type { Store } from '../store/store.ts';
import { shownToken } from './tokens.ts';

/** Around the two times and around a subscription, which are not text of the answer yet. No field may hold a control character. */
const times = '\u001f';
const subscription = '\u001e';

const escaped = "replace(replace(push_token, '\\', '\\\\'), '\"', '\\\"')";

/** Of what is not escaped, every character was checked when it was stored. $3 stands between two tokens. */
const listing = `SELECT string_agg(concat(
    CASE kind WHEN 'voip' THEN 'call' WHEN 'activity' THEN 'activity' ELSE 'chat' END,
    '","createdAt":"${times}', created_at, ' ', updated_at, '${times}","platform":"', platform, '","providerId":"', provider_id,
    '","pushToken":"', CASE kind WHEN 'webpush' THEN concat('${subscription}', push_token, '${subscription}') ELSE ${escaped} END,
    '","uid":"', uid), CAST($3 AS text)) AS tokens
  FROM push_tokens WHERE app_id = $1 AND auth_token = $2`;

/**
 * The few tokens of one auth token, as the answer. The store puts the text together: each value that crosses from SQLite into
 * JavaScript costs as much as finding its row, and writing it there as much again.
 */
export function tokensAsJson(store: Store, appId: string, authToken: string): Promise<string> {
  const first = `{"authToken":${JSON.stringify(authToken)},"pushTokenType":"`;
  const read = store.getTogether<{ tokens: string | null }>(listing, [appId, authToken, `"},${first}`]);
  return read.then((row) => {
    const text = row?.tokens ?? '';
    return text === '' ? '{"data":{"pushTokens":[]}}' : `{"data":{"pushTokens":[${first}${finished(text)}"}]}}`;
  });
}

function finished(text: string): string {
  const shown = between(text, subscription, (held, start, end) =>
    JSON.stringify(shownToken('webpush', held.slice(start, end))).slice(1, -1),
  );
  return between(shown, times, (held, start, end) => {
    const space = held.indexOf(' ', start);
    const createdAt = isoTime(numberIn(held, start, space));
    return `${createdAt}","updatedAt":"${isoTime(numberIn(held, space + 1, end))}`;
  });
}

/** Each part between two marks, written anew. */
function between(text: string, mark: string, write: (text: string, start: number, end: number) => string): string {
  let written = '';
  let start = 0;
  for (;;) {
    const from = text.indexOf(mark, start);
    if (from === -1) return start === 0 ? text : written + text.slice(start);
    const to = text.indexOf(mark, from + 1);
    written += text.slice(start, from) + write(text, from + 1, to);
    start = to + 1;
  }
}

/** Digits read where they stand, without cutting them out. */
function numberIn(text: string, start: number, end: number): number {
  let number = 0;
  for (let i = start; i < end; i++) number = number * 10 + text.charCodeAt(i) - 48;
  return number;
}
