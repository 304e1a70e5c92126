import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Alarm } from '../src/alarm.ts';
import { Breaker, backoffMs, guardedLookup, guardUrl, isPublicAddress, Pacer, parseRetryAfter } from '../src/index.ts';
import { mergeJson } from '../src/merge.ts';
import { TokenWave } from '../src/token-wave.ts';
import { jsonLength, truncateJson } from '../src/truncate.ts';
import { ManualClock } from './sim.ts';

describe('Retry-After', () => {
  const now = Date.parse('2026-11-15T00:00:00Z');
  test.each([
    ['120', 120_000],
    ['0', 0],
    [' 5 ', 5_000],
    ['Sun, 15 Nov 2026 00:01:00 GMT', 60_000],
    ['Sunday, 15-Nov-26 00:00:30 GMT', 30_000],
    ['Sat, 14 Nov 2026 00:00:00 GMT', 0],
    ['99999999', 86_400_000],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026', 2_026_000],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});

test('backoff is never below its floor nor above its cap, and spreads', () => {
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.integer({ min: 1, max: 60_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, floor, chance) => {
        const wait = backoffMs(attempt, floor, 3_600_000, () => chance);
        expect(wait).toBeGreaterThanOrEqual(floor);
        expect(wait).toBeLessThanOrEqual(3_600_000);
      },
    ),
  );
  expect(backoffMs(0, 1_000, 60_000, () => 0)).not.toBe(backoffMs(0, 1_000, 60_000, () => 0.9));
});

describe('the breaker', () => {
  test('opens after failures in a row, tries once, and waits longer each time', () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock, () => 0.5);
    for (let i = 0; i < 19; i++) expect(breaker.failure()).toBe(false);
    breaker.success();
    for (let i = 0; i < 19; i++) breaker.failure();
    expect(breaker.state).toBe('closed');
    expect(breaker.failure()).toBe(true);
    expect(breaker.state).toBe('open');
    const first = breaker.remainingMs;
    clock.pass(first);
    expect(breaker.state).toBe('halfOpen');
    expect(breaker.failure()).toBe(true);
    expect(breaker.remainingMs).toBeGreaterThan(first);
    clock.pass(breaker.remainingMs);
    expect(breaker.state).toBe('halfOpen');
    breaker.success();
    expect(breaker.state).toBe('closed');
    expect(breaker.remainingMs).toBe(0);
  });
});

describe('the pacer', () => {
  function sentIn(pacer: Pacer, clock: ManualClock, seconds: number): number {
    let sent = 0;
    for (let i = 0; i < seconds * 100; i++) {
      clock.pass(10);
      sent += pacer.take(1_000_000);
    }
    return sent;
  }

  test('ramps from a standing start to the full rate over a minute and holds it', () => {
    const clock = new ManualClock();
    const pacer = new Pacer({ perMinute: 600_000, rampMs: 60_000 }, clock);
    expect(pacer.take(5)).toBe(1);
    const first = sentIn(pacer, clock, 10);
    const ramp = sentIn(pacer, clock, 50);
    const full = sentIn(pacer, clock, 60);
    expect(first).toBeLessThan(20_000);
    expect(first + ramp).toBeLessThan(330_000);
    expect(full).toBeGreaterThan(590_000);
    expect(full).toBeLessThanOrEqual(602_500);
  });

  test('halves when told so, and is cold again after a pause', () => {
    const clock = new ManualClock();
    const pacer = new Pacer({ perMinute: 600_000, rampMs: 60_000 }, clock);
    sentIn(pacer, clock, 70);
    pacer.slowDown();
    expect(sentIn(pacer, clock, 1)).toBeLessThan(6_000);
    clock.pass(120_000);
    pacer.take(1_000_000);
    expect(sentIn(pacer, clock, 1)).toBeLessThan(1_000);
    expect(pacer.waitMs()).toBeGreaterThanOrEqual(0);
  });

  test('without a ramp comes back to the full rate too', () => {
    const clock = new ManualClock();
    const pacer = new Pacer({ perMinute: 600_000, rampMs: 0 }, clock);
    for (let i = 0; i < 8; i++) pacer.slowDown();
    expect(sentIn(pacer, clock, 1)).toBeLessThan(1_000);
    sentIn(pacer, clock, 60);
    expect(sentIn(pacer, clock, 1)).toBeGreaterThan(9_900);
  });

  test('never grants more than the rate, whatever is asked and given back', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(200), fc.nat(5_000)), { maxLength: 100 }), (steps) => {
        const clock = new ManualClock();
        const pacer = new Pacer({ perMinute: 60_000, rampMs: 0 }, clock);
        let sent = 0;
        let passed = 0;
        for (const [ms, wanted] of steps) {
          clock.pass(ms);
          passed += ms;
          sent += pacer.take(wanted);
        }
        expect(sent).toBeLessThanOrEqual(passed + 251);
      }),
    );
  });
});

