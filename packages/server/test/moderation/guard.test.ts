import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores, type Tenant } from '../gatehouse.ts';

const rule = (id: string, value: string, more: object = {}) => ({
  id,
  name: id,
  action: ['blockMessage'],
  conditions: [{ operand: 'text', category: 'word', value: [value] }],
  ...more,
});

describe.each(stores)('a rule that suddenly catches too much, on %s', (store) => {
  let gatehouse: Gatehouse;
  let tenant: Tenant;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_RUNAWAY_HITS_MIN: '20' });
  });
  afterAll(() => gatehouse.close());

  const ask = (path: string, method = 'GET', body?: object) =>
    gatehouse.ask(`/v3/moderation${path}`, { method, headers: { apikey: tenant.fullAccess }, ...(body && { body }) });
  const say = async (text: string) =>
    (await ask('/messages', 'POST', { sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text } })).body
      .data;
  const sayMany = async (text: string, times: number) => {
    for (let i = 0; i < times; i++) await say(text);
  };
  const isInShadow = async (id: string) => (await ask(`/rules/${id}`)).body.data.shadow === true;
  /** Nobody is answered when the guard acts: the rule stands in the store a moment before messages are judged by it. */
  const waitUntilAllowed = async (text: string) => {
    const message = { sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text } };
    const isAllowed = async () => (await ask('/check', 'POST', message)).body.data.verdict === 'allow';
    for (let tries = 0; tries < 100 && !(await isAllowed()); tries++) await new Promise((r) => setTimeout(r, 20));
  };

  it('is put into shadow, with an alarm, an audit row and a revision, and stays watched', async () => {
    tenant = await gatehouse.newApp();
    await ask('/rules', 'POST', rule('runaway', 'hello'));
    await sayMany('hello there', 30);
    await waitUntilAllowed('hello there');
    expect(await isInShadow('runaway')).toBe(true);
    const after = await say('hello there');
    expect(after).toMatchObject({ verdict: 'allow', shadow: [{ ruleId: 'runaway' }] });
    expect(gatehouse.logs()).toContain('rule put in shadow');
    const audit = await gatehouse.app.store.all(
      "SELECT actor FROM audit WHERE app_id = $1 AND action = 'putInShadow'",
      [tenant.appId],
    );
    expect(audit).toEqual([{ actor: 'guard' }]);
  });

  it('acts again when a person says so, and is then believed', async () => {
    await ask('/rules/runaway', 'PUT', rule('runaway', 'hello'));
    await sayMany('hello again', 40);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await isInShadow('runaway')).toBe(false);
    expect((await say('hello')).verdict).toBe('block');
  });

  it('is left alone while it catches its usual share', async () => {
    tenant = await gatehouse.newApp();
    await ask('/rules', 'POST', rule('steady', 'gizmo'));
    for (let i = 0; i < 25; i++) {
      await sayMany('fine', 12);
      await say('a gizmo');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await isInShadow('steady')).toBe(false);
  });

  it('is left alone where the guard is switched off', async () => {
    const other = await startGatehouse(store, { GATEHOUSE_RUNAWAY_HITS_MIN: '5', GATEHOUSE_RUNAWAY_FACTOR: '0' });
    await other.asApp('/v3/moderation/rules', { body: rule('wild', 'hello') });
    for (let i = 0; i < 30; i++)
      await other.asApp('/v3/moderation/messages', {
        body: { sender: 'a', receiver: 'b', receiverType: 'user', data: { text: 'hello' } },
      });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await other.asApp('/v3/moderation/rules/wild')).body.data).not.toHaveProperty('shadow');
    await other.close();
  });
});
