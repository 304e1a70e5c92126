import type { Operation } from '../http/operation.ts';
import type { Moderation } from './moderation.ts';
import { listRoutes } from './routes-lists.ts';
import { ruleRoutes } from './routes-rules.ts';

export function moderationRoutes({ rules, lists }: Moderation): Operation[] {
  return [...ruleRoutes(rules), ...listRoutes(lists)];
}
