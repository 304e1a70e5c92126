import { describe, expect, it } from 'vitest';
import {
  builtins,
  CompileError,
  checkList,
  checkRule,
  compile,
  type Filter,
  Judge,
  lintKeyword,
  type Message,
  type Problem,
  type Ruleset,
  whyNeverHolds,
} from '../src/index.ts';
import { condition, judgeFor, rule } from './rulesets.ts';

const words = (value: readonly string[]): ReturnType<typeof condition> => condition({ value });

function problemsOf(ruleset: Ruleset): readonly Problem[] {
  try {
    compile(ruleset);
  } catch (error) {
    if (error instanceof CompileError) return error.problems;
    throw error;
  }
  return [];
}

describe('rules', () => {
  it('answers with the strongest action and every action once', () => {
    const judge = compile({
      lists: [],
      rules: [
        rule({ id: 'a', action: ['flagMessage', 'kick'], conditions: [words(['bad'])] }),
        rule({ id: 'b', action: ['dropMessage'], conditions: [words(['bad'])] }),
        rule({ id: 'c', action: ['blockMessage', 'kick'], conditions: [words(['worse'])] }),
      ],
    });
    expect(judge.judge({ text: 'bad' })).toMatchObject({
      action: 'drop',
      actions: ['flagMessage', 'kick', 'dropMessage'],
    });
    expect(judge.judge({ text: 'worse' })).toMatchObject({ action: 'block', actions: ['blockMessage', 'kick'] });
    expect(judge.judge({ text: 'good' })).toEqual({ action: 'allow', actions: [], matches: [], shadow: [] });
  });

  it('explains a match: rule, revision, condition, list, entry, field, span and reading', () => {
    const judge = compile({
      lists: [{ id: 'insults', category: 'word', terms: ['fool'] }],
      rules: [
        rule({
          id: 'r',
          revisionId: 'ab_r_3',
          conditions: [condition({ id: 2, operand: 'custom', isListReferencePresent: true, value: 'insults' })],
        }),
      ],
    });
    expect(judge.judge({ text: 'fool', customData: { deep: ['x', { say: 'a F00L!' }] } }).matches).toEqual([
      {
        ruleId: 'r',
        revisionId: 'ab_r_3',
        conditionId: 2,
        listId: 'insults',
        entry: 'fool',
        operand: 'custom',
        field: 'customData.deep.1.say',
        start: 2,
        end: 6,
        text: 'F00L',
        normalised: 'fool',
      },
    ]);
  });

  it('reads captions as text', () => {
    const judge = judgeFor(['bad']);
    const message = { caption: 'bad', attachments: [{ url: 'x' }, { caption: 'so bad' }] };
    expect(judge.judge(message).matches.map((match) => match.field)).toEqual(['caption', 'attachments.1.caption']);
  });

  it('lists what a shadow rule matched apart and does not act', () => {
    const judge = compile({ lists: [], rules: [rule({ shadow: true, conditions: [words(['bad'])] })] });
    const verdict = judge.judge({ text: 'bad' });
    expect(verdict.action).toBe('allow');
    expect(verdict.matches).toEqual([]);
    expect(verdict.shadow).toHaveLength(1);
  });

  it('ignores rules that are switched off', () => {
    const judge = compile({ lists: [], rules: [rule({ enabled: false, conditions: [words(['bad'])] })] });
    expect(judge.judge({ text: 'bad' }).action).toBe('allow');
  });

  it('takes equals to mean the whole text', () => {
    const judge = compile({
      lists: [],
      rules: [rule({ conditions: [condition({ operator: 'equals', value: ['bad'] })] })],
    });
    expect(judge.judge({ text: ' BAD! ' }).action).toBe('block');
    expect(judge.judge({ text: 'bad day' }).action).toBe('allow');
  });

  it.each<[Filter['operator'], Filter['value'], boolean]>([
    ['equals', 'ann', true],
    ['equals', 'bob', false],
    ['notEquals', 'bob', true],
    ['in', ['bob', 'ann'], true],
    ['notIn', ['bob', 'ann'], false],
    ['startsWith', 'a', true],
    ['endsWith', 'x', false],
  ])('asks whether the sender %s %j', (operator, value, holds) => {
    const filters: Filter[] = [{ type: 'sender', entity: 'user', operand: 'uid', operator, value }];
    const judge = compile({ lists: [], rules: [rule({ filters, conditions: [words(['bad'])] })] });
    expect(judge.judge({ text: 'bad', sender: { uid: 'ann' } }).action).toBe(holds ? 'block' : 'allow');
  });

  it.each<[Filter['operand'], Filter['operator'], Filter['value'], boolean]>([
    ['createdAt', 'lessThan', 'yesterday', true],
    ['createdAt', 'greaterThan', '2026-01-01', true],
    ['createdAt', 'lessThan', '', true],
    ['createdAt', 'in', ['now', 'then'], true],
    ['createdAt', 'notEquals', 'now', false],
    ['createdAt', 'equals', true, true],
    ['createdAt', 'in', [1767225600, 'now'], false],
    ['createdAt', 'lessThan', 1767225600, false],
    ['createdAt', 'greaterThan', '1767225600', false],
    ['createdAt', 'startsWith', '17', false],
    ['uid', 'lessThan', 'ann', true],
    ['tags', 'greaterThan', [5, false], false],
    ['uid', 'lessThan', 5, false],
    ['uid', 'equals', 'ann', false],
    ['tags', 'notIn', ['a', 'b'], false],
    ['role', 'startsWith', '', false],
  ])('tells when a filter is written whether it can never hold: %s %s %j', (operand, operator, value, isVain) => {
    const filter: Filter = { type: 'sender', entity: 'user', operand, operator, value };
    expect(whyNeverHolds(filter) !== undefined).toBe(isVain);
    // What was taken once goes on to compile.
    expect(checkRule(rule({ filters: [filter], conditions: [words(['bad'])] }))).toEqual([]);
  });

  it('compares numbers that came as texts', () => {
    const filters: Filter[] = [{ type: 'sender', entity: 'user', operand: 'uid', operator: 'lessThan', value: '5' }];
    const judge = compile({ lists: [], rules: [rule({ filters, conditions: [words(['bad'])] })] });
    expect(judge.judge({ text: 'bad', sender: { uid: '3' } }).action).toBe('block');
    expect(judge.judge({ text: 'bad', sender: { uid: 'ann' } }).action).toBe('allow');
  });

  it('applies group filters to groups only, tags one by one, and all filters together', () => {
    const filters: Filter[] = [
      { type: 'receiver', entity: 'group', operand: 'tags', operator: 'equals', value: 'kids' },
      { type: 'receiver', entity: 'group', operand: 'createdAt', operator: 'greaterThan', value: 100 },
    ];
    const judge = compile({ lists: [], rules: [rule({ filters, conditions: [words(['bad'])] })] });
    const act = (message: Message): string => judge.judge({ text: 'bad', ...message }).action;
    expect(act({ receiverGroup: { tags: ['fun', 'kids'], createdAt: 200 } })).toBe('block');
    expect(act({ receiverGroup: { tags: ['fun', 'kids'], createdAt: 50 } })).toBe('allow');
    expect(act({ receiverUser: { tags: ['kids'], createdAt: 200 } })).toBe('allow');
  });

  it('compares media scores with thresholds, labels in any spelling', () => {
    const conditions = [
      condition({ operand: 'image', category: 'pattern', value: ['Explicit Nudity_greaterThan_60'] }),
    ];
    const judge = compile({
      lists: [],
      rules: [
        rule({ conditions }),
        rule({
          id: 'any',
          action: ['flagMessage'],
          conditions: [condition({ operand: 'video', category: 'pattern', value: ['AnyOf_greaterThan_30'] })],
        }),
      ],
    });
    expect(judge.judge({ mediaScores: { image: [{ scores: { explicitnudity: 61 } }] } }).action).toBe('block');
    expect(judge.judge({ mediaScores: { image: [{ scores: { explicitNudity: 60, Violence: 99 } }] } }).action).toBe(
      'allow',
    );
    expect(
      judge.judge({ mediaScores: { video: [{ scores: {} }, { scores: { Alcohol: 31 } }] } }).matches[0],
    ).toMatchObject({ field: 'video.1', normalised: 'Alcohol 31' });
    expect(judge.judge({ mediaScores: { video: [{ index: 4, scores: { Alcohol: 31 } }] } }).matches[0]).toMatchObject({
      field: 'video.4',
    });
    expect(judge.judge({ mediaScores: { video: [{ scores: { Neutral: 97, 'rude gestures': 1 } }] } }).action).toBe(
      'allow',
    );
    expect(
      judge.judge({ mediaScores: { video: [{ scores: { Neutral: 97, rudeGestures: 31 } }] } }).matches[0],
    ).toMatchObject({ normalised: 'rudeGestures 31' });
  });

  it('hands conditions it cannot decide to the caller and takes the answer back', () => {
    const judge = compile({
      lists: [],
      rules: [rule({ id: 'tox', conditions: [condition({ id: 4, category: 'toxicity', value: ['0.8'] })] })],
    });
    expect(judge.outside).toEqual([
      { ruleId: 'tox', conditionId: 4, operand: 'text', category: 'toxicity', value: ['0.8'] },
    ]);
    expect(judge.judge({ text: 'x', outside: [{ ruleId: 'tox', conditionId: 4, reason: 'rude' }] }).action).toBe(
      'block',
    );
    expect(judge.judge({ text: 'x' }).action).toBe('allow');
  });

  it('tells everything that is wrong, and where', () => {
    const problems = problemsOf({
      lists: [
        { id: 'l', category: 'pattern', terms: ['ok', '(a'] },
        { id: 'w', category: 'word', terms: ['fine', '  ', '...'] },
      ],
      rules: [
        rule({
          id: 'r1',
          conditions: [condition({ id: 3, operand: 'image', category: 'pattern', value: ['Violence_greaterThan_x'] })],
        }),
        rule({ id: 'r2', conditions: [condition({ id: 1, category: 'pattern', value: ['ab(?=c)'] })] }),
        rule({ id: 'r3', conditions: [condition({ isKeywordsReferencePresent: true, value: ['missing'] })] }),
      ],
    });
    expect(problems).toEqual([
      { listId: 'l', position: 1, reason: expect.stringContaining('missing closing )') },
      { listId: 'w', position: 1, reason: expect.stringContaining('empty') },
      { listId: 'w', position: 2, reason: expect.stringContaining('no letter') },
      { ruleId: 'r1', conditionId: 3, position: 21, reason: expect.stringContaining('number from 0 to 100') },
      { ruleId: 'r2', conditionId: 1, position: 2, reason: expect.stringContaining('look-ahead') },
      { ruleId: 'r3', conditionId: 1, reason: 'there is no list "missing"' },
    ]);
  });

  it('checks a rule or a list alone, when it is written', () => {
    expect(checkRule(rule({ conditions: [words(['x'])] }))).toEqual([]);
    expect(checkRule(rule({ conditions: [] }))[0]?.reason).toContain('at least one condition');
    expect(checkList({ id: 'l', category: 'word', terms: ['a'.repeat(101)] })[0]).toMatchObject({ position: 0 });
  });

  it('gives the same verdict after a trip through a worker', () => {
    const judge = compile({
      lists: [builtins.profanity],
      rules: builtins.rules.map((one) => ({ ...one, enabled: true })),
    });
    const revived = Judge.from(structuredClone(judge.serialise()));
    const message = { text: 'sh1t, mail bob@example.com or call +1 415 555 2671', customData: { a: 'f.u.c.k' } };
    expect(revived.judge(message)).toEqual(judge.judge(message));
    expect(revived.judge(message).matches.length).toBeGreaterThan(3);
  });

  it('tells which dictionary words a keyword would hit', () => {
    expect(lintKeyword('*cunthorp*').hits).toEqual([]);
    expect(lintKeyword('*assass*').hits).toContain('assassin');
    expect(lintKeyword('hell').hits).toEqual(['hell']);
    expect(lintKeyword('').problem).toContain('empty');
  });

  it.each([null, undefined, 5, 'x', {}, { rules: [{}], lists: [{}] }, { rules: [null], lists: [] }])(
    'refuses %j as a ruleset in words',
    (input) => {
      expect(() => compile(JSON.parse(JSON.stringify(input ?? null)))).toThrow(CompileError);
    },
  );
});
