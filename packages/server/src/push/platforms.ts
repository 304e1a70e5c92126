import type { ProviderKind } from './providers.ts';

/** What a token is for; an auth token has at most one of each. */
export type TokenKind = 'fcm' | 'apns' | 'voip';

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

/** Every platform of the interface, with the kind of token it has. */
export const platforms: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...fcm.map((name): [string, TokenKind] => [`fcm_${name}`, 'fcm']),
  ...apns.map((name): [string, TokenKind] => [`apns_${name}_device`, 'apns']),
  ...apns.map((name): [string, TokenKind] => [`apns_${name}_voip`, 'voip']),
]);

export function providerKindOf(kind: TokenKind): ProviderKind {
  return kind === 'fcm' ? 'fcm' : 'apns';
}

export function pushTokenTypeOf(kind: TokenKind): 'chat' | 'call' {
  return kind === 'voip' ? 'call' : 'chat';
}
