import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/moderation/keywords';

function form(fields: Record<string, string>, file?: string | Uint8Array<ArrayBuffer>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  if (file !== undefined) data.set('file', new Blob([file], { type: 'text/csv' }), 'terms.csv');
  return data;
}

describe.each(stores)('keyword lists on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_OWN_LISTS_MAX: '100' });
  });
  afterAll(() => gatehouse.close());

  const create = (body: unknown) => gatehouse.asApp(path, { body, method: 'POST' });
  const termsOf = async (id: string) => (await gatehouse.asApp(`${path}/${id}`)).body.data.searchTerms;

  it('answers 200 with the list in the documented order of fields', async () => {
    const answer = await create({ id: 'plain', name: 'Plain', searchTerms: ['two words', 'one', 'one', 'pre*'] });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.data)).toEqual([
      'id',
      'name',
      'description',
      'category',
      'isCSV',
      'searchTerms',
      'createdAt',
      'updatedAt',
      'revisionId',
      'active',
      'searchTermsCount',
    ]);
    expect(answer.body.data).toMatchObject({
      searchTerms: ['two words', 'one', 'pre*'],
      isCSV: false,
      revisionId: `${gatehouse.appId}_plain_1`,
    });
  });

  it('answers 400 to a list without its entries, and makes and empties none; [] is an empty list', async () => {
    const before = (await gatehouse.asApp(`${path}?limit=100`)).text;
    const answers = [await create({}), await create({ id: 'empty', name: 'Empty' }), await create({ id: 'plain' })];
    answers.push(await gatehouse.asApp(`${path}/plain`, { method: 'PUT', body: { name: 'Plain' } }));
    for (const { status, body } of answers)
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['searchTerms']]);
    expect((await gatehouse.asApp(`${path}?limit=100`)).text).toBe(before);
    expect((await create({ id: 'empty', searchTerms: [] })).body.data).toMatchObject({ searchTermsCount: 0 });
  });

  it('takes form fields: words by commas, patterns by lines', async () => {
    await create(form({ id: 'form-words', searchTerms: 'one, two words ,three' }));
    expect(await termsOf('form-words')).toEqual(['one', 'two words', 'three']);
    await create(form({ id: 'form-patterns', category: 'pattern', searchTerms: '\\d{2,4}\r\na,b' }));
    expect(await termsOf('form-patterns')).toEqual(['\\d{2,4}', 'a,b']);
  });

  it.each([
    [
      'a BOM, quotes, commas and empty lines',
      '\ufeffone,"two, with a comma"\r\n\r\n"a ""quoted"" one"\n three \n',
      ['one', 'two, with a comma', 'a "quoted" one', 'three'],
    ],
    ['no line break at the end', 'one\ntwo', ['one', 'two']],
    ['letters outside ASCII', 'größe\n你好\n😀', ['größe', '你好', '😀']],
    ['nothing at all', '', []],
    ['nothing but a BOM', '\ufeff', []],
  ])('takes a CSV file with %s', async (_what, file, terms) => {
    const id = `csv-${Math.random().toString(36).slice(2)}`;
    const answer = await create(form({ id }, file));
    expect(answer.body.data).toMatchObject({ isCSV: true, searchTerms: terms });
  });

  it.each([
    ['commas and quotes in a line', 'a{1,3}b\r\nsay "hi", now\r\n', ['a{1,3}b', 'say "hi", now']],
    ['quoted lines', '\ufeff"a{1,3}b"\n "x,y" , "say ""hi"""\n', ['a{1,3}b', 'x,y', 'say "hi"']],
    ['every kind of line break', 'a,b\rc,d\n\n  \r\ne,f', ['a,b', 'c,d', 'e,f']],
    ['many pieces', `${'x,\r\n'.repeat(20_000)}y,z\r`, ['x,', 'y,z']],
    ['nothing but a BOM', '\ufeff', []],
  ])('takes a CSV file of patterns with %s: one a line', async (_what, file, terms) => {
    const id = `patterns-${Math.random().toString(36).slice(2)}`;
    const answer = await create(form({ id, category: 'pattern' }, file));
    expect(answer.body.data).toMatchObject({ isCSV: true, searchTerms: terms });
    const exported = (await gatehouse.asApp(`${path}/${id}/export`)).text;
    const fileFirst = form({}, exported);
    fileFirst.set('category', 'pattern');
    fileFirst.set('id', `${id}-again`);
    expect((await create(fileFirst)).body.data).toMatchObject({ category: 'pattern', searchTerms: terms });
  });

  it('answers 400 for a CSV file of patterns with a quote that never ends', async () => {
    const answer = await create(form({ category: 'pattern' }, 'fine\n"open\nfine'));
    expect(answer.body.error.details).toEqual({ file: [expect.stringContaining('is not CSV')] });
  });

  it('takes from a form what it takes from JSON', async () => {
    const name = '😀'.repeat(100);
    const description = '😀'.repeat(200);
    const more = { allow: 'assess, assign', fold: '{"leet":false}' };
    const made = await create(form({ id: 'form-all', name, description, searchTerms: 'ass*', ...more }));
    expect(made.body.data).toMatchObject({ name, description, allow: ['assess', 'assign'], fold: { leet: false } });
  });

  it.each<[string, Record<string, string>]>([
    ['description', { description: 'a\u0007b' }],
    ['description', { description: 'x'.repeat(256) }],
    ['name', { name: 'a\nb' }],
    ['id', { id: 'no spaces' }],
    ['category', { category: 'phrase' }],
    ['allow.1', { allow: `fine,${'x'.repeat(101)}` }],
    ['fold', { fold: 'leet' }],
    ['fold.rot13', { fold: '{"rot13":true}' }],
    ['fold.leet', { fold: '{"leet":"no"}' }],
  ])('answers 400 naming %s of a form', async (field, fields) => {
    const answer = await create(form({ searchTerms: 'x', ...fields }));
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toEqual([field]);
  });

  it('answers 400 to a second file and to a field that is there twice', async () => {
    const files = form({ id: 'two-files' }, 'one');
    files.append('file', new Blob(['two']), 'more.csv');
    const fields = form({ id: 'two-fields', searchTerms: 'one' });
    fields.append('searchTerms', 'two');
    for (const [body, field, sentence] of [
      [files, 'file', 'The form holds more than one file. Send one.'],
      [fields, 'searchTerms', 'Is there twice.'],
    ] as const) {
      const answer = await create(body);
      expect([answer.status, answer.body.error.details]).toEqual([400, { [field]: [sentence] }]);
    }
    for (const id of ['two-files', 'two-fields']) expect((await gatehouse.asApp(`${path}/${id}`)).status).toBe(404);
  });

  it.each([
    ['a quote that never ends', '"open', 'file'],
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0xff, 0xfe, 0x0a]), 'file'],
    ['U+0000', 'a\u0000b', 'searchTerms.0'],
    ['a term of 101 characters', `fine\n${'x'.repeat(101)}`, 'searchTerms.1'],
  ])('answers 400 for a CSV file with %s, and keeps nothing of it', async (_what, file, field) => {
    const answer = await create(form({ id: 'half' }, file));
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toEqual([field]);
    expect((await gatehouse.asApp(`${path}/half`)).status).toBe(404);
  });

  it('answers 400 with the place of each bad pattern', async () => {
    const answer = await create({ category: 'pattern', searchTerms: ['fine', '(unclosed', '(a)\\1'] });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toEqual(['searchTerms.1', 'searchTerms.2']);
  });

  it('answers 400 with the first ten of many mistakes', async () => {
    const answer = await create({ searchTerms: Array(5000).fill(7) });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toHaveLength(11);
    expect(answer.body.error.details.searchTerms[0]).toContain('5000');
  });

  it('answers 409 naming the rules when a list in use is deleted or becomes one of patterns, and 200 when it is free', async () => {
    await create({ id: 'used', searchTerms: ['x'] });
    const value = ['used'];
    const conditions = [{ operand: 'text', category: 'word', isKeywordsReferencePresent: true, value }];
    await gatehouse.asApp('/v3/moderation/rules', {
      body: { id: 'user-of-list', name: 'n', action: ['blockMessage'], conditions },
    });
    const refused = await gatehouse.asApp(`${path}/used`, { method: 'DELETE' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ERR_KEYWORD_IN_USE']);
    expect(refused.body.error.details.rules).toEqual(['user-of-list']);
    const patterns = { method: 'PUT', body: { category: 'pattern', searchTerms: ['x'] } };
    const kept = await gatehouse.asApp(`${path}/used`, patterns);
    expect([kept.status, kept.body.error.code]).toEqual([409, 'ERR_KEYWORD_IN_USE']);
    await gatehouse.asApp('/v3/moderation/rules/user-of-list', { method: 'DELETE' });
    expect((await gatehouse.asApp(`${path}/used`, patterns)).status).toBe(200);
    expect((await gatehouse.asApp(`${path}/used`, { method: 'DELETE' })).status).toBe(200);
    expect((await gatehouse.asApp(`${path}/used`)).status).toBe(404);
  });

  it('answers 400 to a part of a form that has no name, and takes one that says it is JSON', async () => {
    const boundary = 'b0undary';
    const send = (...parts: string[]) =>
      gatehouse.asApp(path, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: `${parts.map((part) => `--${boundary}\r\nContent-Disposition: form-data${part}\r\n`).join('')}--${boundary}--\r\n`,
      });
    const terms = '; name="searchTerms"\r\n\r\na,b';
    const nameless = await send(terms, '\r\n\r\nx');
    expect([nameless.status, nameless.body.error.details]).toEqual([
      400,
      { body: ['A part of the form has no name.'] },
    ]);
    const fold = '; name="fold"\r\nContent-Type: application/json\r\n\r\n{"leet":false}';
    expect((await send('; name="id"\r\n\r\njson-part', terms, fold)).status).toBe(200);
  });

  it('answers 400 when a built-in list is to hold something else than it came with', async () => {
    const answer = await gatehouse.asApp(`${path}/profanity-list`, {
      method: 'PUT',
      body: { category: 'pattern', searchTerms: ['z+ebra'] },
    });
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['category']]);
  });

  it('adds and removes entries, counts what changed, and makes a revision only then', async () => {
    await create({ id: 'growing', searchTerms: ['a', 'b'] });
    const change = async (method: string, searchTerms: string[]) =>
      (await gatehouse.asApp(`${path}/growing/terms`, { method, body: { searchTerms } })).body.data;
    expect(await change('POST', ['b', 'c', 'd', 'c'])).toMatchObject({ changed: 2, count: 4 });
    expect(await termsOf('growing')).toEqual(['a', 'b', 'c', 'd']);
    expect(await change('DELETE', ['a', 'nothing'])).toMatchObject({ changed: 1, count: 3 });
    const last = await change('DELETE', ['a']);
    expect(last).toMatchObject({ changed: 0, count: 3, revisionId: `${gatehouse.appId}_growing_3` });
    expect(await change('DELETE', ['b', 'c', 'd'])).toMatchObject({ changed: 3, count: 0 });
    expect(await change('POST', ['e'])).toMatchObject({ changed: 1, count: 1 });
    expect(await termsOf('growing')).toEqual(['e']);
  });

  it('grows a built-in list and brings it back when that is deleted', async () => {
    const before = await termsOf('profanity-list');
    await gatehouse.asApp(`${path}/profanity-list/terms`, { body: { searchTerms: ['flibbertigibbet'] } });
    expect(await termsOf('profanity-list')).toEqual([...before, 'flibbertigibbet']);
    await gatehouse.asApp(`${path}/profanity-list`, { method: 'DELETE' });
    expect(await termsOf('profanity-list')).toEqual(before);
  });

  it('keeps thousands of entries in order through upload, growth, removal and export', async () => {
    const terms = Array.from({ length: 45_678 }, (_, i) => `term ${i}, "${i % 7}"`);
    const csv = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join('\n');
    expect((await create(form({ id: 'large' }, csv))).status).toBe(200);
    await gatehouse.asApp(`${path}/large/terms`, { body: { searchTerms: ['one more'] } });
    await gatehouse.asApp(`${path}/large/terms`, {
      method: 'DELETE',
      body: { searchTerms: [terms[1], terms[40_000]] },
    });
    const expected = [...terms.filter((_, i) => i !== 1 && i !== 40_000), 'one more'];
    expect(await termsOf('large')).toEqual(expected);
    const lines = await gatehouse.asManager('/moderation/keywords/large/export?format=jsonl');
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(expected);
    const exported = await gatehouse.asApp(`${path}/large/export`);
    await create(form({ id: 'again' }, exported.text));
    expect(await termsOf('again')).toEqual(expected);
    const listed = await gatehouse.asApp(`${path}?terms=false&limit=100`);
    const large = listed.body.data.find((list: { id: string }) => list.id === 'large');
    expect(large).toMatchObject({ searchTerms: [], searchTermsCount: expected.length });
  });

  it('answers 412 for a replacement that comes too late', async () => {
    const { revisionId } = (await create({ id: 'late', searchTerms: ['a'] })).body.data;
    const replace = () =>
      gatehouse.asApp(`${path}/late`, {
        method: 'PUT',
        body: { searchTerms: ['b'] },
        headers: { 'if-match': revisionId },
      });
    expect((await replace()).status).toBe(200);
    expect((await replace()).status).toBe(412);
  });

  it('never uses a revision twice, so that a late writer is refused after a list was deleted and made again', async () => {
    const { revisionId } = (await create({ id: 'reborn', searchTerms: ['a'] })).body.data;
    await gatehouse.asApp(`${path}/reborn`, { method: 'DELETE' });
    const again = await create({ id: 'reborn', searchTerms: ['b'] });
    expect(again.body.data.revisionId).toBe(`${gatehouse.appId}_reborn_2`);
    const late = { method: 'PUT', body: { searchTerms: ['c'] }, headers: { 'if-match': revisionId } };
    expect((await gatehouse.asApp(`${path}/reborn`, late)).status).toBe(412);
    expect(await termsOf('reborn')).toEqual(['b']);
  });

  it('never uses a revision of a built-in list twice; as it comes it is the first', async () => {
    const at = `${path}/profanity-list`;
    const revisions: unknown[] = [];
    const number = async () => (await gatehouse.asApp(at)).body.data.revisionId.split('_').at(-1);
    await gatehouse.asApp(at, { method: 'DELETE' });
    const before = await gatehouse.asApp(`${at}/terms`, { body: { searchTerms: ['snollygoster'] } });
    const first = Number(before.body.data.revisionId.split('_').at(-1));
    for (const term of ['gobbledygook', 'flapdoodle']) {
      await gatehouse.asApp(at, { method: 'DELETE' });
      revisions.push(await number());
      // Taking back what was never changed forgets no number either.
      await gatehouse.asApp(at, { method: 'DELETE' });
      await gatehouse.asApp(`${at}/terms`, { body: { searchTerms: [term] } });
      revisions.push(await number());
    }
    expect(revisions).toEqual(['1', String(first + 1), '1', String(first + 2)]);
    await gatehouse.asApp(at, { method: 'DELETE' });
  });

  it('answers 412 for a change of entries and a removal that come too late, and 200 for the current revision', async () => {
    const { revisionId } = (await create({ id: 'contested', searchTerms: ['a'] })).body.data;
    const at = `${path}/contested`;
    const current = async () => `"${(await gatehouse.asApp(at)).body.data.revisionId}"`;
    const ask = (to: string, method: string, ifMatch: string, searchTerms?: string[]) =>
      gatehouse.asApp(to, { method, headers: { 'if-match': ifMatch }, ...(searchTerms && { body: { searchTerms } }) });
    expect((await ask(`${at}/terms`, 'POST', revisionId, ['b'])).status).toBe(200);
    for (const late of [
      await ask(`${at}/terms`, 'POST', revisionId, ['c']),
      await ask(`${at}/terms`, 'DELETE', revisionId, ['a']),
      await ask(at, 'DELETE', revisionId),
    ])
      expect([late.status, late.body.error.code]).toEqual([412, 'ERR_REVISION_CONFLICT']);
    expect(await termsOf('contested')).toEqual(['a', 'b']);
    expect((await ask(`${at}/terms`, 'DELETE', await current(), ['a'])).status).toBe(200);
    expect((await ask(at, 'DELETE', await current())).status).toBe(200);
  });

  it('answers 404 and 409 for lists that are not there or are there already', async () => {
    for (const [at, method, body] of [
      [`${path}/none`, 'GET'],
      [`${path}/none`, 'PUT', { searchTerms: [] }],
      [`${path}/none`, 'DELETE'],
      [`${path}/none/terms`, 'POST', { searchTerms: ['x'] }],
      [`${path}/none/export`, 'GET'],
    ] as const)
      expect((await gatehouse.asApp(at, { method, ...(body && { body }) })).body.error.code).toBe(
        'ERR_KEYWORD_NOT_FOUND',
      );
    await create({ id: 'twice', searchTerms: [] });
    expect((await create({ id: 'twice', searchTerms: [] })).body.error.code).toBe('ERR_KEYWORD_ALREADY_EXISTS');
  });

  it('keeps exceptions and the choice of disguises with the list', async () => {
    const answer = await create({ id: 'options', searchTerms: ['ass*'], allow: ['assess'], fold: { leet: false } });
    expect(answer.body.data).toMatchObject({ allow: ['assess'], fold: { leet: false } });
    expect((await create({ id: 'bad-fold', fold: { rot13: true } })).status).toBe(400);
  });
});
