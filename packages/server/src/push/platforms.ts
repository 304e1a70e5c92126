import type { ProviderKind } from './provider.ts';

/** What a token is for; an auth token has at most one of each. */
export type TokenKind = 'fcm' | 'apns' | 'voip' | 'activity' | 'webpush';

const fcm = [
  'android',
  'ios',
  'web',
  'flutter_android',
  'flutter_ios',
  'react_native_android',
  'react_native_ios',
  'ionic_cordova_android',
  'ionic_cordova_ios',
];
const apns = ['ios', 'flutter', 'react_native', 'ionic_cordova'];

/** Every platform of the interface, with the kind of token it has; and two of ours, for browsers and Live Activities. */
export const platforms: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...fcm.map((name): [string, TokenKind] => [`fcm_${name}`, 'fcm']),
  ...apns.map((name): [string, TokenKind] => [`apns_${name}_device`, 'apns']),
  ...apns.map((name): [string, TokenKind] => [`apns_${name}_voip`, 'voip']),
  ['apns_ios_live_activity', 'activity'],
  ['webpush', 'webpush'],
]);

/** The field of a registration that holds the token. */
export const tokenFields = {
  fcm: 'fcmToken',
  apns: 'deviceToken',
  voip: 'voipToken',
  activity: 'deviceToken',
  webpush: 'webPushSubscription',
} as const satisfies Record<TokenKind, string>;

export function providerKindOf(kind: TokenKind): ProviderKind {
  return kind === 'fcm' || kind === 'webpush' ? kind : 'apns';
}

export function pushTokenTypeOf(kind: TokenKind): string {
  return { fcm: 'chat', apns: 'chat', webpush: 'chat', voip: 'call', activity: 'activity' }[kind];
}

/** Which part of FCM's world a token lives in: what a `notification` block does differs between them. */
export function fcmFamilyOf(platform: string): 'ios' | 'android' | 'web' {
  if (platform.endsWith('ios')) return 'ios';
  return platform === 'fcm_web' ? 'web' : 'android';
}
