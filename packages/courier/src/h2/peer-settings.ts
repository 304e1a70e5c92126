import { readUint32 } from './frame-reader.ts';
import { DEFAULT_WINDOW, H2_ERROR, H2Error, MAX_FRAME_BYTES, MAX_WINDOW, SETTING } from './protocol.ts';

/** What the peer asked of us, at any time and in any order. */
export class PeerSettings {
  headerTableSize = 4096;
  maxConcurrentStreams = Number.POSITIVE_INFINITY;
  initialWindowSize = DEFAULT_WINDOW;
  maxFrameSize = MAX_FRAME_BYTES;
  readonly #peerIs: 'server' | 'client';

  constructor(peerIs: 'server' | 'client') {
    this.#peerIs = peerIs;
  }

  /** Applies a SETTINGS payload. Throws an H2Error on a value that may not be. */
  apply(bytes: Uint8Array, start: number, end: number): void {
    if ((end - start) % 6 !== 0) throw new H2Error(H2_ERROR.frameSize, 'settings cut short');
    for (let at = start; at < end; at += 6) {
      const id = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      this.#set(id, readUint32(bytes, at + 2));
    }
  }

  #set(id: number, value: number): void {
    if (id === SETTING.headerTableSize) this.headerTableSize = value;
    else if (id === SETTING.maxConcurrentStreams) this.maxConcurrentStreams = value;
    else if (id === SETTING.enablePush) {
      if (value > 1 || (value === 1 && this.#peerIs === 'server'))
        throw new H2Error(H2_ERROR.protocol, 'a server may not enable push');
    } else if (id === SETTING.initialWindowSize) {
      if (value > MAX_WINDOW) throw new H2Error(H2_ERROR.flowControl, 'initial window too large');
      this.initialWindowSize = value;
    } else if (id === SETTING.maxFrameSize) {
      if (value < 16_384 || value > 16_777_215) throw new H2Error(H2_ERROR.protocol, 'frame size out of range');
      this.maxFrameSize = value;
    }
  }
}
