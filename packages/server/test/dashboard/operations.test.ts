/** Operations that are there because the dashboard needs them. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { say } from './seed.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The beginning of every WebM file. */
const film = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex');

describe.each(stores)('what the dashboard asks for on %s', (store) => {
  let gatehouse: Gatehouse;
  let elsewhere: Server;
  let asked: string[];
  let address: string;
  beforeAll(async () => {
    asked = [];
    elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/picture.png') response.end(png);
      else if (request.url === '/film.jpg') response.end(film);
      else if (request.url === '/long.webm') response.end(Buffer.concat([film, Buffer.alloc(4096)]));
      else response.end('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    const at = elsewhere.address();
    address = `127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
    gatehouse = await startGatehouse(store, { GATEHOUSE_PRIVATE_HOSTS: address, GATEHOUSE_MEDIA_BYTES_MAX: '2048' });
    await gatehouse.asManager('/moderation/rules', {
      body: {
        id: 'no-tea',
        name: 'No tea',
        conditions: [{ entity: 'message', operand: 'text', category: 'word', operator: 'contains', value: ['tea'] }],
        action: ['blockMessage'],
      },
    });
  });
  afterAll(async () => {
    await gatehouse.close();
    elsewhere.close();
  });

  const picture = (url: string) => say(gatehouse, 'tea', { data: { text: 'tea', attachments: [{ url }] } });

  it('fetches a picture of a caught message for the moderator', async () => {
    const id = await picture(`http://${address}/picture.png`);
    const answer = await gatehouse.asManager(`/moderation/review-attachments/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(asked).toEqual(['/picture.png']);
  });

  it('fetches a film too, whatever its name says that it is', async () => {
    const id = await picture(`http://${address}/film.jpg`);
    const answer = await gatehouse.asManager(`/moderation/review-attachments/${id}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/webm']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('answers 404 for a film that is larger than what is fetched', async () => {
    const id = await picture(`http://${address}/long.webm`);
    expect((await gatehouse.asManager(`/moderation/review-attachments/${id}`)).status).toBe(404);
  });

  it('answers 404 for what is no picture, whatever it calls itself, for another index, and for no message', async () => {
    const id = await picture(`http://${address}/drawing.png`);
    const statuses = await Promise.all(
      [id, `${id}?index=1`, 'nobody'].map(
        async (path) => (await gatehouse.asManager(`/moderation/review-attachments/${path}`)).status,
      ),
    );
    expect(statuses).toEqual([404, 404, 404]);
  });

  it('answers 404 for a private address that the operator did not allow', async () => {
    const id = await picture('http://127.0.0.1:1/picture.png');
    expect((await gatehouse.asManager(`/moderation/review-attachments/${id}`)).status).toBe(404);
  });

  it('lists what was composed, newest first, page by page', async () => {
    const path = '/v3/notifications/push/v1/notifications';
    expect((await gatehouse.asApp(path)).body.data).toEqual([]);
    for (const title of ['one', 'two', 'three'])
      await gatehouse.asApp(path, { body: { to: { all: true }, title, sendAt: Date.now() + 3_600_000 } });
    const first = await gatehouse.asApp(`${path}?limit=2`);
    expect(first.body.data).toHaveLength(2);
    expect(first.body.data[0]).toMatchObject({ state: 'scheduled', pushType: 'alert', counts: { sent: 0 } });
    const rest = await gatehouse.asApp(`${path}?limit=2&cursor=${first.body.meta.next.cursor}`);
    const titles = [...first.body.data, ...rest.body.data].map(({ title }: { title: string }) => title);
    expect(titles.toSorted()).toEqual(['one', 'three', 'two']);
    expect(rest.body.meta.next).toBeUndefined();
    expect((await gatehouse.asApp(`${path}?cursor=made-up`)).status).toBe(400);
  });
});
