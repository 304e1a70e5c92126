import { Type } from '#typebox';
import { decodeCursor, encodeCursor } from '../paging.ts';
import type { Reader } from '../store/store.ts';
import { type NotificationBody, type NotificationRow, notificationAnswer, toNotification } from './notification.ts';

/** A notification in a list: as it is answered alone, without its reasons. */
const { failedByReason: _failed, skippedByReason: _skipped, ...shortFields } = notificationAnswer.properties;
export const listedNotification = Type.Object({
  ...shortFields,
  pushType: Type.String(),
});

const rowsPerStep = 200;
/** Pushes of chat messages stand between those that somebody composed; the page ends after so many, full or not. */
const rowsPerPageMax = 5000;

type Place = readonly [at: number, id: string];

/** What was composed and sent, newest first; the pushes of chat messages are in the log. */
export async function listNotifications(store: Reader, appId: string, limit: number, cursor?: string) {
  let place: Place = cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor(cursor, ['number', 'string']);
  const data: ReturnType<typeof toListed>[] = [];
  for (let read = 0; read < rowsPerPageMax; read += rowsPerStep) {
    const rows = await store.all<NotificationRow>(
      `SELECT id, state, body, created_at, send_at, expires_at, finished_at, queued, sent, failed, dropped, skipped, cancelled, acknowledged
       FROM notifications WHERE app_id = $1 AND (created_at < $2 OR (created_at = $2 AND id < $3))
       ORDER BY created_at DESC, id DESC LIMIT ${rowsPerStep}`,
      [appId, place[0], place[1]],
    );
    for (const row of rows) {
      const body = JSON.parse(row.body) as NotificationBody;
      if (body.chat === undefined) data.push(toListed(row, body));
      place = [row.created_at, row.id];
      if (data.length === limit) return pageOf(data, limit, place);
    }
    if (rows.length < rowsPerStep) return pageOf(data, limit, undefined);
  }
  return pageOf(data, limit, place);
}

function pageOf<T>(data: T[], limit: number, next: Place | undefined) {
  return {
    data,
    meta: { current: { limit, count: data.length }, ...(next && { next: { cursor: encodeCursor(next) } }) },
  };
}

function toListed(row: NotificationRow, body: NotificationBody) {
  return { ...toNotification(row, body, []), pushType: body.pushType };
}
