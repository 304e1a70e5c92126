import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFields, readStatus } from '../src/h2/hpack-decode.ts';
import { SteadyEncoder } from '../src/h2/hpack-encode.ts';
import { decodeHuffman, isHuffman } from '../src/h2/huffman.ts';
import { H2_ERROR, H2Error } from '../src/h2/protocol.ts';
import { TableDecoder } from '../src/simulator/table-decoder.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const decode = (text: string): [string, string][] => decodeFields(hex(text), 0, hex(text).length);
const status = (text: string): number => readStatus(hex(text), 0, hex(text).length);

describe('RFC 7541', () => {
  // Appendix C: examples of strings in the Huffman code.
  test.each([
    ['f1e3 c2e5 f23a 6ba0 ab90 f4ff', 'www.example.com'],
    ['a8eb 1064 9cbf', 'no-cache'],
    ['25a8 49e9 5ba9 7d7f', 'custom-key'],
    ['6402', '302'],
    ['aec3 771a 4b', 'private'],
    ['d07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    ['9d29 ad17 1863 c78f 0b97 c8e9 ae82 ae43 d3', 'https://www.example.com'],
  ])('%s is %s', (bytes, text) => {
    expect(decodeHuffman(hex(bytes), 0, hex(bytes).length)).toBe(text);
    expect(isHuffman(hex(bytes), 0, hex(bytes).length)).toBe(true);
  });

  test('C.6.1 is decoded, its entries not kept', () => {
    const block =
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3';
    expect(decode(block)).toEqual([
      [':status', '302'],
      ['cache-control', 'private'],
      ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
      ['location', 'https://www.example.com'],
    ]);
    expect(status(block)).toBe(302);
  });

  test('C.4: a server table follows what a client indexes', () => {
    const table = new TableDecoder();
    const read = (text: string): object => table.decode(hex(text), 0, hex(text).length).toRecord();
    const first = { ':method': 'GET', ':scheme': 'http', ':path': '/', ':authority': 'www.example.com' };
    expect(read('8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff')).toEqual(first);
    expect(read('8286 84be 5886 a8eb 1064 9cbf')).toEqual({ ...first, 'cache-control': 'no-cache' });
    expect(read('8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf')).toMatchObject({
      'custom-key': 'custom-value',
      ':scheme': 'https',
    });
  });
});

describe('a malformed block is a compression error', () => {
  test.each([
    ['an index beyond the static table', 'be'],
    ['index 0', '80'],
    ['a table larger than we allow', '3fe11f'],
    ['a size update inside a block', '8820'],
    ['an integer without end', 'ffffffffffffffff'],
    ['an integer cut short', 'ff'],
    ['a string cut short', '0f1085aabb'],
    ['a string that is missing', '08'],
    ['Huffman padding of a whole byte', '0882ffff'],
    ['Huffman padding with a 0', '088100'],
    ['EOS in a string', '0884ffffffff'],
  ])('%s', (_what, bytes) => {
    for (const read of [() => status(bytes), () => decode(bytes)]) {
      expect(read).toThrow(H2Error);
      try {
        read();
      } catch (error) {
        expect(error).toMatchObject({ code: H2_ERROR.compression });
      }
    }
  });

  test.each([
    ['no status', '6196d07abe941054d444a8200595040b8166e082a62d1bff', 0],
    ['two statuses', '8889', 0],
    ['a status that is not first', '0f0d 0130 88', 0],
    ['a status of four digits', '0804 32303030', 0],
    ['a size update to 0 before the status', '2088', 200],
    ['a literal status', '08 03 343130', 410],
  ])('%s reads as %s', (_what, bytes, expected) => {
    expect(status(bytes)).toBe(expected);
  });
});

test('any bytes either decode or are a compression error, and both readers agree', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const results = [() => readStatus(bytes, 0, bytes.length), () => decodeFields(bytes, 0, bytes.length)].map(
        (read) => {
          try {
            read();
            return 'fine';
          } catch (error) {
            if (!(error instanceof H2Error)) throw error;
            return error.code;
          }
        },
      );
      expect(results[0]).toBe(results[1]);
    }),
    { numRuns: 5_000 },
  );
});

test('what the encoder writes, a table decoder reads, through any change of table size', () => {
  const name = fc.constantFrom(':method', ':path', 'authorization', 'apns-topic', 'x-a', 'x-b');
  const value = fc.oneof(
    fc.constantFrom('POST', '/', 'a'),
    fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
    fc.constant('z'.repeat(3_000)),
  );
  const headers = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 6 });
  const step = fc.oneof(
    { weight: 5, arbitrary: headers },
    { weight: 1, arbitrary: fc.constantFrom(0, 100, 1_000, 4_096, 65_536) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const encoder = new SteadyEncoder();
      const decoder = new TableDecoder();
      for (const each of steps) {
        if (typeof each === 'number') {
          encoder.resize(each);
          continue;
        }
        const steady = { fields: each };
        // Twice: once as it goes into the table, once out of it.
        for (let round = 0; round < 2; round++) {
          const update = encoder.hasSizeUpdate ? encoder.takeSizeUpdate() : [];
          const block = Buffer.from([...update, ...encoder.encode(steady)]);
          expect(decoder.decode(block, 0, block.length).toRecord()).toEqual(Object.fromEntries(each));
        }
      }
    }),
    { numRuns: 500 },
  );
});
