import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/notifications/push/v1/tokens';

describe.each(stores)('listPushTokens on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  it('answers 200 with an empty list for an app without tokens', async () => {
    const answer = await gatehouse.asApp(path);
    expect(answer.body).toEqual({ data: { pushTokens: [] } });
    expect(answer.status).toBe(200);
  });
});
