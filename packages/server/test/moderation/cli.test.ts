import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTerminal, gatehouse as run } from '../cli-run.ts';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';

describe('gatehouse check and gatehouse lists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lists-'));
  let gatehouse: Gatehouse;
  let env: Record<string, string>;
  beforeAll(async () => {
    gatehouse = await startGatehouse('sqlite');
    env = { GATEHOUSE_URL: gatehouse.url, GATEHOUSE_API_KEY: gatehouse.fullAccess };
  });
  afterAll(async () => {
    await gatehouse.close();
    rmSync(folder, { recursive: true });
  });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const termsOf = async (id: string) => (await gatehouse.asApp(`/v3/moderation/keywords/${id}`)).body.data.searchTerms;

  it('says what the rules make of a text and ends with 1 when it would be blocked', async () => {
    const fine = await run(['check', 'hello there'], { env });
    expect([fine.code, fine.stdout]).toEqual([0, 'allow\n']);
    const blocked = await run(['check', 'what the fuck'], { env });
    expect(blocked.code).toBe(1);
    expect(blocked.stdout).toContain('profanity-filter, condition 1: "fuck" at 9 to 13');
    expect(blocked.stdout).toContain('\n  what the fuck\n           ^^^^\n');
    const seen = await inTerminal(['check', 'what \u001b[2J the fuck'], { env });
    const marked = [...'fuck'].map((letter) => `\u001b[4m${letter}\u001b[24m`).join('');
    expect(seen.stdout).toContain(`  what  [2J the ${marked}\r\n`);
    const rules = write(
      'rule.json',
      JSON.stringify({
        name: 'r',
        action: ['flagMessage'],
        conditions: [{ operand: 'text', category: 'word', value: ['there'] }],
      }),
    );
    const tried = await run(['check', '-', '--rules', rules, '--json'], { env, input: 'hello there' });
    expect(JSON.parse(tried.stdout)).toMatchObject({ verdict: 'flag', matches: [{ text: 'there' }] });
  });

  it('imports a list from CSV, lines and JSON lines, keeps what it is, and exports it again', async () => {
    const csv = await run(
      ['lists', 'import', 'fruit', write('fruit.csv', 'apple,"pear, ripe"\nplum\n'), '--name', 'Fruit', '--json'],
      { env },
    );
    expect(csv.stderr).toBe('');
    expect(JSON.parse(csv.stdout)).toMatchObject({ id: 'fruit', entries: 3 });
    await run(['lists', 'import', 'fruit', write('fruit.txt', 'apple\nfig, dried\n')], { env });
    expect(await termsOf('fruit')).toEqual(['apple', 'fig, dried']);
    await run(['lists', 'import', 'codes', write('codes.jsonl', '"\\\\d{2,4}"\n"a,b"\n'), '--category', 'pattern'], {
      env,
    });
    expect(await termsOf('codes')).toEqual(['\\d{2,4}', 'a,b']);
    await run(['lists', 'import', 'codes', write('more.txt', 'x+\n')], { env });
    const listed = await run(['lists', 'list', '--json'], { env });
    expect(JSON.parse(listed.stdout)).toEqual(
      expect.arrayContaining([
        { id: 'fruit', name: 'Fruit', category: 'word', entries: 2 },
        { id: 'codes', name: 'codes', category: 'pattern', entries: 1 },
      ]),
    );
    expect((await run(['lists', 'export', 'fruit'], { env })).stdout).toBe('apple\r\n"fig, dried"\r\n');
    expect((await run(['lists', 'export', 'fruit', '--format', 'jsonl'], { env })).stdout).toBe(
      '"apple"\n"fig, dried"\n',
    );
  });

  it('says what to mend', async () => {
    const missing = await run(['lists', 'import', 'x', join(folder, 'nothing.csv')], { env });
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
    const broken = await run(['lists', 'import', 'x', write('broken.csv', '"open')], { env });
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('not CSV')]);
    expect((await run(['lists', 'export', 'nothing'], { env })).stderr).toContain('no keyword list');
  });
});
