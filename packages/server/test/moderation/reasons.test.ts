import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/moderation/reasons';

describe.each(stores)('reasons on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_OWN_REASONS_MAX: '2' });
  });
  afterAll(() => gatehouse.close());

  it('begins with spam, sexual and harassment', async () => {
    const { body } = await gatehouse.asApp(path);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['harassment', 'sexual', 'spam']);
    expect(body.data[0]).toMatchObject({ name: 'Harassment', default: true });
  });

  it('makes, replaces and deletes reasons up to the limit', async () => {
    const made = await gatehouse.asApp(path, { body: { id: 'off-topic', name: 'Off topic' } });
    expect(made.body.data).toMatchObject({ id: 'off-topic', name: 'Off topic', description: '' });
    expect(made.body.data).not.toHaveProperty('default');
    const changed = await gatehouse.asApp(`${path}/off-topic`, { method: 'PUT', body: { name: 'Elsewhere' } });
    expect(changed.body.data.name).toBe('Elsewhere');
    expect((await gatehouse.asApp(path, { body: { id: 'off-topic', name: 'x' } })).body.error.code).toBe(
      'ERR_REASON_ALREADY_EXISTS',
    );
    await gatehouse.asApp(path, { body: { id: 'second', name: 'Second' } });
    const third = await gatehouse.asApp(path, { body: { id: 'third', name: 'Third' } });
    expect([third.status, third.body.error.code]).toEqual([409, 'ERR_REASON_LIMIT_REACHED']);
    await gatehouse.asApp(`${path}/off-topic`, { method: 'DELETE' });
    expect((await gatehouse.asApp(`${path}/off-topic`)).body.error.code).toBe('ERR_REASON_NOT_FOUND');
  });

  it('brings a changed built-in reason back when it is deleted', async () => {
    await gatehouse.asApp(`${path}/spam`, { method: 'PUT', body: { name: 'Junk' } });
    expect((await gatehouse.asApp(`${path}/spam`)).body.data).toMatchObject({ name: 'Junk', default: true });
    await gatehouse.asApp(`${path}/spam`, { method: 'DELETE' });
    expect((await gatehouse.asApp(`${path}/spam`)).body.data.name).toBe('Spam');
  });

  it('answers 400 and 404 for what is not a reason', async () => {
    expect((await gatehouse.asApp(path, { body: { name: 'x' } })).status).toBe(400);
    expect((await gatehouse.asApp(`${path}/none`, { method: 'PUT', body: { name: 'x' } })).status).toBe(404);
    expect((await gatehouse.asApp(`${path}/none`, { method: 'DELETE' })).status).toBe(404);
  });
});
