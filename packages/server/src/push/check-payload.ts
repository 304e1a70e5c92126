import { checkFits, type Notification, NotificationError } from '@gatehouse/courier';
import { badField } from '../errors.ts';
import type { Reader } from '../store/store.ts';
import { bytesOf } from './check-fields.ts';
import { identified } from './identified.ts';
import { kindsOf, type NotificationBody } from './notification.ts';
import { providerKindOf } from './platforms.ts';
import type { ProviderKind } from './provider.ts';

/** Text within text at most doubles, and what stands around it is short: less than this fits every vendor. */
const surelyFits = 1500;
const anyId = '00000000-0000-0000-0000-000000000000';
const names = { apns: 'APNs', fcm: 'FCM', webpush: 'Web Push' } as const;
type Vendor = keyof typeof names;

/** What no truncation can mend is refused now, with its size, instead of failing on every device of a vendor the app has. */
export async function checkPayload(store: Reader, appId: string, body: NotificationBody): Promise<void> {
  const { title: _title, subtitle: _subtitle, body: _body, ...rest } = body.content;
  if (bytesOf(rest) < surelyFits) return;
  const rows = await store.all<{ kind: ProviderKind }>('SELECT DISTINCT kind FROM providers WHERE app_id = $1', [
    appId,
  ]);
  const content = identified(body.content, body.pushType, anyId);
  const concerned = new Set(kindsOf[body.pushType].map(providerKindOf));
  for (const { kind } of rows) if (kind !== 'custom' && concerned.has(kind)) checkVendor(content, kind);
}

function checkVendor(content: Notification, vendor: Vendor): void {
  try {
    checkFits(content, vendor);
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    if (error.field !== 'data') throw badField(error.field, `${error.message}.`);
    const [field, bytes] = largest(content, vendor);
    throw badField(field, `Has ${bytes} bytes as JSON, with which a push by ${names[vendor]} ${error.message}.`);
  }
}

/** Of what cannot be cut, the field that takes most. */
function largest({ data, image, apns, fcm, webpush, liveActivity }: Notification, vendor: Vendor): [string, number] {
  const own = {
    apns: {
      'apns.payload': apns?.payload,
      'liveActivity.contentState': liveActivity?.contentState,
      'liveActivity.attributes': liveActivity?.attributes,
    },
    fcm: { fcm, image },
    webpush: { 'webpush.payload': webpush?.payload, image },
  }[vendor];
  const sizes = Object.entries({ data, ...own }).map(([field, value]): [string, number] => [field, bytesOf(value)]);
  return sizes.reduce((most, one) => (one[1] > most[1] ? one : most));
}
