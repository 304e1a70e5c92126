/** Numbers of RFC 9113. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const H2_ERROR = {
  noError: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  connect: 10,
  enhanceYourCalm: 11,
} as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
export const FRAME_HEADER_BYTES = 9;
export const MAX_STREAM_ID = 0x7fffffff;
export const MAX_WINDOW = 0x7fffffff;
export const DEFAULT_WINDOW = 65_535;
/** We never raise it, so no peer may send us a larger frame. */
export const MAX_FRAME_BYTES = 16_384;

/** The peer broke the protocol: the connection must be closed with this code. */
export class H2Error extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = 'H2Error';
    this.code = code;
  }
}
