import type { Operation } from '../http/operation.ts';
import type { Outside } from '../webhooks/outside.ts';
import type { Providers } from './providers.ts';
import { providerRoutes } from './routes-providers.ts';
import { tokenRoutes } from './routes-tokens.ts';
import type { Tokens } from './tokens.ts';

export interface PushRoom {
  providers: Providers;
  tokens: Tokens;
  outside: Outside;
}

export function pushRoutes(room: PushRoom): Operation[] {
  return [...tokenRoutes(room.tokens, room.outside), ...providerRoutes(room.providers, room.outside)];
}
