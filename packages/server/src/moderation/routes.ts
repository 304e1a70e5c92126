import type { Operation } from '../http/operation.ts';
import type { Moderation } from './moderation.ts';
import { listRoutes } from './routes-lists.ts';
import { messageRoutes } from './routes-messages.ts';
import { reasonRoutes } from './routes-reasons.ts';
import { reviewRoutes } from './routes-review.ts';
import { ruleRoutes } from './routes-rules.ts';

export function moderationRoutes(moderation: Moderation): Operation[] {
  return [
    ...ruleRoutes(moderation.rules),
    ...listRoutes(moderation.lists),
    ...messageRoutes(moderation),
    ...reviewRoutes(moderation),
    ...reasonRoutes(moderation),
  ];
}
