import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';
import { png } from './pictures.ts';

const yes = answer(200, JSON.stringify({ isMatchingCondition: true, confidence: 0.9, reason: 'A threat.' }));
const no = answer(200, JSON.stringify({ isMatchingCondition: false, confidence: 0.9 }));

/** The whole way: a rule, a message over HTTP, the outside world, the verdict, the event. */
describe.each(stores)('messages judged with the help of the outside on %s', (store) => {
  let gatehouse: Gatehouse;
  let judge: Receiver;
  let endpoint: Receiver;
  let classifier: Receiver;
  let files: Receiver;

  beforeAll(async () => {
    [judge, endpoint, classifier, files] = [
      await startReceiver(),
      await startReceiver(),
      await startReceiver(),
      await startReceiver(),
    ];
    gatehouse = await startGatehouse(store, {
      GATEHOUSE_PRIVATE_HOSTS: [judge.host, endpoint.host, files.host].join(','),
      GATEHOUSE_CLASSIFIER: 'http',
      GATEHOUSE_CLASSIFIER_URL: `${classifier.url}/score`,
    });
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    await settings({ customApi: { url: judge.url, secret } });
    const condition = { operand: 'text', category: 'custom-api', value: ['threats'] };
    const picture = { operand: 'image', category: 'word', value: ['Explicit Nudity_greaterThan_60'] };
    for (const body of [
      { id: 'threats', name: 'Threats', action: ['blockMessage'], conditions: [condition] },
      { id: 'pictures', name: 'Pictures', action: ['blockMessage'], conditions: [picture] },
    ])
      expect((await gatehouse.asApp('/v3/moderation/rules', { body })).status).toBe(200);
    const triggers = ['moderation_engine_blocked', 'moderation_engine_failed'];
    await gatehouse.asApp('/v3/webhooks', { body: { url: endpoint.url, triggers } });
  });
  afterAll(async () => {
    await gatehouse.close();
    for (const receiver of [judge, endpoint, classifier, files]) await receiver.close();
  });
  beforeEach(() => {
    for (const receiver of [judge, endpoint, classifier, files]) receiver.received.length = 0;
    judge.behave(no);
  });

  const settings = async (body: object): Promise<void> => {
    expect((await gatehouse.asApp('/v3/moderation/settings', { method: 'PATCH', body })).status).toBe(200);
  };
  const send = (data: object, type = 'text') =>
    gatehouse.asApp('/v3/moderation/messages', {
      body: { sender: 'ann', receiver: 'bob', receiverType: 'user', type, data },
    });
  const told = async (count = 1) => (await endpoint.until(count)).map(({ body }) => JSON.parse(body));

  it('are blocked when the custom API says so, with its reason, and the endpoint hears of it', async () => {
    judge.behave(yes);
    const { body } = await send({ text: 'I will find you' });
    expect(body.data).toMatchObject({
      verdict: 'block',
      moderation: { status: 'disapproved', rule: { id: 'threats' } },
      matches: [{ ruleId: 'threats', conditionId: 1, reason: 'A threat.' }],
    });
    expect(await told()).toMatchObject([{ trigger: 'moderation_engine_blocked', data: { rule: { id: 'threats' } } }]);
  });

  it('are shown to the custom API after what stands before them, an edited one without its old words', async () => {
    const pair = { sender: 'ida', receiver: 'joe', receiverType: 'user' };
    const asked = () => JSON.parse(judge.received.at(-1)?.body ?? '').contextMessages.slice(0, -1);
    const say = (id: string, text: string) =>
      gatehouse.asApp('/v3/moderation/messages', { body: { ...pair, id, data: { text } } });
    const edit = (id: string, text: string) =>
      gatehouse.asApp(`/v3/moderation/messages/${id}`, { method: 'PUT', body: { data: { text } } });
    for (const word of ['one', 'two', 'three']) await say(`said-${word}`, word);
    expect(asked()).toEqual([{ ida: 'one' }, { ida: 'two' }]);
    expect((await edit('said-two', 'zwei')).body.data.verdict).toBe('allow');
    expect(asked()).toEqual([{ ida: 'one' }]);
    judge.behave(yes);
    expect((await edit('said-one', 'I will find you')).body.data.verdict).toBe('block');
    judge.behave(no);
    await say('said-four', 'four');
    expect(asked()).toEqual([{ ida: 'one' }, { ida: 'zwei' }, { ida: 'three' }]);
    await settings({ customApi: { url: judge.url, contextMessages: 0 } });
    await say('said-five', 'five');
    expect(asked()).toEqual([]);
  });

  it('go through when the custom API says no', async () => {
    const { body } = await send({ text: 'lovely weather' });
    expect(body.data).toMatchObject({ verdict: 'allow', moderation: { status: 'approved' } });
    expect(body.data.failures).toBeUndefined();
  });

  it('follow the on-error setting when the custom API fails, visibly, and an event tells of it', async () => {
    judge.behave(answer(500));
    const approved = await send({ text: 'hello' });
    expect(approved.body.data).toMatchObject({
      verdict: 'allow',
      failures: [{ what: 'custom-api', ruleId: 'threats', reason: 'The custom API answered 500, not 200.' }],
    });
    expect((await told())[0]).toMatchObject({
      trigger: 'moderation_engine_failed',
      data: { failures: [{ what: 'custom-api', onError: 'approve-message' }] },
    });
    await settings({ onError: 'drop-message' });
    const dropped = await send({ text: 'hello' });
    expect(dropped.body.data).toMatchObject({ verdict: 'drop', failures: [{ onError: 'drop-message' }] });
    await settings({ onError: 'approve-message' });
  });

  it('with a picture are judged by the scores of the classifier', async () => {
    files.behave(answer(404));
    const attachments = [{ url: `${files.url}/a.png`, mimeType: 'image/png' }];
    const missing = await send({ attachments }, 'image');
    expect(missing.body.data).toMatchObject({ verdict: 'allow', failures: [{ what: 'image' }] });
    files.behave((_, response) => void response.end(png(8, 8, [1, 2, 3], store)));
    classifier.behave(answer(200, JSON.stringify({ scores: { 'Explicit Nudity': 61 } })));
    const blocked = await send({ attachments }, 'image');
    expect(blocked.body.data).toMatchObject({ verdict: 'block', matches: [{ ruleId: 'pictures' }] });
    expect(classifier.received).toHaveLength(1);
    const second = await send({ attachments: [{ url: 'https://a.example/notes.txt' }, ...attachments] });
    expect(second.body.data.matches).toMatchObject([{ field: 'image.1', normalised: 'Explicit Nudity 61' }]);
    const again = await send({ attachments }, 'image');
    expect(again.body.data.verdict).toBe('block');
    expect(classifier.received).toHaveLength(1);
  });

  it('that contradict themselves about a picture are looked at all the same', async () => {
    files.behave((_, response) => void response.end(png(8, 8, [9, 2, 3], `${store} contradiction`)));
    classifier.behave(answer(200, JSON.stringify({ scores: { 'Explicit Nudity': 61 } })));
    const attachments = [{ url: `${files.url}/red.png`, mimeType: 'video/mp4', name: 'pic.jpg', extension: 'jpg' }];
    const { body } = await send({ attachments }, 'image');
    expect(body.data).toMatchObject({ verdict: 'block', matches: [{ ruleId: 'pictures' }] });
  });

  it('of which something could not be judged say so in Review, without what a dropped one held', async () => {
    files.behave(answer(404));
    judge.behave(yes);
    const attachments = [{ url: `${files.url}/gone.png`, mimeType: 'image/png' }];
    const entryOf = async (sender: string) =>
      (await gatehouse.asApp(`/v3/moderation/blocked-messages?sender=${sender}`)).body.data[0];
    const from = (sender: string, data: object) =>
      gatehouse.asApp('/v3/moderation/messages', { body: { sender, receiver: 'bob', receiverType: 'user', data } });
    await from('eve', { text: 'I will find you', attachments });
    const reason = 'The attachment could not be fetched: its host answered 404.';
    expect(await entryOf('eve')).toMatchObject({
      ruleId: 'threats',
      matches: [{ ruleId: 'threats' }],
      failures: [{ what: 'image', url: attachments[0]?.url, reason, onError: 'approve-message' }],
    });
    await settings({ onError: 'drop-message' });
    await from('kim', { attachments });
    await settings({ onError: 'approve-message' });
    const dropped = await entryOf('kim');
    expect(dropped).toMatchObject({ ruleId: '', action: ['dropMessage'], matches: [] });
    expect(dropped.failures).toEqual([{ what: 'image', reason, onError: 'drop-message' }]);
  });
});
