/**
 * The Huffman code of RFC 7541, appendix B. It is canonical, so the code lengths of the 257 symbols (one base-36 digit each) say all.
 */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f56565666577666567655677777fbeds' +
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu';
const EOS = 256;
const NONE = 511;
const FAIL = 1 << 20;
const ROOT = 0;

/** A step for each (tree node, next four bits): the node reached | symbol passed << 8 | FAIL. Codes have 5 bits or more: one symbol at most. */
const steps = new Int32Array(256 * 16);
/** Nodes reached from the root by at most seven 1-bits: where a string may end. */
const mayEnd = new Uint8Array(256);
build();

function build(): void {
  const children = new Int32Array(256 * 2).fill(-1);
  let nodes = 1;
  let code = 0;
  let previous = 0;
  const symbols = [...LENGTHS].map((digit, symbol) => ({ symbol, length: Number.parseInt(digit, 36) }));
  symbols.sort((a, b) => a.length - b.length || a.symbol - b.symbol);
  for (const { symbol, length } of symbols) {
    code = previous === 0 ? 0 : (code + 1) << (length - previous);
    previous = length;
    let node = ROOT;
    for (let bit = length - 1; bit > 0; bit--) {
      const edge = node * 2 + ((code >>> bit) & 1);
      if (children[edge] === -1) children[edge] = nodes++;
      node = children[edge] ?? 0;
    }
    children[node * 2 + (code & 1)] = 1024 + symbol;
  }
  let node = ROOT;
  for (let depth = 0; depth <= 7; depth++) {
    mayEnd[node] = 1;
    node = children[node * 2 + 1] ?? 0;
  }
  for (let state = 0; state < 256; state++) {
    for (let nibble = 0; nibble < 16; nibble++) steps[state * 16 + nibble] = walk(children, state, nibble);
  }
}

function walk(children: Int32Array, from: number, nibble: number): number {
  let node = from;
  let symbol = NONE;
  for (let bit = 3; bit >= 0; bit--) {
    node = children[node * 2 + ((nibble >>> bit) & 1)] ?? 0;
    if (node >= 1024) {
      if (node - 1024 === EOS) return FAIL;
      symbol = node - 1024;
      node = ROOT;
    }
  }
  return node | (symbol << 8);
}

/** Whether the bytes are a well-formed Huffman string: no EOS in it, padded with at most seven 1-bits. */
export function isHuffman(bytes: Uint8Array, start: number, end: number): boolean {
  let state = ROOT;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    const high = steps[state * 16 + (byte >>> 4)] ?? FAIL;
    if (high === FAIL) return false;
    const low = steps[(high & 0xff) * 16 + (byte & 15)] ?? FAIL;
    if (low === FAIL) return false;
    state = low & 0xff;
  }
  return mayEnd[state] === 1;
}

/** The decoded text (bytes as latin-1), or undefined if malformed. */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string | undefined {
  const out = Buffer.allocUnsafe(((end - start) * 8) / 5 + 1);
  let length = 0;
  let state = ROOT;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    for (let shift = 4; shift >= 0; shift -= 4) {
      const step = steps[state * 16 + ((byte >>> shift) & 15)] ?? FAIL;
      if (step === FAIL) return undefined;
      const symbol = (step >>> 8) & 511;
      if (symbol !== NONE) out[length++] = symbol;
      state = step & 0xff;
    }
  }
  return mayEnd[state] === 1 ? out.toString('latin1', 0, length) : undefined;
}
