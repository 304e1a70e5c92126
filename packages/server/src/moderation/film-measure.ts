/** About 300,000 packets: three hours of film. */
const bytesMax = 16 * 1024 * 1024;
/** Key frames are enough where the time between two is never longer than this share of the film. */
const gapShareMax = 1 / 6;

/**
 * How long a film really is, from the packets of its pictures as ffmpeg lists them (`-f framecrc`). What the film says of
 * its own length is the sender's word, and the length of its sound says nothing about its pictures.
 */
export class FilmMeasure {
  packets = 0;
  isTooLong = false;
  private end = 0;
  private readonly keys: number[] = [];
  private tick = 1;
  private bytes = 0;
  private rest = '';

  /** Answers whether it has read enough. */
  read(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    this.isTooLong ||= this.bytes > bytesMax;
    if (this.isTooLong) return true;
    const lines = (this.rest + chunk.toString('latin1')).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.readLine(line);
    return false;
  }

  /** From the first picture to the last; never 0. */
  get seconds(): number {
    return Math.max(this.end, 0.001);
  }

  hasEnoughKeys(): boolean {
    let before = 0;
    for (const key of [...this.keys, this.seconds]) {
      if (key - before > this.seconds * gapShareMax) return false;
      before = key;
    }
    return this.keys.length > 0;
  }

  /** How many of so many equal parts of the film have a key frame. */
  slotsOfKeys(parts: number): number {
    return new Set(this.keys.map((key) => Math.floor((key / this.seconds) * parts))).size;
  }

  /** `0, dts, pts, duration, size, checksum`, with flags where it is not simply a key frame; `#tb 0: 1/90000` before all. */
  private readLine(line: string): void {
    if (line.startsWith('#')) {
      const [, over, under] = /^#tb 0: (\d+)\/(\d+)/.exec(line) ?? [];
      if (over !== undefined && under !== undefined) this.tick = Number(over) / Number(under);
      return;
    }
    const [, dts = '', pts = '', , , , flags = ''] = line.split(',');
    this.packets++;
    const ticks = [Number(pts), Number(dts)].find((number) => !Number.isNaN(number));
    if (ticks === undefined) return;
    const seconds = Math.max(0, ticks * this.tick);
    this.end = Math.max(this.end, seconds);
    const [, bits] = /F=0x([0-9A-F]+)/i.exec(flags) ?? [];
    if (bits === undefined || Number.parseInt(bits, 16) % 2 === 1) this.keys.push(seconds);
  }
}
