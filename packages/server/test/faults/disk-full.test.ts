import { spawn } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { readService, type Service, startService } from '../cli/service.ts';
import { cli, makePlace, type Place } from '../store/place.ts';

let place: Place;
let service: Service;
afterEach(async () => {
  await service.stop('SIGKILL');
  await place.remove();
});

it('answers 503 when the disk is full, goes on reading, and keeps all that it acknowledged', async () => {
  place = await makePlace('sqlite');
  // No file may grow past 2 MB: to SQLite that is a disk without room.
  const child = spawn('bash', ['-c', `trap '' XFSZ; ulimit -f 2048; exec ${process.execPath} ${cli} serve --json`], {
    env: { PATH: process.env.PATH ?? '', ...place.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  service = await readService(child);
  const headers = { apikey: JSON.parse(service.stdout()).apiKeys.fullAccess, 'content-type': 'application/json' };
  const lists = `${service.url}/v3/moderation/keywords`;
  const acknowledged: string[] = [];
  let status = 200;
  for (let i = 0; status === 200 && i < 25; i++) {
    const searchTerms = Array.from({ length: 2000 }, (_, n) => `term ${i} ${n} ${'x'.repeat(60)}`);
    const response = await fetch(lists, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id: `list-${i}`, searchTerms }),
    });
    status = response.status;
    if (status === 200) acknowledged.push(`list-${i}`);
    else expect(((await response.json()) as { error: { code: string } }).error.code).toBe('ERR_OPERATION_FAILED');
  }
  expect(status).toBe(503);
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  for (const id of acknowledged) {
    const list = (await (await fetch(`${lists}/${id}`, { headers })).json()) as { data: { searchTerms: string[] } };
    expect(list.data.searchTerms).toHaveLength(2000);
  }
  await service.stop('SIGKILL');

  service = await startService(place.environment);
  const again = `${service.url}/v3/moderation/keywords`;
  const listed = (await (await fetch(`${again}?limit=100`, { headers })).json()) as { data: { id: string }[] };
  expect(listed.data.map(({ id }) => id).filter((id) => id.startsWith('list-'))).toEqual(
    expect.arrayContaining(acknowledged),
  );
  for (const { id } of listed.data.filter((list) => list.id.startsWith('list-'))) {
    const list = (await (await fetch(`${again}/${id}`, { headers })).json()) as { data: { searchTerms: string[] } };
    expect(list.data.searchTerms).toHaveLength(2000);
  }
  const store = await place.open();
  expect(await store.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  await store.close();
});
