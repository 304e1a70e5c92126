import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

describe.each(stores)('getOverview on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  it('tells an empty app what is still missing', async () => {
    const { body } = await gatehouse.asManager('/overview');
    expect(body.data.setup).toEqual({
      hasOwnRules: false,
      hasJudged: false,
      hasProviders: false,
      hasTokens: false,
      hasSent: false,
    });
    expect(body.data.series).toHaveLength(24);
    expect(body.data.attention).toEqual([]);
  });

  it('counts what is judged by what came of it, and what waits for the moderators', async () => {
    const rule = (id: string, word: string, action: string, more: object = {}) => ({
      id,
      name: id,
      conditions: [
        { id: 1, entity: 'message', operand: 'text', category: 'word', operator: 'contains', value: [word] },
      ],
      action: [action],
      ...more,
    });
    for (const body of [
      rule('r1', 'tea', 'blockMessage'),
      rule('r2', 'milk', 'flagMessage'),
      rule('r3', 'lime', 'dropMessage'),
      rule('r4', 'rum', 'blockMessage', { shadow: true }),
    ])
      expect((await gatehouse.asManager('/moderation/rules', { body })).status).toBe(200);
    for (const text of ['tea', 'tea time', 'milk', 'lime', 'rum', 'hello'])
      await gatehouse.asManager('/moderation/messages', {
        body: { sender: 'ada', receiver: 'grace', receiverType: 'user', type: 'text', data: { text } },
      });
    const { body } = await gatehouse.asManager('/overview?hours=1');
    expect(body.data.totals).toMatchObject({ judged: 6, blocked: 2, flagged: 1, dropped: 1 });
    expect(body.data.review.pendingFlagged).toBe(1);
    expect(body.data.attention).toMatchObject([{ kind: 'ruleInShadow', id: 'r4' }]);
    expect(body.data.setup).toMatchObject({ hasOwnRules: true, hasJudged: true });
    const month = await gatehouse.asManager('/overview?hours=720');
    expect(month.body.data.step).toBe('day');
    expect(month.body.data.totals).toEqual(body.data.totals);
  });

  it('answers 400 for more hours than are kept', async () => {
    expect((await gatehouse.asManager('/overview?hours=100000')).status).toBe(400);
  });

  it('says which version runs with which limits, and no secret', async () => {
    const { body, text } = await gatehouse.ask('/service', {
      headers: { key: gatehouse.key, secret: gatehouse.secret },
    });
    expect(body.data).toMatchObject({ store, version: expect.stringMatching(/^\d/) });
    expect(body.data.limits).toContainEqual({ name: 'ownRulesMax', value: 25, variable: 'GATEHOUSE_OWN_RULES_MAX' });
    expect(text).not.toContain(gatehouse.secret);
  });
});