test('an alarm goes off at the earliest of the times asked for, and once for all of them', () => {
  const clock = new ManualClock();
  let rung = 0;
  const alarm = new Alarm(clock, () => rung++);
  alarm.in(5_000);
  alarm.in(10);
  alarm.in(200);
  clock.pass(10);
  expect(rung).toBe(1);
  clock.pass(10_000);
  expect(rung).toBe(1);
  alarm.in(0);
  clock.pass(1);
  expect(rung).toBe(2);
  alarm.in(5);
  alarm.cancel();
  clock.pass(10);
  expect(rung).toBe(2);
});

test('half of the latest answers must be bad tokens, and 25 of them, to be a wave', () => {
  const wave = new TokenWave();
  for (let i = 0; i < 24; i++) wave.bad();
  expect(wave.isWave).toBe(false);
  wave.bad();
  expect(wave.isWave).toBe(true);
  for (let i = 0; i < 30; i++) wave.other();
  expect(wave.isWave).toBe(false);
  wave.clear();
  for (let i = 0; i < 1_000; i++) {
    if (i % 10 === 0) wave.bad();
    else wave.sent();
  }
  expect(wave.isWave).toBe(false);
});

test('bad tokens may be dropped only while one of the latest answers was a success', () => {
  const wave = new TokenWave();
  expect(wave.mayDrop).toBe(false);
  wave.other();
  wave.bad();
  expect(wave.mayDrop).toBe(false);
  wave.sent();
  for (let i = 0; i < 199; i++) wave.other();
  expect(wave.mayDrop).toBe(true);
  wave.other();
  expect(wave.mayDrop).toBe(false);
  wave.sent();
  wave.clear();
  expect(wave.mayDrop).toBe(false);
});

describe('truncation', () => {
  test('never exceeds the limit, never splits a character, keeps what fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(120), (text, limit) => {
        const cut = truncateJson(text, limit) ?? '';
        expect(Buffer.byteLength(JSON.stringify(cut)) - 2).toBeLessThanOrEqual(limit);
        if (jsonLength(text) <= limit) expect(cut).toBe(text);
        else if (cut !== '') expect(text.startsWith(cut.slice(0, -1))).toBe(true);
      }),
    );
  });

  test('counts bytes as JSON.stringify writes them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(jsonLength(text)).toBe(Buffer.byteLength(JSON.stringify(text)) - 2);
      }),
    );
  });

  test.each([
    ['👨‍👩‍👧‍👦 family', 12, '…'],
    ['e\u0301e\u0301e\u0301', 8, 'e\u0301…'],
    ['🇩🇪🇫🇷', 11, '🇩🇪…'],
    ['a"b"c', 6, 'a"…'],
  ])('%s within %i bytes is %s', (text, limit, expected) => {
    expect(truncateJson(text, limit)).toBe(expected);
  });
});

describe('the guard', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'fe80::1%eth0',
    'not an address',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::ffff:7f00:1]/',
    'https://017700000001/',
    'ftp://example.com/',
    'https://a:b@example.com/',
  ])('%s is refused before any lookup', (url) => {
    expect(() => guardUrl(url)).toThrow();
  });

  test.each([true, false])('a name that resolves to loopback is refused, all addresses asked: %s', async (all) => {
    const error = await new Promise((resolve) => guardedLookup('localhost', { all }, (failure) => resolve(failure)));
    expect(error).toMatchObject({ code: 'EGUARD' });
  });
});

test('merging replaces plain values, joins objects, and makes no prototypes', () => {
  const over = JSON.parse('{"a":{"c":2},"__proto__":{"polluted":true}}');
  const merged = mergeJson({ a: { b: 1 }, l: [1] }, over);
  expect(merged).toEqual(JSON.parse('{"a":{"b":1,"c":2},"l":[1],"__proto__":{"polluted":true}}'));
  expect('polluted' in merged).toBe(false);
});
