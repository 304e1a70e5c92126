import { readUint32 } from './frame-reader.ts';
import { FLAG, FRAME, H2_ERROR, H2Error } from './protocol.ts';

export interface ControlHandler {
  onSettings(bytes: Uint8Array, start: number, end: number): void;
  onSettingsAck(): void;
  onPing(payload: Uint8Array): void;
  onWindowUpdate(streamId: number, by: number): void;
  onReset(streamId: number, code: number): void;
  onGoaway(lastStreamId: number, code: number, debug: string): void;
}

/** Debug data of a GOAWAY that is kept. */
const DEBUG_BYTES_MAX = 512;

/** Checks a frame that carries no answer and hands it on. Types nobody knows are ignored, as RFC 9113 asks. */
export function readControl(
  type: number,
  flags: number,
  id: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  handler: ControlHandler,
): void {
  const length = end - start;
  switch (type) {
    case FRAME.settings:
      onConnection(id);
      if ((flags & FLAG.ack) === 0) {
        handler.onSettings(bytes, start, end);
        return;
      }
      sized(length, 0);
      handler.onSettingsAck();
      return;
    case FRAME.ping:
      onConnection(id);
      sized(length, 8);
      if ((flags & FLAG.ack) === 0) handler.onPing(bytes.subarray(start, end));
      return;
    case FRAME.windowUpdate:
      sized(length, 4);
      handler.onWindowUpdate(id, readUint32(bytes, start) & 0x7fffffff);
      return;
    case FRAME.rstStream:
      sized(length, 4);
      handler.onReset(id, readUint32(bytes, start));
      return;
    case FRAME.goaway: {
      onConnection(id);
      if (length < 8) sized(length, 8);
      const debug = Buffer.from(bytes.subarray(start + 8, Math.min(end, start + 8 + DEBUG_BYTES_MAX))).toString('utf8');
      handler.onGoaway(readUint32(bytes, start) & 0x7fffffff, readUint32(bytes, start + 4), debug);
      return;
    }
    case FRAME.priority:
      sized(length, 5);
      if (id === 0) throw protocolError('priority of the connection');
  }
}

function onConnection(id: number): void {
  if (id !== 0) throw protocolError('frame of the connection on a stream');
}

function sized(length: number, expected: number): void {
  if (length !== expected) throw new H2Error(H2_ERROR.frameSize, `payload of ${length} bytes`);
}

export function protocolError(what: string): H2Error {
  return new H2Error(H2_ERROR.protocol, what);
}
