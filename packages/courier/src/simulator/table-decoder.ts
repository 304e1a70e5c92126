import { decodeHuffman } from '../h2/huffman.ts';
import { H2_ERROR, H2Error } from '../h2/protocol.ts';
import { STATIC_ENTRIES, STATIC_TABLE } from '../h2/static-table.ts';
import { HeaderList } from './header-list.ts';

type Field = readonly [name: string, value: string];
const TABLE_BYTES = 4096;

/** HPACK with its dynamic table, as a server needs it: clients may index what they send. */
export class TableDecoder {
  /** Oldest first. */
  #entries: Field[] = [];
  #bytes = 0;
  #max = TABLE_BYTES;
  #at = 0;

  decode(block: Buffer, start: number, end: number): HeaderList {
    const fields = new HeaderList();
    this.#at = start;
    while (this.#at < end) {
      const byte = block[this.#at] ?? 0;
      if (byte < 0x40 && byte >= 0x20) {
        this.#resize(this.#integer(block, end, 0x1f));
        continue;
      }
      const [name, value] =
        byte >= 0x80
          ? this.#entry(this.#integer(block, end, 0x7f))
          : byte >= 0x40
            ? this.#insert(this.#literal(block, end, 0x3f))
            : this.#literal(block, end, 0x0f);
      fields.add(name, value);
    }
    return fields;
  }

  #literal(block: Buffer, end: number, mask: number): Field {
    const index = this.#integer(block, end, mask);
    const name = index === 0 ? this.#string(block, end) : this.#entry(index)[0];
    return [name, this.#string(block, end)];
  }

  #entry(index: number): Field {
    const entry =
      index <= STATIC_ENTRIES
        ? STATIC_TABLE[index - 1]
        : this.#entries[this.#entries.length - (index - STATIC_ENTRIES)];
    if (entry === undefined) throw new H2Error(H2_ERROR.compression, `no header ${index}`);
    return entry;
  }

  #insert(field: Field): Field {
    const size = field[0].length + field[1].length + 32;
    this.#evict(size);
    if (size <= this.#max) {
      this.#entries.push(field);
      this.#bytes += size;
    }
    return field;
  }

  #resize(max: number): void {
    if (max > TABLE_BYTES) throw new H2Error(H2_ERROR.compression, 'table too large');
    this.#max = max;
    this.#evict(0);
  }

  #evict(room: number): void {
    while (this.#bytes + room > this.#max) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) return;
      this.#bytes -= oldest[0].length + oldest[1].length + 32;
    }
  }

  #integer(block: Buffer, end: number, mask: number): number {
    let value = (block[this.#at++] ?? 0) & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      if (this.#at >= end) break;
      const byte = block[this.#at++] ?? 0;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new H2Error(H2_ERROR.compression, 'bad integer');
  }

  #string(block: Buffer, end: number): string {
    const huffman = ((block[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#integer(block, end, 0x7f);
    const start = this.#at;
    this.#at += length;
    if (this.#at > end) throw new H2Error(H2_ERROR.compression, 'string cut short');
    const text = huffman ? decodeHuffman(block, start, this.#at) : block.toString('latin1', start, this.#at);
    if (text === undefined) throw new H2Error(H2_ERROR.compression, 'bad Huffman code');
    return text;
  }
}
