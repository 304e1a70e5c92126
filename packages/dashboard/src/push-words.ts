/** What the vendors and the service call things, in words that a moderator understands. */

const frameworks: Readonly<Record<string, string>> = {
  flutter: 'Flutter',
  react_native: 'React Native',
  ionic_cordova: 'Ionic',
};

const platforms: Readonly<Record<string, string>> = {
  apns_ios_device: 'iPhone or iPad',
  apns_ios_voip: 'iPhone or iPad, calls',
  apns_device: 'iPhone or iPad',
  apns_voip: 'iPhone or iPad, calls',
  fcm_android: 'Android',
  fcm_ios: 'iPhone or iPad over FCM',
  fcm_web: 'Browser over FCM',
  webpush: 'Browser',
  apns_ios_live_activity: 'Live Activity',
};

/** fcm_flutter_android -> "Android (Flutter)". */
export function platformWord(platform: string): string {
  const [, vendor, framework = '', rest] =
    /^(apns|fcm)_(flutter|react_native|ionic_cordova)_(\w+)$/.exec(platform) ?? [];
  if (vendor === undefined) return platforms[platform] ?? platform;
  const words = platforms[`${vendor}_${rest}`];
  return words === undefined ? platform : `${words} (${frameworks[framework]})`;
}

const vendorBusy = 'The vendor cannot take it right now';
const noAnswer = 'No answer came';
const badKey = "The provider's key is not accepted";
const appRemoved = 'The app is not on this device any more';
const otherApp = 'This device belongs to another app';
const wrongTopic = 'The bundle id of the provider is wrong';

const reasons: Readonly<Record<string, string>> = {
  NO_DEVICE: 'The user has no device',
  TOKEN_GONE: 'The device has signed off',
  TOKEN_MOVED: 'The device is another user’s now',
  PROVIDER_DISABLED: 'The provider is switched off',
  MUTE_PREFERENCE: 'The user muted this conversation',
  DND_PREFERENCE: 'The user wants no pushes',
  SCHEDULE_PREFERENCE: 'The user wants none at this hour',
  MENTIONS_PREFERENCE: 'The user wants mentions only',
  ProviderNotFound: 'The provider was removed',
  Expired: 'It could not be delivered in time',
  busy: 'Too much is under way',
  Unregistered: appRemoved,
  ExpiredToken: appRemoved,
  UNREGISTERED: appRemoved,
  BadDeviceToken: 'Apple does not know this device',
  DeviceTokenNotForTopic: otherApp,
  SENDER_ID_MISMATCH: otherApp,
  InvalidProviderToken: badKey,
  MissingProviderToken: badKey,
  ExpiredProviderToken: badKey,
  Forbidden: badKey,
  PERMISSION_DENIED: badKey,
  UNAUTHENTICATED: badKey,
  THIRD_PARTY_AUTH_ERROR: badKey,
  BadTopic: wrongTopic,
  MissingTopic: wrongTopic,
  TopicDisallowed: wrongTopic,
  PayloadTooLarge: 'The notification is too long',
  INVALID_ARGUMENT: 'The vendor does not understand it',
  TooManyRequests: 'Too many pushes to one device',
  QUOTA_EXCEEDED: 'More pushes than the vendor allows',
  InternalServerError: vendorBusy,
  ServiceUnavailable: vendorBusy,
  Shutdown: vendorBusy,
  INTERNAL: vendorBusy,
  UNAVAILABLE: vendorBusy,
  timeout: noAnswer,
  neverSent: noAnswer,
  refused: noAnswer,
  goaway: noAnswer,
  closing: noAnswer,
  closed: noAnswer,
  badAddress: 'Its address may not be called',
  badSubscription: 'The browser has to subscribe again',
};

/** Why a push did not arrive. What is not known stays as the vendor says it. */
export function reasonWord(reason: string): string {
  const known = reasons[reason];
  if (known !== undefined) return known;
  return reason.endsWith('_PREFERENCE') ? 'The user wants none of this kind' : reason;
}

/** "403 InvalidProviderToken" -> "The provider's key is not accepted (403 InvalidProviderToken)". */
export function answerWords(said: string): string {
  const [, status = '', reason = said] = /^(\d{1,3}) (\w+)$/.exec(said) ?? [];
  const words = reasonWord(reason);
  const raw = [status === '0' ? '' : status, reason].filter((part) => part !== '').join(' ');
  return words === reason ? raw : `${words} (${raw})`;
}

const outcomes: Readonly<Record<string, string>> = {
  sent: 'Sent',
  dropped: 'Device gone',
  failed: 'Failed',
  skipped: 'Skipped',
  retry: 'Tried again',
  held: 'Held',
};

export function outcomeWord(outcome: string, reason: string): string {
  if (outcome === 'skipped' && reason.endsWith('_PREFERENCE')) return 'Not wanted';
  return outcomes[outcome] ?? outcome;
}
