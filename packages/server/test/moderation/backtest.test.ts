import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const message = (text: string, id: string) => ({
  id,
  sender: 'ada',
  receiver: 'grace',
  receiverType: 'user',
  data: { text },
});
const rule = (value: string, more: object = {}) => ({
  name: 'Tried',
  action: ['blockMessage'],
  conditions: [{ operand: 'text', category: 'word', value: [value] }],
  ...more,
});

describe.each(stores)('backtestRule on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_BACKTEST_DAYS: '7' });
    for (let i = 0; i < 500; i++)
      await gatehouse.asApp('/v3/moderation/messages', {
        body: {
          ...message(`${i % 50 === 0 ? 'fuck ' : ''}${i % 25 === 0 ? 'gizmo' : 'hello'}`, `m-${i}`),
          // In whole seconds: without it, many would be sent at once and stand in the order of their ids.
          sentAt: Math.floor(Date.now() / 1000) - 500 + i,
        },
      });
    await gatehouse.asApp('/v3/moderation/rules', {
      body: { id: 'stored', ...rule('gizmo', { enabled: false, shadow: true }) },
    });
  });
  afterAll(() => gatehouse.close());

  const backtest = (id: string, body?: object) =>
    gatehouse.asApp(`/v3/moderation/rules/${id}/backtest`, { method: 'POST', ...(body && { body }) });

  it('counts what a stored rule would have caught, also one that is off or in shadow', async () => {
    const { status, body } = await backtest('stored');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ruleId: 'stored', judged: 500, caught: 20, newlyCaught: 10, isComplete: true });
    expect(body.data.examples).toHaveLength(10);
    expect(body.data.examples[0]).toMatchObject({ messageId: 'm-475', text: 'gizmo', matches: [{ text: 'gizmo' }] });
  });

  it('tries a rule that was never stored, and stores nothing', async () => {
    const { body } = await backtest('new-one', { rule: rule('hello'), examples: 1 });
    expect(body.data).toMatchObject({ judged: 500, caught: 480, examples: [{ text: 'hello' }] });
    expect((await gatehouse.asApp('/v3/moderation/rules/new-one')).status).toBe(404);
    expect((await gatehouse.asApp('/v3/moderation/blocked-messages')).body.data).toHaveLength(10);
  });

  it('answers 404 for a rule there is not and 400 for one that cannot be', async () => {
    expect((await backtest('nothing')).body.error.code).toBe('ERR_RULE_NOT_FOUND');
    const broken = await backtest('x', {
      rule: rule('x', { conditions: [{ operand: 'text', category: 'pattern', value: '(' }] }),
    });
    expect([broken.status, Object.keys(broken.body.error.details)]).toEqual([400, ['rule.conditions.0.value']]);
    const listless = await backtest('x', {
      rule: rule('x', {
        conditions: [{ operand: 'text', category: 'word', isKeywordsReferencePresent: true, value: 'none' }],
      }),
    });
    expect([listless.status, Object.keys(listless.body.error.details)]).toEqual([400, ['rule.conditions']]);
    expect((await backtest('stored', { days: 0 })).status).toBe(400);
  });

  it('says from when on messages count, also where there were none', async () => {
    const other = await gatehouse.newApp();
    const from = async (days: number) => {
      const headers = { apikey: other.fullAccess };
      const at = '/v3/moderation/rules/profanity-filter/backtest';
      const { data } = (await gatehouse.ask(at, { headers, body: { days } })).body;
      expect(data.judged).toBe(0);
      return data.from;
    };
    const [two, one] = [await from(2), await from(1)];
    expect(Math.round((one - two) / 86_400)).toBe(1);
  });

  it('answers 409 where no messages are kept for it, which is the default', async () => {
    const other = await startGatehouse(store);
    const answer = await other.asApp('/v3/moderation/rules/profanity-filter/backtest', { method: 'POST' });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'ERR_BACKTEST_OFF']);
    await other.close();
  });
});
