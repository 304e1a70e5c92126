import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import type { RequestSource } from '../h2/transport.ts';
import type { JsonObject } from '../notification.ts';
import { openTransport, parseHost } from '../open-transport.ts';
import type { ApnsOptions } from '../options.ts';
import { ApnsAuth, readP8Key } from './auth.ts';

/** What Apple answered to a call that manages channels. */
export interface ChannelAnswer {
  readonly status: number;
  readonly channelId: string;
  readonly body: string;
}

/** Broadcast channels of one app: at most 10,000 an app and environment. */
export interface ApnsChannels {
  /** `storagePolicy` 0 keeps nothing for devices that are away (larger budget), 1 the latest for up to 8 hours. */
  create(storagePolicy: 0 | 1): Promise<ChannelAnswer>;
  read(channelId: string): Promise<ChannelAnswer>;
  remove(channelId: string): Promise<ChannelAnswer>;
  list(): Promise<ChannelAnswer>;
}

const STREAMS_MAX = 1;

/** Manages channels, one connection a call: it is done once a channel, not once a push. */
export function createApnsChannels(options: ApnsOptions, clock: Clock = systemClock): ApnsChannels {
  const apple = options.production
    ? 'api-manage-broadcast.push.apple.com:2196'
    : 'api-manage-broadcast.sandbox.push.apple.com:2195';
  const origin = parseHost(options.host ?? apple, 443);
  const auth = new ApnsAuth(readP8Key(options.p8Key), options.keyId, options.teamId, origin.authority, clock);
  const app = `/1/apps/${options.bundleId}`;

  const call = (method: string, path: string, channelId: string, content?: JsonObject): Promise<ChannelAnswer> => {
    const body = content === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(content));
    const steady = auth.forConnection()();
    const source: RequestSource = {
      bodyLength: () => body.length,
      writeBody: (_call, target, offset) => target.set(body, offset),
      writeHead(_call, sink) {
        sink.text(':path', path);
        sink.steady({ fields: steady.fields.map(([name, value]) => [name, name === ':method' ? method : value]) });
        sink.text('apns-request-id', randomUUID());
        if (channelId !== '') sink.text('apns-channel-id', channelId);
      },
    };
    return new Promise((resolve, reject) => {
      const open = openTransport(
        { ...options, ...origin, streamsMax: STREAMS_MAX },
        source,
        {
          onReady: () => void open.then((transport) => transport.request(0), reject),
          onAnswer: (_call, answer) => {
            resolve({
              status: answer.status,
              channelId: answer.header('apns-channel-id') ?? channelId,
              body: answer.text(),
            });
            void open.then((transport) => transport.drain(), reject);
          },
          onLost: (_call, loss) => {
            reject(new Error(`no answer: ${loss.reason}`));
            void open.then((transport) => transport.destroy('no answer'), reject);
          },
          onCapacity: () => undefined,
          onDraining: () => undefined,
          onClosed: (reason) => reject(new Error(`no answer: ${reason}`)),
        },
        clock,
      );
      open.catch(reject);
    });
  };

  return {
    create: (storagePolicy) =>
      call('POST', `${app}/channels`, '', { 'message-storage-policy': storagePolicy, 'push-type': 'LiveActivity' }),
    read: (channelId) => call('GET', `${app}/channels`, channelId),
    remove: (channelId) => call('DELETE', `${app}/channels`, channelId),
    list: () => call('GET', `${app}/all-channels`, ''),
  };
}
