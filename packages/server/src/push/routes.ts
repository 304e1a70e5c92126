import type { Operation } from '../http/operation.ts';
import type { Push } from './push.ts';
import { healthRoutes } from './routes-health.ts';
import { logRoutes } from './routes-logs.ts';
import { messageRoutes } from './routes-messages.ts';
import { notificationRoutes } from './routes-notifications.ts';
import { preferenceRoutes } from './routes-preferences.ts';
import { providerRoutes } from './routes-providers.ts';
import { tokenRoutes } from './routes-tokens.ts';

export function pushRoutes(push: Push): Operation[] {
  return [
    ...tokenRoutes(push.tokens, push.outside),
    ...providerRoutes(push.providers, push.outside, push.fcmHost),
    ...healthRoutes(push.store, push.providers, push.senders),
    ...notificationRoutes(push.notifications),
    ...messageRoutes(push.rings),
    ...preferenceRoutes(push.settings, push.preferences),
    ...logRoutes(push.logs),
  ];
}
