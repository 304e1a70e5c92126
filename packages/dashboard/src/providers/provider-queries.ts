import type {
  GatehouseClient,
  ListApnsProvidersAnswer,
  ListCustomProvidersAnswer,
  ListFcmProvidersAnswer,
  ListProviderHealthAnswer,
  ListWebPushProvidersAnswer,
} from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useHere } from '../client.ts';

export type ApnsRecord = ListApnsProvidersAnswer['data']['pushProviders'][number];
export type FcmRecord = ListFcmProvidersAnswer['data']['pushProviders'][number];
export type WebPushRecord = ListWebPushProvidersAnswer['data']['pushProviders'][number];
export type CustomRecord = ListCustomProvidersAnswer['data']['pushProviders'][number];
export type Health = ListProviderHealthAnswer['data'][number];

/** A provider of any kind, with what may be shown of it. */
export type Provider = {
  id: string;
  isDefault: boolean;
  /** What tells it from others: never a secret, only its fingerprint. */
  facts: readonly (readonly [label: string, value: string])[];
  health: Health | undefined;
} & (
  | { kind: 'apns'; record: ApnsRecord }
  | { kind: 'fcm'; record: FcmRecord }
  | { kind: 'webpush'; record: WebPushRecord }
  | { kind: 'custom'; record: CustomRecord }
);
export type Kind = Provider['kind'];

async function readProviders(client: GatehouseClient): Promise<Provider[]> {
  const [apns, fcm, webpush, custom, health] = await Promise.all([
    client.listApnsProviders(),
    client.listFcmProviders(),
    client.listWebPushProviders(),
    client.listCustomProviders(),
    client.listProviderHealth(),
  ]);
  const healthOf = (kind: Kind, id: string): Health | undefined =>
    health.data.find((one) => one.kind === kind && one.providerId === id);
  return [
    ...apns.data.pushProviders.map((one) => ({
      kind: 'apns' as const,
      id: one.providerId,
      isDefault: one.isDefault,
      record: one,
      health: healthOf('apns', one.providerId),
      facts: [
        ['Bundle', one.bundleId],
        ['Team', one.teamId],
        ['Key id', one.keyId],
        ['Key fingerprint', one.p8KeyFingerprint],
        ['Environment', one.productionMode ? 'Production' : 'Sandbox'],
      ] as const,
    })),
    ...fcm.data.pushProviders.map((one) => ({
      kind: 'fcm' as const,
      id: one.providerId,
      isDefault: one.isDefault,
      record: one,
      health: healthOf('fcm', one.providerId),
      facts: [
        ['Project', one.serviceAccountCreds.project_id],
        ['Account', one.serviceAccountCreds.client_email],
        ['Key fingerprint', one.privateKeyFingerprint],
      ] as const,
    })),
    ...webpush.data.pushProviders.map((one) => ({
      kind: 'webpush' as const,
      id: one.providerId,
      isDefault: one.isDefault,
      record: one,
      health: healthOf('webpush', one.providerId),
      facts: [
        ['Contact', one.subject],
        ['Public key', one.vapidPublicKey],
      ] as const,
    })),
    ...custom.data.pushProviders.map((one) => ({
      kind: 'custom' as const,
      id: one.providerId,
      isDefault: false,
      record: one,
      health: healthOf('custom', one.providerId),
      facts: [
        ['Address', one.webhookURL],
        ['On', one.isEnabled ? 'Yes' : 'No'],
      ] as const,
    })),
  ];
}

export function useProviders() {
  const { client, appId } = useHere();
  return useQuery({ queryKey: [appId, 'providers'], queryFn: () => readProviders(client), refetchInterval: 15_000 });
}

export function removeProvider(client: GatehouseClient, { kind, id }: Provider): Promise<unknown> {
  const named = { providerId: id };
  return {
    apns: () => client.deleteApnsProvider(named),
    fcm: () => client.deleteFcmProvider(named),
    webpush: () => client.deleteWebPushProvider(named),
    custom: () => client.deleteCustomProvider(),
  }[kind]();
}

export function makeDefault(client: GatehouseClient, kind: Exclude<Kind, 'custom'>, id: string): Promise<unknown> {
  const named = { providerId: id };
  return {
    apns: () => client.setDefaultApnsProvider(named),
    fcm: () => client.setDefaultFcmProvider(named),
    webpush: () => client.setDefaultWebPushProvider(named),
  }[kind]();
}
